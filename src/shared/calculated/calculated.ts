import * as z from 'zod';

export const maxCalculated = 50;

/** A column that is calculated of others: `wob * rpm / rop`. */
export const calculatedColumn = z.object({
  name: z
    .string()
    .trim()
    .min(1, 'Enter a name for the column.')
    .max(100)
    .regex(
      /^[\p{L}_][\p{L}\p{N}_ ()/%-]*$/u,
      'A name starts with a letter, and has letters, digits, spaces, and any of _ - / % ( ).',
    )
    // Objects by column would find what every object has.
    .refine((name) => !(name in {}), 'Enter another name.'),
  expression: z.string().trim().min(1).max(2000),
  /** The unit that a person states; absent: the one that follows from the expression. */
  unit: z.string().trim().min(1).max(40).optional(),
});
export type CalculatedColumn = z.infer<typeof calculatedColumn>;

/** The columns of a result that expressions can use. */
const calculationField = z.object({
  id: z.string().max(1000),
  values: z.enum(['number', 'time', 'other']),
  /** Absent: unknown. */
  unit: z.string().max(100).optional(),
});
export type CalculationField = z.infer<typeof calculationField>;

export const calculation = z.object({
  columns: z.array(calculatedColumn).max(maxCalculated),
  fields: z.array(calculationField).max(5000),
  /** The path id of the time or depth that orders rows; null: they have no order. */
  index: z.string().max(1000).nullable(),
  /** How the rows of each series are sorted by it. `unknown`: found from the rows. */
  order: z.enum(['ascending', 'descending', 'none', 'unknown']),
  /** The path ids of the columns that identify a series, such as the well. */
  series: z.array(z.string().max(1000)).max(5),
});
export type Calculation = z.infer<typeof calculation>;
