import type { StoreApi } from 'zustand/vanilla';
import {
  type Dataset,
  type DatasetAddress,
  addressOf,
  datasetAddress,
} from '../../../shared/datasets/datasets.ts';
import { type AppError, visibleLine } from '../../../shared/errors/errors.ts';
import { type GrantedFile, grantedFile } from '../../../shared/files/files.ts';
import { type Job, type JobState, jobId } from '../../../shared/jobs/jobs.ts';
import { isDirectFormat, type RowPlaces } from '../../../shared/upload/formats.ts';
import {
  type FilePreview,
  type TargetKind,
  type UploadMatch,
  type WellZone,
  wellZone,
} from '../../../shared/upload/preview.ts';
import type { DatasetForFile, Proposals, WellColumn } from '../../../shared/upload/proposals.ts';
import type { TemplateList } from '../../../shared/upload/templates.ts';
import {
  type Inspection,
  type UploadRequest,
  columnMapping,
  mapping,
  readingOptions,
  uploadRequest,
} from '../../../shared/upload/upload.ts';
import { type UploadOrigin, uploadOrigin } from '../../../shared/upload/result.ts';
import type { ScopedWell } from '../../../shared/wells/wells.ts';
import type { UnitDifference } from '../../../shared/upload/units.ts';
import type { Api } from '../../api/api.ts';
import { idle, type Loadable } from '../../state/loadable.ts';
import type { QualityRunDependencies } from '../quality/quality-run.ts';
import { noChoices, type MappingChoices } from './columns/mapping-choices.ts';
import { detectedFormat, type FormatOption, type FormatOptions } from './file/format-options.ts';
import type { FileWell } from './wells/file-wells.ts';
import * as z from 'zod';
import { keptTab } from '../../../shared/tabs/tabs.ts';
import type { StoredForm } from '../tabs/tab-kind.ts';

export type Existing = UploadRequest['existing'];

type UploadFile =
  | { readonly status: 'none' }
  | { readonly status: 'ready'; readonly file: GrantedFile }
  /** The file from before a reload; its choices stay. `error`: why it can't be looked up; null: it is gone. */
  | { readonly status: 'missing'; readonly file: GrantedFile; readonly error: AppError | null };

/** `bytes` null: unknown. */
interface TransferringFile {
  readonly status: 'transferring';
  readonly name: string;
  readonly bytes: number | null;
}

/** A file on its way; the current one, if there is one, stays with its mapping until it is there. */
type NextFile =
  | TransferringFile
  | { readonly status: 'failed'; readonly name: string; readonly error: AppError };

/** The previous value stays until the next one is available. */
export interface Matching {
  readonly value: UploadMatch | null;
  readonly error: AppError | null;
}

/** A job of this tab, which may be discarded after it started. */
export type Run =
  | { readonly status: 'none' }
  | { readonly status: 'starting' }
  | { readonly status: 'started'; readonly job: string; readonly isDiscarded?: true }
  | { readonly status: 'failed'; readonly error: AppError };

/** A line of the file that the user opened: its column, if there is one, and the rows around it. */
export interface ViewedLine {
  readonly line: number;
  readonly column: string | null;
  readonly rows: Loadable<FilePreview>;
}

/** A template, or the file of the last upload, whose mapping is used, and the choices before. */
type EarlierMapping = ({ readonly template: string } | { readonly file: string }) & {
  readonly before: MappingChoices;
};

/** What a plan proposes once. */
export const offers = [
  /** Numbers that mean null. */
  'nulls',
  /** The choices of the upload whose rejected rows the file has. */
  'origin',
  /** The mapping of a template or of an earlier file. */
  'mapping',
  /** The selected well, and columns that are certain. */
  'sources',
  /** Fields for the other columns. */
  'fields',
  /** The well that only the header names. */
  'well',
] as const;
export type Offer = (typeof offers)[number];

