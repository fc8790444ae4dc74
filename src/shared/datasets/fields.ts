import * as z from 'zod';

/**
 * The types of a field's values, in display order; `date` is a time as text, `integer` a number without a
 * fraction.
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

/** A field of a dataset. */
export const datasetField = z.object({
  /** Dotted, such as `data.rop`. */
  path: z.string(),
  /** The source: the dataset's type, its definition, or sampled records. */
  from: z.enum(['type', 'definition', 'sample']),
  /** The observed or declared types; empty if unknown. */
  types: z.array(fieldType),
  unit: z.string().optional(),
  description: z.string().optional(),
  /** An unchanged value, as JSON text. */
  example: z.string().optional(),
  /** The distinct texts of a field that has few of them, most frequent first. */
  values: z.array(z.string()).optional(),
  /** The lowest and highest number in the sampled records. */
  range: z.object({ min: z.number(), max: z.number() }).optional(),
  /** Shares of the sampled records, 0–1: of those in which the field is null, and of those without it. */
  nulls: z.number().optional(),
  absent: z.number().optional(),
  /** Numbers that probably mean null, such as -999.25, with their share of the sampled records. */
  tokens: z.array(z.object({ value: z.number(), share: z.number() })).optional(),
});
export type DatasetField = z.infer<typeof datasetField>;
