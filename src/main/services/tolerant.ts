import * as z from 'zod';
import type { JsonValue } from '../../shared/json.ts';
import { UnreadableResponse } from '../http/response.ts';

/** An integer, also as a string of digits; null for anything else. */
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

/** A number, also as a string; null for anything else. */
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

/** A text; a number as text; empty for anything else. */
export const looseText = z.union([z.string(), z.number().transform(String)]).catch('');

export const looseBoolean = z.union([z.boolean(), z.stringbool()]).catch(false);

/**
 * Parses a value by a schema.
 * @param expected the expected value in words
 * @throws UnreadableResponse with `expected`
 */
export function readBy<S extends z.ZodType>(schema: S, value: JsonValue, expected: string): z.output<S> {
  const parsed = schema.safeParse(value);
  if (!parsed.success) throw new UnreadableResponse(`it is not ${expected}`);
  return parsed.data;
}
