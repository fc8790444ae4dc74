import { stat } from 'node:fs/promises';
import type { Command } from 'commander';
import * as z from 'zod';
import { invalidInput } from '../../../shared/errors/errors.ts';
import { isLength } from '../../../shared/quality/lengths.ts';
import { refuseErrors } from '../../../shared/language/lint/request.ts';
import { sourceAt } from '../../files/files.ts';
import { addComparisonOptions, comparisonOptions, compareTyped } from '../compare.ts';
import type { Cli } from '../context.ts';
import {
  addReadingOptions,
  decimal,
  gather,
  parseAddress,
  parseOptions,
  parsePath,
  parseReading,
  several,
  whole,
} from '../options.ts';
import { addParameterOptions, bindTyped, parameterOptions } from '../parameters.ts';
import { checkOutcome, qualityJobOutcome } from '../quality-outcome.ts';
import { withApp, withConnection } from '../session.ts';

const length = z.string().refine(isLength, 'Enter a number with a unit, such as 10m, 2h, or 0.5ft.');

const typedOptions = z.object({
  ...parameterOptions,
  query: z.string().optional(),
  ...comparisonOptions,
  fields: several.optional(),
  step: length.optional(),
  spike: decimal.optional(),
  flat: whole.optional(),
  maxGap: length.optional(),
  maxNulls: decimal.pipe(z.number().min(0).max(1, 'Enter a share from 0 to 1.')).optional(),
  concurrency: whole.optional(),
});

/** Whether an argument is a file; a dataset is `provider/dataset` without a file of that name. */
async function isFile(text: string): Promise<boolean> {
  return stat(parsePath(text, 'source')).then(
    (stats) => stats.isFile(),
    () => !/^[^/\\.]+\/[^/\\.]+$/.test(text),
  );
}

/** `quality P/D` or `quality FILE`: what is missing, repeated, flat, or out of range. */
export function define(command: Command, cli: Cli): void {
  addComparisonOptions(addParameterOptions(addReadingOptions(command)))
    .argument('<source>', 'provider/dataset, or a file')
    .option('--query <json>', 'which records of a dataset; default: all')
    .option('--fields <a,b>', 'fields or columns; default: all', gather)
    .option(
      '--step <length>',
      'expected step of the index, such as 1s, 1m, or 0.5ft; default: the most frequent',
    )
    .option('--spike <n>', 'a spike deviates by more than n robust standard deviations; default: 8')
    .option('--flat <n>', 'a flat range has at least n equal values; default: 30')
    .option('--max-gap <length>', 'exit code 3 if a gap is longer, such as 10m or 2h')
    .option('--max-nulls <share>', 'exit code 3 if a field has no value in a larger share, 0 to 1')
    .option('--concurrency <n>', 'concurrent requests, 1 to 16')
    .action(
      cli.run(async (source: string, typed: unknown) => {
        const { query, fields, step, spike, flat, maxGap, maxNulls, concurrency, ...given } = parseOptions(
          typedOptions,
          typed,
        );
        const reading = parseReading(typed);
        const compared = compareTyped(cli, source, typed, reading);
        if (compared) return compared;
        const request = { fields, step, spikeThreshold: spike, minFlatRecords: flat };
        const limits = { maxGap, maxNulls };
        if (await isFile(source)) {
          if (query !== undefined) throw invalidInput('A file has no query.', { field: 'query' });
          const path = parsePath(source, 'source');
          const report = await withApp(cli, async ({ app, client, options }) => {
            const { token } = await app.files.grantSource(sourceAt(path));
            return client.quality.file({ source: token, reading, ...request }, options);
          });
          return checkOutcome(cli, report, limits);
        }
        const address = parseAddress(source);
        const bound = bindTyped({ query: query ?? '{}' }, given);
        refuseErrors({ kind: 'export', query: bound.query, sort: '' });
        return withConnection(cli, async (session) => {
          const { client, connection, options } = session;
          const { job } = await client.quality.start(
            { connection, ...address, ...bound, ...request, concurrency },
            options,
          );
          return qualityJobOutcome(session, cli, job, limits);
        });
      }),
    );
}
