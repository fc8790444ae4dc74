import * as z from 'zod';
import type { Column } from '../../records/columns.ts';
import { tableFormats } from '../../../../shared/export/export.ts';
import type { TableState } from './table-state.ts';
import { maxDateMs, partitionPlan } from '../census/partition.ts';

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
  maxTimeMs: z.number().default(maxDateMs),
  /**
   * The run compares records before this time, in milliseconds, with the service; later ones can still come while it
   * reads. Null: all.
   */
  belowMs: z.number().nullable().default(null),
  /** Whether the run compares the folder with the service at its end. */
  verifies: z.boolean().default(false),
  /** Absent in plans of earlier versions. */
  tableFormat: z.enum(tableFormats).default('parquet'),
  /** How often the folder had been changed before the run; 0: it is new. */
  generation: z.int(),
  /** The run replaces all that the folder has. Absent in plans of earlier versions. */
  replaces: z.boolean().default(false),
  /** Query and fields as JSON, without the limit of an update. */
  request: z.string(),
  /** Records of this many bytes as JSON are a slice, so that a run needs no space for all of them at once. */
  sliceBytes: z.int().min(1).default(defaultSliceBytes),
});
export type FolderPlan = z.infer<typeof folderPlan>;

/** The folder that a run writes. */
export interface FolderTarget extends Pick<
  FolderPlan,
  'partition' | 'cutMs' | 'maxTimeMs' | 'belowMs' | 'request' | 'replaces'
> {
  readonly path: string;
  /** The table that is changed, with the files that it still has; `new`: there is none yet; null: files alone are written. */
  readonly table: TableState | 'new' | null;
  /** The files that the folder has, as its manifest or its log names them; files alone replace those. */
  readonly earlier: readonly string[];
  readonly job: string;
  /** The run replaces these partitions as a whole, and no other; null: it adds what is new. */
  readonly replaced: readonly string[] | null;
}

/** The fields that a folder has before a run, with the kinds of their values. */
export const columnsBefore = ({ table, replaces }: FolderTarget): Column[] =>
  table === null || table === 'new' || replaces
    ? []
    : table.columns.map(({ path, kinds }) => ({ path, kinds }));

/** Whether a run writes a table of Delta. Plans of mirrors of earlier versions don't say so. */
export const isTable = ({ tableFormat, verifies }: FolderPlan): boolean =>
  verifies || tableFormat === 'delta';
