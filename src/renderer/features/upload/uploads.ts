import type { Dataset } from '../../../shared/datasets/datasets.ts';
import type { GrantedFile } from '../../../shared/files/files.ts';
import type { Job } from '../../../shared/jobs/jobs.ts';
import type { RecordQuery } from './check/record-query.ts';
import type { UploadTab } from './upload-tab.ts';

/** Opens uploads, and what was uploaded. */
export interface Uploads {
  /** Opens an upload without a file, into a dataset if one is given. */
  readonly open: (dataset?: Dataset) => void;
  /**
   * Opens an upload for each dropped file. The first one goes to an upload without a file, if there is one.
   */
  readonly addFiles: (files: readonly File[]) => void;
  /** Adds the sample file to the upload in view if that has no file, or else to another one. */
  readonly addSample: () => void;
  /** Opens an upload for each selected file after the first. */
  readonly accept: (files: readonly GrantedFile[], dataset: Dataset | null) => void;
  /** Open uploads with the same header that haven't started. */
  readonly similarTo: (tab: UploadTab) => readonly UploadTab[];
  /** Calls back when an upload is opened, changed, or closed. Returns a function that stops. */
  readonly watch: (onChange: () => void) => () => void;
  /** Sends an upload, then others with its mapping, in sequence. */
  readonly sendInSequence: (tab: UploadTab, others: readonly UploadTab[]) => void;
  /** Opens the ledger of an upload that started before. */
  readonly openJob: (job: Job) => void;
  /** Opens and runs a query; without one, the dataset's default query. */
  readonly openRecords: (dataset: Dataset, query: RecordQuery | null) => void;
}

declare module '../../contexts.ts' {
  interface Session {
    readonly uploads: Uploads;
  }
}