export interface UploadTabState {
  /** The step that the user selected; the job also determines the step shown. */
  readonly step: Step;
  readonly focusedColumn: string | null;
  /** The control to focus in the File step. */
  readonly focusedOption: FormatOption | null;
  readonly file: UploadFile;
  /** Null: no file is being added. */
  readonly nextFile: NextFile | null;
  readonly reading: FormatOptions;
  readonly preview: Loadable<FilePreview>;
  /** Whether the Columns step shows the first rows of the file too. */
  readonly isPreviewShown: boolean;
  /** Null: the first rows are shown. */
  readonly viewedLine: ViewedLine | null;
  readonly inspection: Loadable<Inspection>;
  /** The upload whose rejected rows the file contains; null: none, or the job is gone. */
  readonly origin: UploadOrigin | null;
  readonly dataset: Dataset | null;
  /** Whether the user didn't select the dataset, and hasn't confirmed it. */
  readonly isDatasetAssumed: boolean;
  readonly choices: MappingChoices;
  /** The numbers that mean null in this file, which were selected for it. */
  readonly proposedNulls: readonly string[];
  readonly match: Matching;
  /** What was proposed for this file, and isn't proposed again: a person may want something else. */
  readonly offers: readonly Offer[];
  /** The columns whose unit is another one than in the file of the mapping that is used. */
  readonly unitDifferences: readonly UnitDifference[];
  /** The template or the file whose mapping is used, and the choices before; null: none is used. */
  readonly earlierMapping: EarlierMapping | null;
  /** The fields that columns belong to; optional. */
  readonly proposals: Loadable<Proposals>;
  /** The datasets that the file fits; optional. */
  readonly fittingDatasets: Loadable<readonly DatasetForFile[]>;
  /** The only selected well when columns were first matched; null: none or several. */
  readonly selectedWell: ScopedWell | null;
  /** What to do with rows that match existing records. */
  readonly existing: Existing;
  /** The number of existing records in the range of the file; idle: not counted. */
  readonly existingRecords: Loadable<number>;
  /** The wells that the names in the file match; idle: no column has names, or the lookup was canceled. */
  readonly wellNames: Loadable<readonly WellColumn[]>;
  /** The well that the file names; idle: not looked up. */
  readonly fileWell: Loadable<{ readonly well: FileWell | null }>;
  /** The time zone of the wells, the default for times without one; null: unknown or several. */
  readonly wellZone: WellZone | null;
  readonly templates: Loadable<TemplateList>;
  /** Whether it waits for other files that are sent with the same mapping. */
  readonly isQueued: boolean;
  /** The job before it in the queue; null: it hasn't started, or there is none. */
  readonly queuedAfter: string | null;
  /** The check of all rows: sending requires that it ended. */
  readonly check: Run;
  readonly send: Run;
}

export type UploadStore = StoreApi<UploadTabState>;

export interface UploadDependencies {
  readonly api: {
    readonly upload: Api['upload'];
    readonly query: Pick<Api['query'], 'count'>;
    readonly files: Pick<Api['files'], 'chooseSources' | 'find' | 'sample'>;
    readonly quality: QualityRunDependencies['api']['quality'];
  };
  readonly connection: string;
  /** The selected wells at the time of the call. */
  readonly selectedWells: () => readonly ScopedWell[];
  /** Transfers a file of the page to main. @throws AppError */
  readonly transferFile: (file: File, signal: AbortSignal) => Promise<GrantedFile>;
  /** @throws AppError if the dataset no longer exists */
  readonly findDataset: (address: DatasetAddress) => Promise<Dataset>;
  readonly waitForJob: QualityRunDependencies['waitForJob'];
  /** Resumes a job; the list of jobs shows why it can't be. */
  readonly resumeJob: (job: string) => Promise<void>;
  /** Stops and removes a job. Never rejects. */
  readonly removeJob: (job: string) => Promise<void>;
}

export interface UploadSubject {
  readonly dataset: Dataset | null;
  /** A job that started elsewhere, to show its ledger. */
  readonly job?: Job | undefined;
  /** Whether the user didn't select the dataset. */
  readonly isDatasetAssumed?: boolean | undefined;
}

/** Whether the table of a file was made from another format; its encoding and delimiter are not the file's then. */
export const isConverted = ({ format }: Pick<FilePreview, 'format'>): boolean => !isDirectFormat(format);

