import * as z from 'zod';
import { datasetAddress } from '../datasets/datasets.ts';

const ids = z.array(z.string().max(1000)).max(5000);

/** The column layout of a dataset; columns by path id. */
export const gridView = z.object({
  hidden: ids.default([]),
  /** The order of moved columns and their neighbors at that time; empty: the default order. */
  order: ids.default([]),
  /** Pinned at the left; absent: the default. */
  pinned: ids.optional(),
  /** The units of columns that aren't shown in those of the setting, by their symbols. */
  units: z.record(z.string().max(1000), z.string().max(40)).default({}),
  /** In pixels. */
  widths: z.record(z.string().max(1000), z.number().min(20).max(5000)).default({}),
});
export type GridView = z.infer<typeof gridView>;

export const plainView: GridView = gridView.parse({});

/** A dataset and its column layout. */
export const keptView = datasetAddress.extend({ view: gridView });
export type KeptView = z.infer<typeof keptView>;
