import type { StoreApi } from 'zustand/vanilla';
import type { Dataset, DatasetAddress } from '../../../shared/datasets/datasets.ts';
import type { AppError } from '../../../shared/errors/errors.ts';
import type { GrantedFile } from '../../../shared/files/files.ts';
import type { Job } from '../../../shared/jobs/jobs.ts';
import type { FilePreview, TargetKind, UploadMatch } from '../../../shared/upload/preview.ts';
import type { TemplateList } from '../../../shared/upload/templates.ts';
import type { WellColumn } from '../../../shared/upload/wells.ts';
import type { Inspection, UploadOrigin, UploadRequest } from '../../../shared/upload/upload.ts';
import type { Well } from '../../../shared/wells/wells.ts';
import { visibleLine } from '../../../shared/errors/visible-text.ts';
import type { Api } from '../../api/api.ts';
import { idle, type Loadable } from '../../state/loadable.ts';
import type { ScopedWell } from '../wells/scope.ts';
import { noChoices, type MappingChoices } from './columns/mapping-choices.ts';
import { asDetected, type ReadingChoices } from './file/reading-choices.ts';
import type { Step } from './steps.ts';
import type { FileOption } from './check/warning-fixes.ts';

export type Existing = UploadRequest['existing'];

/** The file, from being picked to being at hand. `bytes` null: nobody knows. */
export type PickedFile =
  | { readonly status: 'none' }
  | { readonly status: 'handing'; readonly name: string; readonly bytes: number | null }
  | { readonly status: 'granted'; readonly file: GrantedFile }
  /** It was at hand before the page was loaded again; what was chosen for it is kept. */
  | { readonly status: 'gone'; readonly file: GrantedFile }
  | { readonly status: 'failed'; readonly name: string; readonly error: AppError };

/** What the choices come to; the value before stays while the next is worked out. */
export interface Matching {
  readonly value: UploadMatch | null;
  readonly error: AppError | null;
}

/** A job of this tab: not begun, being planned, begun, or refused before it began. */
export type Run =
  | { readonly status: 'none' }
  | { readonly status: 'starting' }
  | { readonly status: 'started'; readonly job: string }
  | { readonly status: 'failed'; readonly error: AppError };

/** A time zone and whose it is. */
export interface WellZone {
  readonly zone: string;
  /** The name of the well; of several, how many there are. */
  readonly well: string;
}

/** A place of the file that was gone to: a line, a column of it where one is meant, and the rows around it. */
export interface LookedAt {
  readonly line: number;
  readonly column: string | null;
  readonly rows: Loadable<FilePreview>;
}

export interface UploadTabState {
  /** The step that the person chose; what is shown also depends on the job. */
  readonly step: Step;
  /** A column that is being gone to, for the person to say how it is read. */
  readonly pointedAt: string | null;
  /** A box of the File step that is being gone to. */
  readonly pointedOption: FileOption | null;
  readonly file: PickedFile;
  readonly reading: ReadingChoices;
  readonly preview: Loadable<FilePreview>;
  /** Null: the first rows are shown. */
  readonly lookedAt: LookedAt | null;
  readonly inspection: Loadable<Inspection>;
  /** The upload whose rejected rows the file holds; null: it holds none, or that job is gone. */
  readonly origin: UploadOrigin | null;
  readonly dataset: Dataset | null;
  readonly choices: MappingChoices;
  readonly match: Matching;
  /** The well that was selected when the columns were first matched; null: none was, or several were. */
  readonly selectedWell: ScopedWell | null;
  /** What is done with rows that stand in the dataset already. */
  readonly existing: Existing;
  /** How many records stand in the dataset where the rows belong; idle: they were not counted. */
  readonly existingRecords: Loadable<number>;
  /** What the names of wells in the file stand for; idle: no column names any, or looking was given up. */
  readonly wellNames: Loadable<readonly WellColumn[]>;
  /** The zone of the wells that the rows belong to, the default for times without one; null: not known, or several. */
  readonly wellZone: WellZone | null;
  /** The mappings that are kept; idle: nobody has asked. */
  readonly templates: Loadable<TemplateList>;
  /** It waits its turn behind other files that are sent with the same mapping. */
  readonly queued: boolean;
  /** The job that goes before it in the queue; null: it has not begun, or the upload waits for none. */
  readonly queuedAfter: string | null;
  /** The trial over all rows. */
  readonly check: Run;
  readonly send: Run;
}

