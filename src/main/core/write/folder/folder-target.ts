import * as z from 'zod';
import type { Column } from '../../records/columns.ts';
import type { TableState } from './table-state.ts';
import { partitionPlan } from '../census/partition.ts';

export const defaultSliceBytes = 2 ** 30;

/** The part of an export's plan about its folder. */
export const folderPlan = z.object({
  partition: partitionPlan,
  /**
   * The run reads records from this time on, in milliseconds; earlier ones stay as they are. Null: it reads all
   * records.
   */
  cutMs: z.number().nullable(),
  /** Times from here on, in milliseconds, are wrong: the service's clock at the start, and some tolerance. */
  maxTimeMs: z.number(),
  /**
   * The run compares records before this time, in milliseconds, with the service; later ones can still come while it
   * reads. Null: all.
   */
  belowMs: z.number().nullable(),
  /** Whether the run compares the folder with the service at its end. */
  verifies: z.boolean(),
  /** How often the folder had been changed before the run; 0: it is new. */
  generation: z.int(),
  /** The run replaces all that the folder has. */
  replaces: z.boolean(),
  /** Query and fields as JSON, without the limit of an update. */
  request: z.string(),
  /** Records of this many bytes as JSON are a slice, so that a run needs no space for all of them at once. */
  sliceBytes: z.int().min(1),
});
export type FolderPlan = z.infer<typeof folderPlan>;

/** The folder that a run writes. */
export interface FolderTarget extends Pick<
  FolderPlan,
  'partition' | 'cutMs' | 'maxTimeMs' | 'belowMs' | 'request' | 'replaces'
> {
  readonly path: string;
  /** The table that is changed, with the files that it still has; null: there is none yet. */
  readonly table: TableState | null;
  readonly job: string;
  /** The run replaces these partitions as a whole, and no other; null: it adds what is new. */
  readonly replaced: readonly string[] | null;
}

/** The fields that a folder has before a run, with the kinds of their values. */
export const columnsBefore = ({ table, replaces }: FolderTarget): Column[] =>
  table === null || replaces ? [] : table.columns.map(({ path, kinds }) => ({ path, kinds }));
