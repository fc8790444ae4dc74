import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import * as z from 'zod';
import { invalidInput } from '../../../../shared/errors/errors.ts';
import { isLength } from '../../../../shared/quality/quality.ts';
import { refuseErrors } from '../../../../shared/language/lint/request.ts';
import { sourceAt } from '../../../core/files/files.ts';
import {
  command,
  option,
  optionName,
  type Cli,
  type Outcome,
  serviceNow,
  withApp,
  withConnection,
  type ConnectedSession,
} from '../command.ts';
import { readingOf, readingOptions } from '../file-options.ts';
import { concurrencyOption, decimal, parseAddress, textList, whole, address, path } from '../options.ts';
import { warningTexts } from '../jobs/outcome.ts';
import { bindTyped, parameterOptions } from '../parameters.ts';
import { checkOutcome, qualityJobOutcome } from '../quality-outcome.ts';
import type { DatasetAddress } from '../../../../shared/datasets/datasets.ts';
import { toleranceOf } from '../../../../shared/quality/comparison.ts';
import { isSure, mappingOfMatch } from '../../../../shared/upload/proposals.ts';
import type { ColumnMapping, Mapping, ReadingOptions } from '../../../../shared/upload/upload.ts';
import { readMapping } from '../mapping-file.ts';
import { mappingWithWell, wellOption } from '../wells-of-file.ts';

const comparisonOptions = {
  againstQuery: option(
    z.string().optional(),
    '<json>',
    'compare with these records of the dataset; exit code 3 if they differ',
  ),
  against: option(
    address.optional(),
    '<dataset>',
    'compare a file with provider/dataset; exit code 3 if they differ',
  ),
  tolerance: option(
    z
      .string()
      .refine((text) => toleranceOf(text) !== null, 'Enter a number such as 0.5, or a share such as 1%.')
      .optional(),
    '<n|n%>',
    'difference that still counts as equal, such as 0.5 or 1%; default: 0',
  ),
  mapping: option(path.optional(), '<file>', 'mapping file for the compared file; default: by channel name'),
  ...wellOption,
};

type Comparison = z.infer<z.ZodObject<typeof comparisonOptions & typeof parameterOptions>> & {
  readonly source: string;
  readonly query?: string | undefined;
  readonly fields?: string[] | undefined;
  readonly concurrency?: number | undefined;
};

const optionsOfChecks = ['step', 'spike', 'flat', 'maxGap', 'maxNulls'] as const;
const optionsOfFiles = ['mapping', 'well'] as const;

/** @throws AppError invalid_input if an option that doesn't apply is set */
function refuse(values: Readonly<Record<string, unknown>>, names: readonly string[], message: string): void {
  for (const name of names)
    if (values[name] !== undefined) throw invalidInput(message, { field: optionName(name) });
}

/** @throws AppError invalid_input if an option for reading a file is set for a dataset */
const refuseReading = (values: Readonly<Record<string, unknown>>): void =>
  refuse(values, Object.keys(readingOptions), 'This option is for a file, not for a dataset. Remove it.');

/**
 * Compares if the options ask for it. Null: they don't.
 * @throws AppError invalid_input, file_unreadable, connection_unknown; those of the job
 */
function compareIfRequested(cli: Cli, values: Comparison, reading: ReadingOptions): Promise<Outcome> | null {
  const { against, againstQuery } = values;
  if (against === undefined && againstQuery === undefined) {
    const names = ['tolerance', ...optionsOfFiles];
    refuse(values, names, 'This option is for comparing. Add --against or --against-query, or remove it.');
    return null;
  }
  refuse(values, optionsOfChecks, 'This option is for a check, not for comparing. Remove it.');
  if (against !== undefined) {
    refuse(values, ['againstQuery'], 'A file is compared with records of --query. Remove --against-query.');
    return compareFile(cli, against, reading, values);
  }
  refuse(values, optionsOfFiles, 'This option is for comparing a file. Add --against, or remove it.');
  refuseReading(values);
  return compareQueries(cli, values);
}

/** `quality P/D --against-query Q`: how the records of two queries differ. */
async function compareQueries(
  cli: Cli,
  { source, query = '{}', againstQuery = '{}', fields, tolerance, concurrency, ...parameters }: Comparison,
): Promise<Outcome> {
  const dataset = parseAddress(source);
  const bind = bindTyped({ query, 'against-query': againstQuery }, parameters);
  for (const text of [query, againstQuery]) refuseErrors({ kind: 'export', query: text, sort: '' });
  return withConnection(cli, async (session) => {
    const bound = await bind(() => serviceNow(session, dataset));
    const queries = { query: bound.query, againstQuery: bound['against-query'] };
    const { client, connection, options } = session;
    const request = { connection, ...dataset, ...queries, fields, tolerance, concurrency };
    const { job } = await client.quality.compare(request, options);
    return qualityJobOutcome(session, cli, job);
  });
}

/** `quality FILE --against P/D`: how the rows of a file differ from the records of a dataset. */
async function compareFile(
  cli: Cli,
  dataset: DatasetAddress,
  reading: ReadingOptions,
  {
    source: file,
    query,
    fields,
    tolerance,
    concurrency,
    mapping: mappingFile,
    well,
    ...parameters
  }: Comparison,
): Promise<Outcome> {
  const bind = bindTyped({ query }, parameters);
  if (query !== undefined) refuseErrors({ kind: 'export', query, sort: '' });
  const fileMapping = mappingFile === undefined ? null : await readMapping(mappingFile);
  return withConnection(cli, async (session) => {
    const { query: againstQuery } = await bind(() => serviceNow(session, dataset));
    const { app, client, connection, options } = session;
    const { token } = await app.files.grantSource(sourceAt(resolve(file)));
    const columns = { source: token, reading, address: dataset };
    const mapping = fileMapping ?? (await proposedMapping(session, columns));
    const request = {
      connection,
      ...dataset,
      source: token,
      reading,
      mapping: well === undefined ? mapping : await mappingWithWell(session, well, { ...columns, mapping }),
      againstQuery,
      fields,
      tolerance,
      concurrency,
    };
    const { job } = await client.quality.compareFile(request, options);
    return qualityJobOutcome(session, cli, job);
  });
}

/** A mapping that sends each column to the field it surely belongs to, in its unit, and knows likely null values. */
async function proposedMapping(
  { client, connection, options }: ConnectedSession,
  { source, reading, address }: Pick<Parameters<typeof mappingWithWell>[2], 'source' | 'reading' | 'address'>,
): Promise<Mapping> {
  const { columns } = await client.upload.propose({ connection, source, reading, ...address }, options);
  const mapped: Record<string, ColumnMapping> = {};
  const taken = new Set<string>();
  for (const { column, match } of columns) {
    if (!match || !isSure(match) || taken.has(match.field)) continue;
    taken.add(match.field);
    mapped[column] = mappingOfMatch(match);
  }
  const { likelyNulls: nulls } = await client.upload.inspect({ source, ...reading }, options);
  return { columns: mapped, constants: {}, rest: 'data', ...(nulls && { nulls }) };
}

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
    flat: option(whole.optional(), '<n>', 'a flat line has at least n equal values; default: 30'),
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
      const { warnings, places, ...report } = await withApp(cli, async ({ app, client, options }) => {
        const { token } = await app.files.grantSource(sourceAt(resolve(source)));
        return client.quality.file({ source: token, reading, ...request }, options);
      });
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
