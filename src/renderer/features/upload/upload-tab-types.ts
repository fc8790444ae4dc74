import type { Dataset, DatasetAddress } from '../../../shared/datasets/datasets.ts';
import type { GrantedFile } from '../../../shared/files/files.ts';
import type { Job } from '../../../shared/jobs/jobs.ts';
import type { UploadTemplate } from '../../../shared/upload/templates.ts';
import type { Mapping } from '../../../shared/upload/upload.ts';
import type { Well } from '../../../shared/wells/wells.ts';
import type { Api } from '../../api/api.ts';
import type { Feature } from '../../state/feature.ts';
import type { ScopedWell } from '../wells/scope.ts';
import type { Correction } from './check/corrections.ts';
import type { FileReader } from './file/file-reading.ts';
import type { UploadDraft } from './kept-upload.ts';
import type { ColumnChoice, FieldSource } from './columns/mapping-choices.ts';
import type { ReadingChoices } from './file/reading-choices.ts';
import type { Step } from './steps.ts';
import type { Existing, UploadTabState } from './upload-state.ts';
import type { FileOption } from './check/warning-fixes.ts';

export interface UploadTabActions extends Pick<FileReader, 'take' | 'choose' | 'accept'> {
  readonly read: (reading: ReadingChoices) => Promise<void>;
  readonly readAgain: () => Promise<void>;
  /** Gives up reading the file. */
  readonly cancelReading: () => void;
  readonly into: (dataset: Dataset) => void;
  readonly mapColumn: (column: string, choice: ColumnChoice | null) => void;
  /** Appends further columns to a column that has a place; none: it stands alone again. */
  readonly joinColumn: (column: string, join: readonly string[]) => void;
  readonly fill: (path: string, source: FieldSource) => void;
  readonly nameNulls: (nulls: string) => void;
  /** Names one more text that stands for no value. */
  readonly takeAsNull: (text: string) => void;
  /** Takes a text that stood for null as a value of the file. */
  readonly keepAsText: (text: string) => void;
  /** Sets the share of values, from 0 to 1, under which exceptions don't change a column's type. */
  readonly allowExceptions: (exceptionShare: number) => void;
  /** Reads a column of numbers as codes of so many digits, with the zeros before them. */
  readonly restoreZeros: (column: string, digits: number) => void;
  /** What a name of a well in the file stands for; null: what the platform says. */
  readonly settleWell: (column: string, name: string, assetId: number | null) => void;
  /** Settles which wells are meant: those that the file names. */
  readonly selectFileWells: () => void;
  /** Settles which wells are meant: one for all rows, whatever the file names. */
  readonly selectOneWell: () => void;
  readonly lookForWells: () => Promise<void>;
  readonly cancelWells: () => void;
  /** Shows a line of the file, with a column of it marked where one is meant. */
  readonly showLine: (line: number, column: string | null) => Promise<void>;
  readonly leaveLine: () => void;
  /** Corrects what a check has found, and checks again; what is corrected elsewhere is gone to. */
  readonly correct: (correction: Correction, text?: string) => Promise<void>;
  /** Counts what stands in the dataset where the rows belong. @param again also where it is known */
  readonly countStanding: (again: boolean) => Promise<void>;
  readonly cancelStanding: () => void;
  readonly treatExisting: (existing: Existing) => void;
  readonly loadTemplates: () => Promise<void>;
  /** Keeps the mapping under a name, for files with the same header. */
  readonly keepTemplate: (name: string) => Promise<void>;
  readonly renameTemplate: (template: UploadTemplate, name: string) => Promise<void>;
  readonly removeTemplate: (id: string) => Promise<void>;
  readonly applyTemplate: (template: UploadTemplate) => void;
  /** Takes over what was chosen for another file; whether this one could be sent with it. */
  readonly adopt: (from: Pick<UploadTabState, 'dataset' | 'choices' | 'existing'>) => Promise<boolean>;
  /** Has it wait its turn, or not any more. @param after the job that goes before it, once that has begun */
  readonly queue: (queued: boolean, after?: string) => void;
  /** Takes up what was begun before the page was loaded again. */
  readonly restore: (draft: UploadDraft) => Promise<void>;
  /** Resolves once what was restored is read and matched, with whether it can be sent as it was queued. */
  readonly whenRestored: () => Promise<boolean>;
  readonly go: (step: Step) => void;
  /** Goes to where it is said how a column is read; null: where it is said of all. */
  readonly goToColumn: (column: string | null) => void;
  /** Goes to where an option of reading the file is chosen. */
  readonly goToOption: (option: FileOption) => void;
  /** What was gone to is in view. */
  readonly arrive: () => void;
  /** Checks all rows, unless that was done, or they are being sent. */
  readonly enterCheck: () => Promise<void>;
  /** Reads and converts every row, and compares it with what is stored; nothing is sent. */
  readonly check: () => Promise<void>;
  readonly send: () => Promise<void>;
  /** Gives up a job that has not begun. */
  readonly cancelStart: () => void;
  /** Ends what runs in the tab itself; its jobs go on. */
  readonly close: () => void;
}

export interface UploadTab extends Feature<UploadTabState, UploadTabActions> {
  readonly connection: string;
  /** What the choices come to as a mapping for the engine. */
  readonly mapping: () => Mapping;
}

export interface UploadTabNeeds {
  readonly api: {
    readonly upload: Api['upload'];
    readonly query: Pick<Api['query'], 'count'>;
    readonly files: Pick<Api['files'], 'chooseSources' | 'find'>;
  };
  /** Hands a file of the page to main. @throws AppError */
  readonly handOver: (file: File, signal: AbortSignal) => Promise<GrantedFile>;
  /** @throws AppError where the dataset is gone */
  readonly findDataset: (address: DatasetAddress) => Promise<Dataset>;
  /** Stops a job and removes it; never rejects. */
  readonly dropJob: (job: string) => Promise<void>;
}

export interface UploadSubject {
  readonly connection: string;
  /** Where the rows are to go, when that is known. */
  readonly dataset: Dataset | null;
  /** The chosen wells, asked for when they are needed. */
  readonly wells: () => readonly ScopedWell[];
  /** The listed wells with these asset ids. @throws AppError */
  readonly wellsOf: (assets: readonly number[]) => Promise<readonly Well[]>;
  /** A job that was begun elsewhere, whose ledger this tab is to show. */
  readonly job?: Job;
}

declare module '../../state/contexts.ts' {
  interface TabParts {
    readonly upload: UploadTab;
  }
}
