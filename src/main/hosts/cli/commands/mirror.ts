import * as z from 'zod';
import { invalidInput, isAppError } from '../../../../shared/errors/errors.ts';
import { columnNamesStyles, exportUnits } from '../../../../shared/export/export.ts';
import { refuseErrors } from '../../../../shared/language/lint/request.ts';
import { mirrorPartition } from '../../../../shared/datasets/datasets.ts';
import { command, option, serviceNow, withConnection, type ConnectedSession } from '../command.ts';
import { followJob, jobOutcome, stoppedOutcome } from '../jobs/outcome.ts';
import { endsJob, repeatUpdates } from '../jobs/repeat.ts';
import { forceOption, parseFolder } from '../file-options.ts';
import { concurrencyOption, datasetArgument, durationMs, fieldsOption, queryOption } from '../options.ts';
import { bindTyped, parameterOptions } from '../parameters.ts';

const minEveryMs = 60_000;
const maxEveryMs = 7 * 86_400_000;

/**
 * Resumes a job that stopped halfway. The file that names it is in the folder of the mirror, where others may write: only
 * the job that wrote this mirror last is touched.
 * @returns whether it continues
 */
async function isResumed(
  { app, client, options }: ConnectedSession,
  job: string,
  folder: string,
): Promise<boolean> {
  if ((await app.mirrors.jobOf(folder)) !== job) return false;
  try {
    await client.jobs.resume({ job }, options);
    return true;
  } catch (error) {
    if (isAppError(error, 'job_state')) await client.jobs.discard({ job }).catch(() => undefined);
    else if (
      !isAppError(error, 'job_unknown') &&
      !isAppError(error, 'job_too_new') &&
      !isAppError(error, 'file_unreadable')
    )
      throw error;
    return false;
  }
}

/** `mirror P/D`: keeps a folder of Parquet files up to date. */
export const mirror = command({
  arguments: datasetArgument,
  options: {
    ...parameterOptions,
    ...forceOption('mirror of another query'),
    out: option(
      z.string(),
      '<dir>',
      'new or empty folder, or an existing mirror of the same query to update',
    ),
    ...queryOption,
    ...fieldsOption,
    partition: option(
      z.enum(['day', 'month']).optional(),
      '<period>',
      'a file for each well and day or month, in UTC; default: day',
    ),
    overlap: option(
      z.string().optional(),
      '<duration>',
      'how far back to look for late records: 30m, 2h, 1d; default: 2h',
    ),
    columnNames: option(
      z.enum(columnNamesStyles).optional(),
      '<style>',
      'data.rop or data_rop; default: dotted',
    ),
    units: option(z.enum(exportUnits).optional(), '<system>', 'units of numbers; default: stored'),
    ...concurrencyOption,
    every: option(
      z.string().optional(),
      '<duration>',
      'update again at this interval, such as 15m or 1h, until Ctrl-C or SIGTERM',
    ),
  },
  async run({ dataset, out, force, every, overlap = '2h', partition = 'day', ...values }, cli) {
    const overlapMs = durationMs(overlap, 'overlap');
    const everyMs = every === undefined ? null : durationMs(every, 'every');
    if (everyMs !== null && (everyMs < minEveryMs || everyMs > maxEveryMs))
      throw invalidInput('Enter an interval from 1m to 7d.', { field: 'every' });
    if (everyMs !== null && force)
      throw invalidInput('First replace the mirror without --every, then update it with --every.', {
        field: 'every',
      });
    const bind = bindTyped({ query: values.query }, values);
    refuseErrors({ kind: 'export', query: values.query, sort: '' });
    const folder = await parseFolder(out, 'out', { force, isMirror: true, canAppear: everyMs !== null });
    /** Starts an update. @returns its job */
    async function start(session: ConnectedSession): Promise<string> {
      const { app, client, connection, options } = session;
      const bound = await bind(() => serviceNow(session, dataset));
      const { type } = await client.datasets.get({ connection, ...dataset }, options);
      const request = {
        connection,
        ...dataset,
        ...values,
        ...bound,
        format: 'parquet',
        partition: mirrorPartition(type, partition),
        mirror: { overlapMs },
        target: app.files.grantFolder(folder).token,
      } as const;
      const { job } = await client.export.start(request, options);
      cli.messages.say(`Job ${job} updates ${folder.path}.`);
      return job;
    }
    if (everyMs === null)
      return withConnection(cli, async (session) => jobOutcome(session, cli, await start(session)));
    return repeatUpdates(
      {
        everyMs,
        folder: folder.path,
        update: async (earlier, began) =>
          withConnection(cli, async (session) => {
            const resumes = earlier !== null && (await isResumed(session, earlier, folder.path));
            const id = resumes ? earlier : await start(session);
            await began(id);
            const job = await followJob(session, cli, id);
            const { summary, error = null } = await stoppedOutcome(job, session.app.files, cli);
            if (cli.json) await cli.out.report([JSON.stringify(summary)]);
            // Thousands of them would be in the list of jobs.
            if (!error || endsJob(error, job.id))
              await session.client.jobs.discard({ job: job.id }).catch(() => undefined);
            return { job, error };
          }),
      },
      cli,
    );
  },
});