export type UploadStore = StoreApi<UploadTabState>;

/** What the uploads of a connection work with. */
export interface UploadNeeds {
  readonly api: {
    readonly upload: Api['upload'];
    readonly query: Pick<Api['query'], 'count'>;
    readonly files: Pick<Api['files'], 'chooseSources' | 'find'>;
  };
  readonly connection: string;
  /** The chosen wells, asked for when they are needed. */
  readonly wells: () => readonly ScopedWell[];
  /** The listed wells with these asset ids. @throws AppError */
  readonly wellsOf: (assets: readonly number[]) => Promise<readonly Well[]>;
  /** Hands a file of the page to main. @throws AppError */
  readonly handOver: (file: File, signal: AbortSignal) => Promise<GrantedFile>;
  /** @throws AppError where the dataset is gone */
  readonly findDataset: (address: DatasetAddress) => Promise<Dataset>;
  /** Stops a job and removes it; never rejects. */
  readonly dropJob: (job: string) => Promise<void>;
}

export interface UploadSubject {
  /** Where the rows are to go, when that is known. */
  readonly dataset: Dataset | null;
  /** A job that was begun elsewhere, whose ledger the tab is to show. */
  readonly job?: Job | undefined;
}

export const noRun: Run = { status: 'none' };
export const noMatch: Matching = { value: null, error: null };

export const emptyUpload: UploadTabState = {
  step: 'file',
  pointedAt: null,
  pointedOption: null,
  file: { status: 'none' },
  reading: asDetected,
  preview: idle,
  lookedAt: null,
  inspection: idle,
  origin: null,
  dataset: null,
  choices: noChoices,
  match: noMatch,
  selectedWell: null,
  existing: 'skip',
  existingRecords: idle,
  templates: idle,
  queued: false,
  queuedAfter: null,
  wellNames: idle,
  wellZone: null,
  check: noRun,
  send: noRun,
};

/** What a tab begins with. */
export function firstState({ dataset, job }: UploadSubject): UploadTabState {
  if (!job) return { ...emptyUpload, dataset };
  const file = { status: 'handing', name: job.file, bytes: null } as const;
  return { ...emptyUpload, dataset, file, send: { status: 'started', job: job.id } };
}

/**
 * The state with another file: what was said of the one before is forgotten, the dataset is not. One of the name of a
 * file that is gone takes its place.
 */
export function withFile(now: UploadTabState, file: PickedFile): UploadTabState {
  const { dataset, reading, choices, existing } = now;
  const isAwaited = now.file.status === 'gone' || now.file.status === 'handing';
  const isSame = isAwaited && fileName(now) === fileName({ file });
  return { ...emptyUpload, dataset, file, ...(isSame ? { reading, choices, existing } : {}) };
}

/**
 * Whether existing records have to be skipped and can't be read for lack of permission: sending would then fail before its
 * first row.
 */
export const cannotCompare = ({ existingRecords, existing }: UploadTabState): boolean =>
  existing === 'skip' && existingRecords.status === 'failed' && existingRecords.error.is('forbidden');

/**
 * Whether an upload loses something when the page goes: its file is still on its way into the application, its job is
 * still being planned, or it waits its turn, which does not come before the page is back. A job that was begun loses
 * nothing by it.
 */
export const losesByLeaving = ({
  file,
  send,
  queued,
}: Pick<UploadTabState, 'file' | 'send' | 'queued'>): boolean =>
  file.status === 'handing' || send.status === 'starting' || queued;

/** The name of the file, to be shown, also of one that is only on its way; null: there is none. */
export function fileName({ file }: Pick<UploadTabState, 'file'>): string | null {
  if (file.status === 'none') return null;
  return visibleLine('file' in file ? file.file.name : file.name);
}

/** The job of a run, once there is one. */
export const jobOf = (run: Run): string | null => (run.status === 'started' ? run.job : null);

/** What a field of the envelope takes, as the engine said last. */
export const kindIn =
  (match: Matching) =>
  (path: string): TargetKind | undefined =>
    match.value?.fields.find((field) => field.path === path)?.kind;
