import { setTimeout } from 'node:timers/promises';
import type { Command } from 'commander';
import { AppError } from '../../../shared/errors/errors.ts';
import { jobId, type Job } from '../../../shared/jobs/jobs.ts';
import type { Cli } from '../context.ts';
import { followJob } from '../jobs/follow.ts';
import { jobOutcome, summaryLines, summaryOf } from '../jobs/outcome.ts';
import { withApp, withConnection, type Session } from '../session.ts';
import { tableLines, type Column } from '../table.ts';

interface ListedJob {
  readonly id: string;
  readonly kind: Job['kind'];
  readonly state: Job['state'];
  readonly file: string;
  readonly dataset: string;
  readonly started: string;
  /** For the upload of a rejects file: the job that wrote it. */
  readonly parent?: string;
  readonly problem?: string;
}

const listed = ({ id, kind, state, file, address, started, parent, error }: Job): ListedJob => ({
  id,
  kind,
  state,
  file,
  dataset: `${address.provider}/${address.dataset}`,
  started,
  ...(parent ? { parent: parent.job } : {}),
  ...(state === 'unreadable' && error ? { problem: error.message } : {}),
});

const columns = (['id', 'kind', 'state', 'file', 'dataset', 'started', 'parent', 'problem'] as const).map(
  (name): Column<ListedJob> => ({ name, of: (job) => job[name] }),
);

/** @throws AppError job_unknown for an invalid job id */
function checkedId(text: string): string {
  if (!jobId.safeParse(text).success) throw new AppError('job_unknown', { job: text });
  return text;
}

function defineList(command: Command, cli: Cli): void {
  command.description('all jobs, oldest first').action(
    cli.run(async () => {
      const found = await withApp(cli, ({ client, options }) => client.jobs.list({}, options));
      const jobs = found.map(listed);
      if (!cli.json) await cli.out.lines(tableLines(columns, jobs));
      return { summary: { jobs } };
    }),
  );
}

function defineShow(command: Command, cli: Cli): void {
  command
    .description('show a job')
    .argument('<id>')
    .action(
      cli.run(async (id: string) => {
        const job = checkedId(id);
        const summary = await withApp(cli, async ({ app, client, options }) =>
          summaryOf(await client.jobs.show({ job }, options), app.files),
        );
        if (!cli.json) await cli.out.lines(summaryLines(summary));
        return { summary };
      }),
    );
}

function defineResume(command: Command, cli: Cli): void {
  command
    .description('resume a job')
    .argument('<id>')
    .action(
      cli.run(async (id: string) => {
        const job = checkedId(id);
        return withConnection(cli, async (session) => {
          await session.client.jobs.resume({ job }, session.options);
          return jobOutcome(await followJob(session, cli, job), session.app.files, cli);
        });
      }),
    );
}

/**
 * Interval between checks of a job that another process is stopping, in milliseconds, and the maximum number of checks.
 */
const polling = { everyMs: 200, atMost: 300 };

/** Waits until a job that another process runs has stopped. @throws AppError job_busy if it doesn't stop */
async function waitUntilStopped({ client, options }: Session, job: string): Promise<Job> {
  for (let attempt = 0; attempt < polling.atMost; attempt++) {
    const found = await client.jobs.show({ job }, options);
    if (found.state !== 'running') return found;
    await setTimeout(polling.everyMs, undefined, options);
  }
  throw new AppError('job_busy', { job });
}

function defineCancel(command: Command, cli: Cli): void {
  command
    .description('cancel a job in any process; it can be resumed')
    .argument('<id>')
    .action(
      cli.run(async (id: string) => {
        const job = checkedId(id);
        const { state } = await withApp(cli, async (session) => {
          await session.client.jobs.cancel({ job }, session.options);
          return waitUntilStopped(session, job);
        });
        if (!cli.json) await cli.out.lines([`Job ${job} is ${state}.`]);
        return { summary: { job, state } };
      }),
    );
}

function defineDiscard(command: Command, cli: Cli): void {
  command
    .description('remove a job and its files')
    .argument('<id>')
    .action(
      cli.run(async (id: string) => {
        const job = checkedId(id);
        await withApp(cli, ({ client, options }) => client.jobs.discard({ job }, options));
        if (!cli.json) await cli.out.lines([`Job ${job} discarded.`]);
        return { summary: { job, discarded: true } };
      }),
    );
}

/** `jobs list|show|resume|cancel|discard`: exports and uploads. */
export function define(command: Command, cli: Cli): void {
  defineList(command.command('list'), cli);
  defineShow(command.command('show'), cli);
  defineResume(command.command('resume'), cli);
  defineCancel(command.command('cancel'), cli);
  defineDiscard(command.command('discard'), cli);
}
