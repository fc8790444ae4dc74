import { setTimeout } from 'node:timers/promises';
import * as z from 'zod';
import { AppError, invalidInput } from '../../../../shared/errors/errors.ts';
import { isActive } from '../../../../shared/jobs/job-states.ts';
import { jobId, type Job } from '../../../../shared/jobs/jobs.ts';
import { environmentId } from '../../../core/connections/connections.ts';
import {
  command,
  flag,
  group,
  option,
  type DefineCommand,
  type Cli,
  type Outcome,
  chooseConnection,
  withApp,
  type Session,
} from '../command.ts';
import { jobOutcome, summaryLines, summaryOf } from '../jobs/outcome.ts';
import { durationMs } from '../options.ts';
import { qualityJobOutcome } from '../quality-outcome.ts';
import { columnsOf, tableLines } from '../table.ts';

const listedJob = ({ id, kind, state, file, address, started, parent, error }: Job) => ({
  id,
  kind,
  state,
  file,
  dataset: `${address.provider}/${address.dataset}`,
  started,
  // For the upload of a rejects file: the job that wrote it.
  ...(parent ? { parent: parent.job } : {}),
  ...(state === 'unreadable' && error ? { problem: error.message } : {}),
});

/** More than any data folder has. */
const maxListed = 1_000_000;

const columns = columnsOf('id', 'kind', 'state', 'file', 'dataset', 'started', 'parent', 'problem');

/** @throws AppError job_unknown */
function checkId(id: string): void {
  if (!jobId.safeParse(id).success) throw new AppError('job_unknown', { job: id });
}

const ofJob = (summary: string, run: (job: string, cli: Cli) => Promise<Outcome>): DefineCommand =>
  command({
    summary,
    arguments: { id: option(z.string(), '<id>', '') },
    options: {},
    async run({ id }, cli) {
      checkId(id);
      return run(id, cli);
    },
  });

/** Interval between checks of a job that another process is stopping, in milliseconds, and the maximum number of checks. */
const polling = { intervalMs: 200, maxChecks: 300 };

/** Waits until a job that another process runs has stopped. @throws AppError job_busy if it doesn't stop */
async function waitUntilStopped({ client, options }: Session, job: string): Promise<Job> {
  for (let attempt = 0; attempt < polling.maxChecks; attempt++) {
    const shown = await client.jobs.show({ job }, options);
    if (!isActive(shown.state)) return shown;
    await setTimeout(polling.intervalMs, undefined, options);
  }
  throw new AppError('job_busy', { job });
}

/** @param older only jobs that ended so long ago */
async function discardDone(older: string | undefined, cli: Cli): Promise<Outcome> {
  const age = older === undefined ? {} : { days: durationMs(older, 'older') / 86_400_000 };
  const summary = await withApp(cli, ({ client, options }) => client.jobs.discardDone(age, options));
  if (!cli.json) await cli.out.lines([`Jobs discarded: ${summary.discarded}.`]);
  return { summary };
}

/** `jobs list|show|resume|cancel|discard`: exports and uploads. */
export const jobs = group({
  list: command({
    summary: 'list unfinished jobs and the last 100 finished ones, oldest first',
    arguments: {},
    options: { all: flag('list all finished jobs') },
    async run({ all }, cli) {
      const { jobs: page, older } = await withApp(cli, ({ client, options }) =>
        client.jobs.list(all ? { finished: maxListed } : {}, options),
      );
      const listed = page.map(listedJob);
      if (!cli.json) await cli.out.lines(tableLines(columns, listed));
      if (older > 0) cli.messages.say(`Older finished jobs not listed: ${older}. To list all, add --all.`);
      return { summary: { jobs: listed, older } };
    },
  }),
  show: ofJob('show a job', async (job, cli) => {
    const summary = await withApp(cli, async ({ app, client, options }) =>
      summaryOf(await client.jobs.show({ job }, options), app.files),
    );
    if (!cli.json) await cli.out.lines(summaryLines(summary));
    return { summary };
  }),
  resume: ofJob('resume a job', (job, cli) =>
    withApp(cli, async (session) => {
      const { kind, connection, connectionId } = await session.client.jobs.show({ job }, session.options);
      // A saved connection is available; the one from the environment variables is, once it is chosen.
      if (cli.connection !== undefined || connectionId === undefined || connectionId === environmentId) {
        const chosen = await chooseConnection(session, cli);
        if (connectionId !== undefined && chosen !== connectionId)
          throw invalidInput(`The job uses the connection “${connection}”. Remove --connection.`, {
            field: 'connection',
          });
      }
      await session.client.jobs.resume({ job }, session.options);
      return kind === 'quality' ? qualityJobOutcome(session, cli, job) : jobOutcome(session, cli, job);
    }),
  ),
  cancel: ofJob('cancel a job in any process; it can be resumed', async (job, cli) => {
    const { state } = await withApp(cli, async (session) => {
      await session.client.jobs.cancel({ job }, session.options);
      return waitUntilStopped(session, job);
    });
    if (!cli.json) await cli.out.lines([`Job ${job} is ${state}.`]);
    return { summary: { job, state } };
  }),
  discard: command({
    summary: 'remove a job and its files, or all finished jobs',
    arguments: { id: option(z.string().optional(), '[id]', '') },
    options: {
      done: flag(
        'all finished jobs, except those with unknown rows, or with rejected rows that are stored nowhere else',
      ),
      older: option(
        z.string().optional(),
        '<duration>',
        'with --done: only jobs that finished longer ago, such as 30d',
      ),
    },
    async run({ id, done, older }, cli) {
      if ((id === undefined) !== done) throw invalidInput('Enter either an ID or --done.', { field: 'id' });
      if (id === undefined) return discardDone(older, cli);
      if (older !== undefined) throw invalidInput('Use --older only with --done.', { field: 'older' });
      checkId(id);
      await withApp(cli, ({ client, options }) => client.jobs.discard({ job: id }, options));
      if (!cli.json) await cli.out.lines([`Job ${id} discarded.`]);
      return { summary: { job: id, discarded: true } };
    },
  }),
});
