import * as z from 'zod';
import { datasetAddress } from '../../../shared/datasets/datasets.ts';
import { jobParent, type JobArtifact, type JobKind } from '../../../shared/jobs/jobs.ts';
import type { Services } from '../wire/services/services.ts';
import type { ProgressReport } from './progress.ts';
import type { JobWaits } from './waits.ts';

/**
 * The plan of a job: the request, decided once and stored in the job's folder. Never contains credentials.
 */
export const planHead = z.object({
  /** The connection, with its data URL, so a resume detects another service under the same id. */
  connection: z.object({ id: z.string(), name: z.string(), dataUrl: z.string() }),
  address: datasetAddress,
  /** File name for display, without its folder. */
  fileName: z.string(),
  /** Maximum number of concurrent requests. */
  concurrency: z.int(),
  /** The job whose rejected rows the file contains. */
  parent: jobParent.optional(),
});
export type PlanHead = z.infer<typeof planHead>;

/** A job whose lock this process holds. */
export interface OpenJob<P, E> {
  readonly id: string;
  /** Its folder, for spools, checkpoints, and results of the engine. */
  readonly folder: string;
  readonly plan: P;
  /** The entries of its journal when it was opened, in order. */
  readonly entries: readonly E[];
}

/**
 * What happens in a run. The runner writes entries to the journal, and folds the others into the summary of the job; then
 * the run continues.
 */
export type JobEvent<E = unknown, R = unknown> =
  /** With `flush` they are on disk when the run continues. */
  | { readonly kind: 'entries'; readonly entries: readonly E[]; readonly flush: boolean }
  /** `rows` and `bytes` count from the start of the job. */
  | { readonly kind: 'progress'; readonly progress: ProgressReport }
  /** The result at this point, so that a stopped job shows the state of its rows. */
  | { readonly kind: 'result'; readonly result: R }
  /** A file that the user can open or save. */
  | {
      readonly kind: 'artifact';
      readonly artifact: { readonly kind: JobArtifact['kind']; readonly path: string };
    };

/** What a run uses. */
export interface EngineContext {
  /**
   * Aborted by cancel and when the process ends. The run then ends soon and leaves a journal that can be
   * resumed.
   */
  readonly signal: AbortSignal;
  /** The services of the plan's connection. Reads wait while the job is paused, signed out, or offline. */
  readonly services: Services;
  /** What else a run can wait for. */
  readonly waits: Pick<JobWaits, 'waitForRecovery' | 'waitWhilePaused' | 'askUser'>;
}

/**
 * A kind of job. `run` starts and resumes a job: it reads the entries of its journal and does the rest. An
 * AppError that it throws becomes the error of the job, which can be resumed. It returns the result.
 */
export interface Engine<P extends PlanHead = PlanHead, E = unknown, R = unknown> {
  readonly kind: JobKind;
  /** Version of plan and journal; jobs of a newer version are refused. */
  readonly format: number;
  readonly plan: z.ZodType<P>;
  readonly entry: z.ZodType<E>;
  readonly result: z.ZodType<R>;
  run(job: OpenJob<P, E>, context: EngineContext): AsyncGenerator<JobEvent<E, R>, R, undefined>;
  /** Removes files outside the job's folder before the folder is removed. Finished results remain. */
  discard?(job: OpenJob<P, E>): Promise<void>;
}
