import { AppError, fromBody } from '../../../shared/errors/errors.ts';
import type { Job } from '../../../shared/jobs/jobs.ts';
import type { Files } from '../../files/files.ts';
import type { Cli, Outcome } from '../context.ts';
import type { ExitCode } from '../exit-codes.ts';
import { inWords } from '../table.ts';
import { summaryOf } from './summary.ts';
import type { JobSummary } from './summary.ts';

/** Whether a job that came to its end did all that was asked for. */
function exitCodeOfDone(job: Job): ExitCode {
  if (!job.result) return 0;
  if (job.kind === 'export') {
    const { rows, expected } = job.result;
    return expected === null || expected === rows ? 0 : 3;
  }
  const { rejected, unknown } = job.result.ledger;
  return rejected > 0 || unknown > 0 ? 3 : 0;
}

function errorOf({ state, error }: Job): AppError | undefined {
  if (state === 'done') return undefined;
  if (error && state === 'failed') return fromBody(error);
  return new AppError('cancelled', {});
}

/** A summary for people: a line for each thing, a problem each on its own. */
export function* summaryLines(summary: JobSummary): Generator<string> {
  for (const [name, value] of Object.entries(summary)) {
    if (Array.isArray(value)) for (const item of value) yield `${name}: ${inWords(item)}`;
    else if (value !== null) yield `${name}: ${inWords(value)}`;
  }
}

function* warningsOf(job: Job): Generator<string> {
  if (job.kind === 'export') yield* job.result?.warnings ?? [];
  else
    for (const { message, line } of job.result?.warnings ?? [])
      yield line === null ? message : `line ${line}: ${message}`;
}

/** How a command ends whose job has come to rest: its summary, and the exit code that says how it went. */
export async function jobOutcome(
  job: Job,
  files: Files,
  { json, out, messages }: Pick<Cli, 'json' | 'out' | 'messages'>,
): Promise<Outcome> {
  const summary = summaryOf(job, files);
  if (!json) await out.lines(summaryLines(summary));
  for (const warning of warningsOf(job)) messages.say(`Warning: ${warning}`);
  const error = errorOf(job);
  if (!error) return { summary, exitCode: exitCodeOfDone(job) };
  messages.say(`The job can be resumed: wellbench jobs resume ${job.id}`);
  return { summary, error };
}
