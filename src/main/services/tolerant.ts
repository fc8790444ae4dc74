import * as z from 'zod';
import type { JsonValue } from '../../shared/json.ts';
import { UnreadableAnswer } from '../http/answer.ts';

/** An integer that may come as a string of digits; null for anything else. */
export const looseInteger = z
  .union([
    z.int(),
    z
      .string()
      .regex(/^-?\d{1,16}$/)
      .transform(Number)
      .pipe(z.int()),
  ])
  .nullable()
  .catch(null);

/** A number of any kind; null for anything else. */
export const looseNumber = z
  .union([
    z.number(),
    z.bigint().transform(Number),
    z
      .string()
      .regex(/^-?\d+(\.\d+)?$/)
      .transform(Number),
  ])
  .nullable()
  .catch(null);

/** A text; empty for anything else but a number. */
export const looseText = z.union([z.string(), z.number().transform(String)]).catch('');

export const looseBoolean = z.union([z.boolean(), z.stringbool()]).catch(false);

/** Reads an answer by a schema. @throws UnreadableAnswer that says what was expected */
export function readBy<S extends z.ZodType>(schema: S, value: JsonValue, expected: string): z.output<S> {
  const parsed = schema.safeParse(value);
  if (!parsed.success) throw new UnreadableAnswer(`it is not ${expected}`);
  return parsed.data;
}
