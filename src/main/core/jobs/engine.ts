import type * as z from 'zod';
import type { DatasetAddress } from '../../../shared/datasets/datasets.ts';
import type { AppError } from '../../../shared/errors/errors.ts';
import type {
  JobAnswer,
  JobArtifact,
  JobKind,
  JobParent,
  JobProgress,
  JobQuestion,
} from '../../../shared/jobs/jobs.ts';
import type { Services } from '../wire/services/services.ts';

/**
 * The plan of a job: the request, decided once and stored in the job's folder. Never contains credentials.
 */
export interface PlanHead {
  /** The connection, with its data URL, so a resume detects another service under the same id. */
  readonly connection: { readonly id: string; readonly name: string; readonly dataUrl: string };
  readonly address: DatasetAddress;
  /** File name for display, without its folder. */
  readonly fileName: string;
  /** The job whose rejected rows the file contains. */
  readonly parent?: JobParent | undefined;
}

/** A journal of one JSON line per entry, append-only. An incomplete last line is cut when it is opened. */
export interface Journal<E> {
  /** The entries at the time the job was opened, in order. */
  readonly entries: readonly E[];
  /**
   * Appends an entry; with `flush` it is on disk (fdatasync) when the promise resolves. Entries keep the
   * order of the calls.
   * @throws AppError `disk_full`; other errors of the file system
   */
  append(entry: E, options?: { flush?: boolean }): Promise<void>;
}

/** A job whose lock this process holds. */
export interface OpenJob<P, E> {
  readonly id: string;
  /** Its folder, for spools, checkpoints, and results of the engine. */
  readonly folder: string;
  readonly plan: P;
  readonly journal: Journal<E>;
}

export interface EngineContext<R = unknown> {
  /**
   * Aborted by cancel and when the process ends. The engine then stops soon and leaves a journal that can be
   * resumed.
   */
  readonly signal: AbortSignal;
  /** The services of the plan's connection. Reads wait while the job is paused, signed out, or offline. */
  readonly services: Services;
  /**
   * For an insert that was certainly not stored, once that is in the journal: waits until the cause has
   * passed (other credentials, the service is reachable), while the job shows as waiting.
   * @returns false if the job doesn't wait for this error
   * @throws AppError the given error when nobody can sign in; `cancelled`
   */
  readonly waitForRecovery?: (error: AppError, signal?: AbortSignal) => Promise<boolean>;
  /**
   * Waits while the job is paused; called before new work starts.
   * @throws AppError `cancelled`
   */
  readonly waitWhilePaused?: (signal?: AbortSignal) => Promise<void>;
  /**
   * Asks the user; absent when unattended.
   * @throws AppError `cancelled`
   */
  readonly askUser?: (question: JobQuestion, signal?: AbortSignal) => Promise<JobAnswer>;
  /**
   * Reports progress; cheap enough for frequent calls. `rows` and `bytes` count from the start of the job.
   */
  report(progress: Partial<Omit<JobProgress, 'rate' | 'secondsLeft'>>): void;
  /** Sets the result at this point, so a stopped job shows the state of its rows. */
  setResult(result: R): void;
  /** Adds a file that the user can open or save. */
  addArtifact(kind: JobArtifact['kind'], path: string): Promise<void>;
}

/**
 * A kind of job. `run` starts and resumes a job: it reads `journal.entries` and does the rest. An AppError
 * that it throws becomes the error of the job, which can be resumed.
 */
export interface Engine<P extends PlanHead = PlanHead, E = unknown, R = unknown> {
  readonly kind: JobKind;
  /** Version of plan and journal; jobs of a newer version are refused. */
  readonly format: number;
  readonly plan: z.ZodType<P>;
  readonly entry: z.ZodType<E>;
  readonly result: z.ZodType<R>;
  run(job: OpenJob<P, E>, context: EngineContext<R>): Promise<R>;
  /** Removes files outside the job's folder before the folder is removed. Finished results remain. */
  discard?(job: OpenJob<P, E>): Promise<void>;
}
