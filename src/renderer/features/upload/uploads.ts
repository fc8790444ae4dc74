import type { Dataset } from '../../../shared/datasets/datasets.ts';
import type { GrantedFile } from '../../../shared/files/files.ts';
import type { Job } from '../../../shared/jobs/jobs.ts';
import type { LookQuery } from './check/look-query.ts';
import type { UploadTab } from './upload-tab.ts';

/** The ways to an upload, and from it to what was uploaded. */
export interface Uploads {
  /** Opens an upload without a file yet; into the dataset when one is given. */
  readonly open: (dataset?: Dataset) => void;
  /** Opens an upload for each file that was dropped; the first goes to one that waits for a file. */
  readonly take: (files: readonly File[]) => void;
  /** Opens an upload for each file beyond the first that was chosen at once. */
  readonly accept: (files: readonly GrantedFile[], dataset: Dataset | null) => void;
  /** The open uploads whose files have the same header as this one's, and that have not been begun. */
  readonly alike: (tab: UploadTab) => readonly UploadTab[];
  /** Sends one, then the others with its mapping, one after another. */
  readonly sendInTurn: (tab: UploadTab, others: readonly UploadTab[]) => void;
  /** Opens the ledger of an upload that was begun before. */
  readonly openJob: (job: Job) => void;
  /** Opens a query and runs it; without one, what the dataset opens with. */
  readonly lookAt: (dataset: Dataset, query: LookQuery | null) => void;
}

declare module '../../state/contexts.ts' {
  interface Session {
    readonly uploads: Uploads;
  }
}
