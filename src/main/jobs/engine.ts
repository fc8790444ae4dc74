import type * as z from 'zod';
import type { DatasetAddress } from '../../shared/datasets/datasets.ts';
import type { AppError } from '../../shared/errors/errors.ts';
import type {
  JobAnswer,
  JobArtifact,
  JobKind,
  JobParent,
  JobProgress,
  JobQuestion,
} from '../../shared/jobs/jobs.ts';
import type { Services } from '../services/services.ts';

/** The plan of a job: what was asked for, decided once, kept in the job's folder. It never holds a secret. */
export interface PlanHead {
  /** The connection by its id and, so that a resume can tell another service from the same one, its data URL. */
  readonly connection: { readonly id: string; readonly name: string; readonly dataUrl: string };
  readonly address: DatasetAddress;
  /** Name of the file for people, without its folder. */
  readonly fileName: string;
  /** The job whose rejected rows the file holds. */
  readonly parent?: JobParent | undefined;
}

/** A journal of one line of JSON for each entry, only ever appended to; a torn last line is dropped when it is opened. */
export interface Journal<E> {
  /** What stood in it when the job was opened, in order. */
  readonly earlier: readonly E[];
  /** Appends an entry; with `flush` it is on the disk (fdatasync) when the promise resolves. Calls keep their order. */
  append(entry: E, options?: { flush?: boolean }): Promise<void>;
}

/** A job that this process holds the lock of. */
export interface OpenJob<P, E> {
  readonly id: string;
  /** Its folder: engines keep spools, checkpoints and results here, under names of their own. */
  readonly folder: string;
  readonly plan: P;
  readonly journal: Journal<E>;
}

export interface EngineContext<R = unknown> {
  /** Aborted by cancel, and when the process ends. An engine stops soon, leaving a journal that can be resumed. */
  readonly signal: AbortSignal;
  /** Services of the plan's connection. Reads wait by themselves while a login or the link is missing, or in a pause. */
  readonly services: Services;
  /**
   * For an insert that certainly was not stored, once that is noted: waits until what kept it away has passed (another
   * login is given, the service may be reached again), while the job shows as waiting. False: this is not waited for
   * here. @throws the error itself where a login is missing and nobody can give one; `cancelled`
   */
  readonly untilAgain?: (error: AppError, signal?: AbortSignal) => Promise<boolean>;
  /** Waits while the job is paused; to be asked before anything new is begun. @throws `cancelled` */
  readonly untilGoing?: (signal?: AbortSignal) => Promise<void>;
  /** Asks the person; absent where nobody is there. @throws `cancelled` */
  readonly ask?: (question: JobQuestion, signal?: AbortSignal) => Promise<JobAnswer>;
  /** Tells progress; cheap, call it as often as you like. `rows` and `bytes` count from the job's very beginning. */
  report(progress: Partial<Omit<JobProgress, 'rate' | 'secondsLeft'>>): void;
  /** Keeps a result as far as it goes, so that a job that is stopped midway still says what became of its rows. */
  soFar(result: R): void;
  /** Announces a file that the job made and that a person may take. */
  made(kind: JobArtifact['kind'], path: string): Promise<void>;
}

/**
 * One kind of job. `run` starts a fresh job and goes on with an interrupted one alike: it reads `journal.earlier`
 * and does what is left. It throws AppError; what it throws is the job's error, and the job can be resumed.
 */
export interface Engine<P extends PlanHead = PlanHead, E = unknown, R = unknown> {
  readonly kind: JobKind;
  /** Version of plan and journal; a job of a newer one is refused. */
  readonly format: number;
  readonly plan: z.ZodType<P>;
  readonly entry: z.ZodType<E>;
  readonly result: z.ZodType<R>;
  run(job: OpenJob<P, E>, context: EngineContext<R>): Promise<R>;
  /** Removes what an unfinished job left outside its folder, before the folder goes. Results that a person has stay. */
  discard?(job: OpenJob<P, E>): Promise<void>;
}
