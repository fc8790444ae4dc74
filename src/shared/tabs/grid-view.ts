import * as z from 'zod';
import { datasetAddress } from '../datasets/datasets.ts';

const ids = z.array(z.string().max(1000)).max(5000);

/** How a person looks at the records of a dataset; columns by the ids of their paths. */
export const gridView = z.object({
  hidden: ids.default([]),
  /** Those that were moved, and the others that stood there then; empty: the order for reading. */
  order: ids.default([]),
  /** Kept in view at the left. */
  pinned: ids.default([]),
  /** In pixels. */
  widths: z.record(z.string().max(1000), z.number().min(20).max(5000)).default({}),
});
export type GridView = z.infer<typeof gridView>;

export const plainView: GridView = gridView.parse({});

/** A dataset with how a person looks at it. */
export const keptView = datasetAddress.extend({ view: gridView });
export type KeptView = z.infer<typeof keptView>;
