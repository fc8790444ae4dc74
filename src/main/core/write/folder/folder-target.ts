import * as z from 'zod';
import { tableFormats } from '../../../../shared/export/export.ts';
import type { FolderManifest } from './manifest.ts';
import { maxDateMs, partitionPlan } from '../census/partition.ts';

export const defaultSliceBytes = 2 ** 31;

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
  /** The folder's generation before the run; 0: it is new. */
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
  'partition' | 'cutMs' | 'maxTimeMs' | 'belowMs' | 'request' | 'tableFormat'
> {
  /** Its path. */
  readonly path: string;
  /** Its content before the run; null: none. */
  readonly base: FolderManifest | null;
  readonly job: string;
  /** The run replaces these partitions as a whole, and no other; null: it adds what is new. */
  readonly replaced: readonly string[] | null;
}
