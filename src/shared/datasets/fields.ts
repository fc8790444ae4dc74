import * as z from 'zod';

/**
 * The types a value of a field can have, in the order in which they are told; `date` is a time written as text,
 * `integer` a number without a fraction.
 */
export const fieldType = z.enum([
  'number',
  'integer',
  'string',
  'boolean',
  'date',
  'object',
  'array',
  'null',
]);
export type FieldType = z.infer<typeof fieldType>;

/** What is known of one field of a dataset. */
export const datasetField = z.object({
  /** Dotted, such as `data.rop`. */
  path: z.string(),
  /** Where it is known from: the dataset's type, its definition, or records that were read. */
  from: z.enum(['type', 'definition', 'sample']),
  /** The types seen or declared; empty when nothing is known. */
  types: z.array(fieldType),
  unit: z.string().optional(),
  description: z.string().optional(),
  /** A value as it came, as JSON text. */
  example: z.string().optional(),
  /** The distinct texts of a field that has few of them, most frequent first. */
  values: z.array(z.string()).optional(),
  /** Shares of the sampled records, 0–1: of those in which the field is null, and of those without it. */
  nulls: z.number().optional(),
  absent: z.number().optional(),
  /** Numbers that often stand for no value, such as -999.25, with the share of the sampled records that have them. */
  tokens: z.array(z.object({ value: z.number(), share: z.number() })).optional(),
});
export type DatasetField = z.infer<typeof datasetField>;