/** What the line numbers of the file count. */
export const placeKind = ({ preview }: Pick<UploadTabState, 'preview'>): RowPlaces['kind'] =>
  preview.status === 'loaded' ? preview.value.places.kind : 'line';

export const noRun: Exclude<Run, { status: 'started' }> = { status: 'none' };
export const noMatch: Matching = { value: null, error: null };

export const emptyUpload: UploadTabState = {
  step: 'file',
  focusedColumn: null,
  focusedOption: null,
  file: { status: 'none' },
  nextFile: null,
  reading: detectedFormat,
  preview: idle,
  isPreviewShown: false,
  viewedLine: null,
  inspection: idle,
  origin: null,
  dataset: null,
  isDatasetAssumed: false,
  choices: noChoices,
  proposedNulls: [],
  match: noMatch,
  offers: [],
  earlierMapping: null,
  unitDifferences: [],
  proposals: idle,
  fittingDatasets: idle,
  selectedWell: null,
  existing: 'skip',
  existingRecords: idle,
  templates: idle,
  isQueued: false,
  queuedAfter: null,
  wellNames: idle,
  fileWell: idle,
  wellZone: null,
  check: noRun,
  send: noRun,
};

export function initialState({ dataset, job, isDatasetAssumed = false }: UploadSubject): UploadTabState {
  if (!job) return { ...emptyUpload, dataset, isDatasetAssumed };
  const nextFile = { status: 'transferring', name: job.file, bytes: null } as const;
  return { ...emptyUpload, dataset, nextFile, send: { status: 'started', job: job.id } };
}

/**
 * Whether existing records have to be skipped but can't be read for lack of permission: sending would fail
 * before its first row.
 */
export const cannotCompare = ({ existingRecords, existing }: UploadTabState): boolean =>
  existing === 'skip' && existingRecords.status === 'failed' && existingRecords.error.is('forbidden');

/**
 * Whether the columns go where they will be sent. While proposals load, they may still get other fields: an upload that
 * started before would store them under other names.
 */
export const isMatchReady = ({ match, proposals }: Pick<UploadTabState, 'match' | 'proposals'>): boolean =>
  match.value?.ready === true && proposals.status !== 'loading';

/** The type of a field of the envelope, by the last match. */
export const targetKind =
  (match: Matching) =>
  (path: string): TargetKind | undefined =>
    match.value?.fields.find((field) => field.path === path)?.kind;

export const steps = ['file', 'columns', 'check', 'send', 'ledger'] as const;
export type Step = (typeof steps)[number];

export interface UploadProgress {
  /** Whether the file has been read completely. */
  readonly isRead: boolean;
  /** Whether there is a dataset, and the columns have been matched. */
  readonly isMatched: boolean;
  /** Whether an upload could start. */
  readonly isReady: boolean;
  /** The state of the job that sends; null: none. */
  readonly job: JobState | null;
}

const isFinal = (state: JobState): boolean => state !== 'running' && state !== 'waiting';

export interface StepStatus {
  readonly step: Step;
  readonly isReachable: boolean;
  readonly isDone: boolean;
}

/** Which steps are reachable and done. Sending can't be undone, so there is no way back from it. */
export function stepStatuses({ isRead, isMatched, isReady, job }: UploadProgress): StepStatus[] {
  const open = job === null;
  return [
    { step: 'file', isReachable: open, isDone: !open || (isRead && isMatched) },
    { step: 'columns', isReachable: open && isRead && isMatched, isDone: !open || isReady },
    { step: 'check', isReachable: open && isReady, isDone: !open },
    { step: 'send', isReachable: job !== null && !isFinal(job), isDone: job !== null && isFinal(job) },
    { step: 'ledger', isReachable: job !== null && isFinal(job), isDone: job === 'done' },
  ];
}

/** The step to show: sending while a job runs, the ledger when it has stopped, otherwise the selected step. */
export function shownStep(selectedStep: Step, progress: UploadProgress): Step {
  const { job } = progress;
  if (job !== null) return isFinal(job) ? 'ledger' : 'send';
  const reachable = stepStatuses(progress).find(({ step }) => step === selectedStep)?.isReachable;
  return reachable === true ? selectedStep : 'file';
}

