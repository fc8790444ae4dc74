import * as z from 'zod';
import type { FolderManifest } from './manifest.ts';
import { partitionPlan } from './partition.ts';

/** The part of an export's plan about its folder. */
export const folderPlan = z.object({
  partition: partitionPlan,
  /**
   * The run reads records from this time on, in milliseconds; earlier ones stay as they are. Null: it reads all
   * records.
   */
  cutMs: z.number().nullable(),
  /** The folder's generation before the run; 0: it is new. */
  generation: z.int(),
  /** Query and fields as JSON, without the limit of an update. */
  request: z.string(),
});
export type FolderPlan = z.infer<typeof folderPlan>;

/** The folder that a run writes. */
export interface FolderTarget extends Pick<FolderPlan, 'partition' | 'cutMs' | 'request'> {
  /** Its path. */
  readonly path: string;
  /** Its content before the run; null: none. */
  readonly base: FolderManifest | null;
  readonly job: string;
}
