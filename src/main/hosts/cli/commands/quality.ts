import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import * as z from 'zod';
import { invalidInput } from '../../../../shared/errors/errors.ts';
import { isLength } from '../../../../shared/quality/quality.ts';
import { refuseErrors } from '../../../../shared/language/lint/request.ts';
import { sourceAt } from '../../../core/files/files.ts';
import { command, option } from '../command.ts';
import { comparisonOptions, compareIfRequested, refuseReading } from '../compare.ts';
import { readingOf, readingOptions } from '../file-options.ts';
import { concurrencyOption, decimal, parseAddress, textList, whole } from '../options.ts';
import { warningTexts } from '../jobs/outcome.ts';
import { bindTyped, parameterOptions } from '../parameters.ts';
import { checkOutcome, qualityJobOutcome } from '../quality-outcome.ts';
import { serviceNow, withApp, withConnection } from '../session.ts';

const length = z.string().refine(isLength, 'Enter a number with a unit, such as 10m, 2h, or 0.5ft.');

/** The ends of names of files: a dataset can have dots in its name, too. */
const fileEnding = /\.(?:csv|tsv|txt|asc|dat|json|ndjson|jsonl|xlsx?|xlsm|las|dlis|lis|xml|parquet|gz|zip)$/i;

/** Whether an argument is a file; a dataset is `provider/dataset` without a file of that name. */
async function isFile(text: string): Promise<boolean> {
  return stat(resolve(text)).then(
    (stats) => stats.isFile(),
    () => !/^[^/\\.]+\/[^/\\]+$/.test(text) || fileEnding.test(text),
  );
}

/** `quality P/D` or `quality FILE`: what is missing, repeated, flat, or out of range. */
export const quality = command({
  arguments: { source: option(z.string(), '<source>', 'provider/dataset, or a file') },
  options: {
    ...readingOptions,
    ...parameterOptions,
    ...comparisonOptions,
    query: option(z.string().optional(), '<json>', 'records of a dataset to check; default: all'),
    fields: option(textList.optional(), '<a,b>', 'fields or columns; default: all'),
    step: option(
      length.optional(),
      '<length>',
      'expected step of the index, such as 1s, 1m, or 0.5ft; default: the most frequent',
    ),
    spike: option(
      decimal.optional(),
      '<n>',
      'a spike deviates by more than n robust standard deviations; default: 8',
    ),
    flat: option(whole.optional(), '<n>', 'a flat range has at least n equal values; default: 30'),
    maxGap: option(length.optional(), '<length>', 'exit code 3 if a gap is longer, such as 10m or 2h'),
    maxNulls: option(
      decimal.pipe(z.number().min(0).max(1, 'Enter a share from 0 to 1.')).optional(),
      '<share>',
      'exit code 3 if a larger share of a field’s values is missing, 0 to 1',
    ),
    ...concurrencyOption,
  },
  async run(values, cli) {
    const reading = readingOf(values);
    const comparison = compareIfRequested(cli, values, reading);
    if (comparison) return comparison;
    const { source, query, fields, step, spike, flat, maxGap, maxNulls, concurrency } = values;
    const request = { fields, step, spikeThreshold: spike, minFlatRecords: flat };
    const limits = { maxGap, maxNulls };
    if (await isFile(source)) {
      if (query !== undefined) throw invalidInput('Use --query only with a dataset.', { field: 'query' });
      const report = await withApp(cli, async ({ app, client, options }) => {
        const { token } = await app.files.grantSource(sourceAt(resolve(source)));
        return client.quality.file({ source: token, reading, ...request }, options);
      });
      const { warnings, places } = report;
      for (const text of warningTexts(warnings, places)) cli.messages.say(`Warning: ${text}`);
      const outcome = await checkOutcome(cli, report, limits);
      return { ...outcome, summary: { ...outcome.summary, warnings } };
    }
    refuseReading(values);
    const address = parseAddress(source);
    const typed = { query: query ?? '{}' };
    const bind = bindTyped(typed, values);
    refuseErrors({ kind: 'export', ...typed, sort: '' });
    return withConnection(cli, async (session) => {
      const bound = await bind(() => serviceNow(session, address));
      const { client, connection, options } = session;
      const { job } = await client.quality.start(
        { connection, ...address, ...bound, ...request, concurrency },
        options,
      );
      return qualityJobOutcome(session, cli, job, limits);
    });
  },
});