/** The next step that the user goes to; null: the next step follows automatically. */
export function nextStep(step: Step): Step | null {
  return step === 'file' ? 'columns' : step === 'columns' ? 'check' : null;
}

export function previousStep(step: Step): Step | null {
  return step === 'columns' ? 'file' : step === 'check' ? 'columns' : null;
}

const { skip: _, rest: __, ...keptOfMapping } = mapping.shape;

const skippedColumn = z.strictObject({ skip: z.literal(true), isEmpty: z.literal(true).optional() });

const mappingChoices = z.object({
  ...keptOfMapping,
  columns: z.record(z.string(), z.union([skippedColumn, columnMapping])),
  nulls: z.array(z.string()),
  usesFileWells: z.boolean().optional(),
});

/** The choices for a file whose rows are not being sent yet. */
export const uploadDraft = z.object({
  file: grantedFile,
  step: z.enum(steps),
  reading: readingOptions,
  choices: mappingChoices,
  existing: uploadRequest.shape.existing,
  origin: uploadOrigin.nullable(),
  proposedNulls: z.array(z.string()).default([]),
  /** Absent in drafts that were stored before offers were. */
  offers: z.array(z.enum(offers)).default(['nulls', 'origin', 'mapping', 'sources', 'fields']),
  selectedWell: keptTab.shape.scope.element.nullable(),
  /** Its columns are absent in drafts that were stored before they were. */
  wellZone: wellZone.extend({ columns: wellZone.shape.columns.default({}) }).nullable(),
  /** The job that this upload waits for; null: none. */
  queuedAfter: jobId.nullable(),
});
export type UploadDraft = z.infer<typeof uploadDraft>;

/** A stored upload: its job once that started, otherwise its choices. */
export const storedUpload = z.object({
  dataset: datasetAddress.nullable(),
  isDatasetAssumed: z.boolean().optional(),
  job: jobId.nullable(),
  /** Null: no file yet, or its job started. */
  draft: uploadDraft.nullable(),
});

/** The part of an upload that survives a reload; {@link storedUpload} reads it. */
export function toStoredUpload(state: UploadTabState): StoredForm<typeof storedUpload> {
  const { isDatasetAssumed, file } = state;
  const dataset = state.dataset && addressOf(state.dataset);
  const job = jobOf(state.send);
  if (job !== null || !('file' in file)) return { dataset, isDatasetAssumed, job, draft: null };
  const { step, reading, choices, proposedNulls, offers, existing, origin } = state;
  const { selectedWell, wellZone, queuedAfter } = state;
  const draft = { file: file.file, step, reading, choices, proposedNulls, offers, existing, origin };
  return { dataset, isDatasetAssumed, job, draft: { ...draft, selectedWell, wellZone, queuedAfter } };
}

// What the first screen needs of uploads, without their state.

/** The file that is being transferred, also in place of another one; null: none. */
export const transferringFile = ({ nextFile }: Pick<UploadTabState, 'nextFile'>): TransferringFile | null =>
  nextFile?.status === 'transferring' ? nextFile : null;

/**
 * Whether closing the page loses work: the file is being transferred, the job is starting, or the upload is
 * queued. Jobs that started are not affected.
 */
export const hasUnsavedWork = (state: Pick<UploadTabState, 'nextFile' | 'send' | 'isQueued'>): boolean =>
  // The tab of a job that started elsewhere has no file of its own.
  (transferringFile(state) !== null && state.send.status !== 'started') ||
  state.send.status === 'starting' ||
  state.isQueued;

/** The name of the file for display, also while it is being transferred; null: no file. */
export function fileName({ file, nextFile }: Pick<UploadTabState, 'file' | 'nextFile'>): string | null {
  const name = 'file' in file ? file.file.name : nextFile?.name;
  // A file that couldn't be selected has no name.
  return name ? visibleLine(name) : null;
}

/** Whether its rows are sent, or will be at once; not if that was refused. */
export const isSent = ({ send }: Pick<UploadTabState, 'send'>): boolean =>
  send.status === 'starting' || send.status === 'started';

export const jobOf = (run: Run): string | null => (run.status === 'started' ? run.job : null);
