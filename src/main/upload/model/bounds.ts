import * as z from 'zod';

/** A part of a dataset in which all rows of a file lie, perhaps among others; a survey of the file tells it exactly. */
export const bounds = z.object({
  assets: z.array(z.int()),
  range: z.object({ min: z.number(), max: z.number() }).nullable(),
});
export type Bounds = z.infer<typeof bounds>;
