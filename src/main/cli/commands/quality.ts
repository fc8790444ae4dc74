import { stat } from 'node:fs/promises';
import type { Command } from 'commander';
import * as z from 'zod';
import { invalidInput } from '../../../shared/errors/errors.ts';
import { isSame, toleranceOf } from '../../../shared/quality/comparison.ts';
import { isLength } from '../../../shared/quality/lengths.ts';
import type { QualityReport } from '../../../shared/quality/report.ts';
import { refuseErrors } from '../../../shared/language/lint/request.ts';
import { sourceAt } from '../../files/files.ts';
import { comparisonLines, comparisonSummary } from '../comparison-summary.ts';
import type { Cli, Outcome } from '../context.ts';
import { followJob } from '../jobs/follow.ts';
import { jobOutcome } from '../jobs/outcome.ts';
import {
  addReadingOptions,
  decimal,
  gather,
  optionName,
  parseAddress,
  parseOptions,
  parsePath,
  parseReading,
  several,
  whole,
} from '../options.ts';
import { addParameterOptions, bindTyped, parameterOptions } from '../parameters.ts';
import { exceededLimits, qualityLines, qualitySummary, type QualityLimits } from '../quality-summary.ts';
import { withApp, withConnection } from '../session.ts';

const length = z.string().refine(isLength, 'must be a number with a unit, such as 10m, 2h, or 0.5ft');

const typedOptions = z.object({
  ...parameterOptions,
  query: z.string().optional(),
  againstQuery: z.string().optional(),
  tolerance: z
    .string()
    .refine((text) => toleranceOf(text) !== null, 'must be a number such as 0.5, or a share such as 1%')
    .optional(),
  fields: several.optional(),
  step: length.optional(),
  spike: decimal.optional(),
  maxGap: length.optional(),
  maxNulls: decimal.pipe(z.number().min(0).max(1, 'must be a share from 0 to 1')).optional(),
  concurrency: whole.optional(),
});

/** `quality P/D --against-query Q`: how the records of two queries differ. */
async function compareQueries(
  cli: Cli,
  source: string,
  { query = '{}', againstQuery = '{}', ...options }: z.infer<typeof typedOptions>,
): Promise<Outcome> {
  for (const name of ['step', 'spike', 'maxGap', 'maxNulls'] as const)
    if (options[name] !== undefined)
      throw invalidInput('This option is for a check of one query, not for comparing two. Omit it.', {
        field: optionName(name),
      });
  const { fields, tolerance, concurrency, ...given } = options;
  const address = parseAddress(source);
  const bound = bindTyped({ query, 'against-query': againstQuery }, given);
  const queries = { query: bound.query, againstQuery: bound['against-query'] };
  for (const text of Object.values(queries)) refuseErrors({ kind: 'export', query: text, sort: '' });
  return withConnection(cli, async ({ client, connection, options: callOptions }) => {
    const request = { connection, ...address, ...queries, fields, tolerance, concurrency };
    const comparison = await client.quality.compare(request, callOptions);
    if (!cli.json) await cli.out.lines(comparisonLines(comparison));
    return { summary: comparisonSummary(comparison), exitCode: isSame(comparison) ? 0 : 3 };
  });
}

/** Whether an argument is a file; a dataset is `provider/dataset` without a file of that name. */
async function isFile(text: string): Promise<boolean> {
  return stat(parsePath(text, 'source')).then(
    (stats) => stats.isFile(),
    () => !/^[^/\\.]+\/[^/\\.]+$/.test(text),
  );
}

/** `quality P/D` or `quality FILE`: what is missing, repeated, flat, or out of range. */
export function define(command: Command, cli: Cli): void {
  addParameterOptions(addReadingOptions(command))
    .argument('<source>', 'provider/dataset, or a file')
    .option('--query <json>', 'which records of a dataset; default: all')
    .option(
      '--against-query <json>',
      'compares with these records of the dataset; exit code 3 if they differ',
    )
    .option('--tolerance <n|n%>', 'how much compared numbers may differ, such as 0.5 or 1%; default: 0')
    .option('--fields <a,b>', 'fields or columns; default: all', gather)
    .option(
      '--step <length>',
      'expected step of the index, such as 1s, 1m, or 0.5ft; default: the most frequent',
    )
    .option('--spike <n>', 'a spike deviates by more than n robust standard deviations; default: 8')
    .option('--max-gap <length>', 'exit code 3 if a gap is longer, such as 10m or 2h')
    .option('--max-nulls <share>', 'exit code 3 if a field has no value in a larger share, 0 to 1')
    .option('--concurrency <n>', 'concurrent requests, 1 to 16')
    .action(
      cli.run(async (source: string, typed: unknown) => {
        const options = parseOptions(typedOptions, typed);
        if (options.againstQuery !== undefined) return compareQueries(cli, source, options);
        const { query, fields, step, spike, maxGap, maxNulls, concurrency, tolerance, ...given } = options;
        if (tolerance !== undefined)
          throw invalidInput('The tolerance is for comparing: add --against-query.', { field: 'tolerance' });
        const request = { fields, step, spikeThreshold: spike };
        const limits = { maxGap, maxNulls };
        if (await isFile(source)) {
          if (query !== undefined) throw invalidInput('A file has no query.', { field: 'query' });
          const reading = parseReading(typed);
          const path = parsePath(source, 'source');
          const report = await withApp(cli, async ({ app, client, options: callOptions }) => {
            const { token } = await app.files.grantSource(sourceAt(path));
            return client.quality.file({ source: token, reading, ...request }, callOptions);
          });
          return outcomeOf(cli, report, limits);
        }
        const address = parseAddress(source);
        const bound = bindTyped({ query: query ?? '{}' }, given);
        refuseErrors({ kind: 'export', query: bound.query, sort: '' });
        return withConnection(cli, async (session) => {
          const { app, client, connection, options: callOptions } = session;
          const started = await client.quality.start(
            { connection, ...address, ...bound, ...request, concurrency },
            callOptions,
          );
          const job = await followJob(session, cli, started.job);
          if (job.state !== 'done') return jobOutcome(job, app.files, cli);
          return outcomeOf(cli, await client.quality.report({ job: job.id }), limits, job.id);
        });
      }),
    );
}

async function outcomeOf(
  cli: Cli,
  report: QualityReport,
  limits: QualityLimits,
  job?: string,
): Promise<Outcome> {
  if (!cli.json) await cli.out.lines(qualityLines(report));
  const exceeded = exceededLimits(report, limits);
  for (const sentence of exceeded) cli.messages.say(sentence);
  const summary = { ...(job === undefined ? {} : { job }), ...qualitySummary(report), exceeded };
  return { summary, exitCode: exceeded.length > 0 ? 3 : 0 };
}
