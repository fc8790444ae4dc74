import * as z from 'zod';
import { UnreadableResponse } from '../http/exchange.ts';

/** Maximum depth of what a service sends, except records. The services' database allows 100. */
export const maxDepth = 100;

/** What could be read of a list, and how many entries could not. */
export interface ReadItems<T> {
  readonly items: T[];
  readonly skipped: number;
}

/**
 * Reads each entry of a list, so that an invalid one doesn't fail the others.
 * @param readItem null, or any error, skips the entry
 */
export function readEach<T>(
  values: readonly unknown[],
  readItem: (value: unknown) => T | null,
): ReadItems<T> {
  const items = values.flatMap((value) => {
    try {
      return readItem(value) ?? [];
    } catch {
      return [];
    }
  });
  return { items, skipped: values.length - items.length };
}

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
export function readBy<S extends z.ZodType>(schema: S, value: unknown, expected: string): z.output<S> {
  const parsed = schema.safeParse(value);
  if (!parsed.success) throw new UnreadableResponse(`it is not ${expected}`);
  return parsed.data;
}
