import * as z from 'zod';
import type { RecordPage } from '../../../../shared/query/query.ts';
import { refuseErrors, lintRequest, type LintedRequest } from '../../../../shared/language/lint/request.ts';
import {
  command,
  flag,
  option,
  type Cli,
  serviceNow,
  withConnection,
  type ConnectedSession,
} from '../command.ts';
import { datasetArgument, fieldsOption, queryOption, sortOption, whole, decimal } from '../options.ts';
import { bindTyped, parameterOptions } from '../parameters.ts';
import { writeRecords, type RecordFormat, recordFormats } from '../output.ts';
import { isAppError } from '../../../../shared/errors/errors.ts';
import type { DatasetField } from '../../../../shared/datasets/fields.ts';
import { mayCountNumbers } from '../../../../shared/language/lint/rules.ts';
import { readScope } from '../../../../shared/language/text/conditions.ts';
import { matchOfStages } from '../../../../shared/language/relaxed.ts';
import { defaultSort } from '../../../../shared/language/scope.ts';
import type { Dataset, DatasetAddress } from '../../../../shared/datasets/datasets.ts';
import { getDataset } from '../../../core/datasets/definitions.ts';
import { once } from '../../../core/once.ts';
import { setTimeout as wait } from 'node:timers/promises';
import { noKnowledge } from '../../../../shared/language/knowledge.ts';
import { describePlace } from '../../../../shared/errors/sentences.ts';

const timeoutOption = {
  timeout: option(
    decimal.transform((seconds) => Math.round(seconds * 1000)).optional(),
    '<seconds>',
    'timeout in seconds; default: 60',
  ),
};

const readOptions = {
  format: option(z.enum(recordFormats).default('ndjson'), '<format>', 'output format of records'),
  ...timeoutOption,
};

/** Failures of reading a definition that reading records need not have. */
const definitionFailures = ['service_failed', 'timed_out', 'bad_answer'] as const;

/**
 * The sort to use: the option, else the dataset's index field, ascending. Only the definition has the index field, so a
 * read without a sort waits for it; other reads are sent concurrently. A user who may not read the definition can still
 * read records; they come unsorted, with a warning.
 * @param sort the sort option; undefined: none
 * @throws AppError of reading the definition, because a different order of records would be hard to notice
 */
async function sortOrDefault(
  sort: string | undefined,
  definition: Definition,
  { messages }: Cli,
): Promise<string> {
  if (sort !== undefined) return sort;
  try {
    return defaultSort((await definition()).type);
  } catch (error) {
    if (isAppError(error, 'forbidden')) {
      messages.say(`${error.message} The records are unsorted; set a sort with --sort.`);
      return '{}';
    }
    if (definitionFailures.some((code) => isAppError(error, code)))
      messages.say(
        'The default sort depends on the definition of the dataset. Set --sort to read without it.',
      );
    throw error;
  }
}

type Definition = () => Promise<Dataset>;

/**
 * Number of tries to read a definition, few because it is only advice. A default sort depends on it, but on a bad
 * link an early error is better, and the user can specify a sort.
 */
const maxTries = 2;

/** The definition of a dataset, which is requested once, on the first call. @throws AppError from the call */
const definitionOnce = (address: DatasetAddress, { services, options }: ConnectedSession): Definition =>
  once(async () => getDataset(services().data, address, { ...options, maxTries }));

/** How long to wait for the definition after the response has arrived, in milliseconds. */
const definitionWaitMs = 250;
/** The same for the fields: a mean that counts -999.25 is wrong, and their sample takes several requests. */
const fieldsWaitMs = 3000;

/** What advice about a read depends on. */
interface Advice {
  readonly definition: Definition;
  /** The fields of the dataset. Requested for computations only. */
  readonly fields?: () => Promise<readonly DatasetField[]>;
}

/**
 * The fields of a dataset in the records of the wells that a computation names, if it may count numbers such as -999.25.
 * @param match the query of its records
 */
function fieldsFor(
  computation: string | undefined,
  match: string,
  address: DatasetAddress,
  { services, options }: ConnectedSession,
): Pick<Advice, 'fields'> {
  if (computation === undefined || !mayCountNumbers(computation)) return {};
  const scope = readScope(match, 'asset_id');
  const assets = scope.kind === 'ids' ? [...scope.ids] : [];
  return {
    async fields() {
      // Loaded on use: its table of channels is large.
      const { readFields } = await import('../../../core/datasets/fields/fields.ts');
      return (await readFields(services().data, { ...address, assets }, options.signal)).fields;
    },
  };
}

/**
 * Runs a read, and prints likely mistakes on stderr: those that the editor of the window underlines, by the dataset's
 * type and indexes. The definition is requested concurrently and can fail; then only the checks that don't need it run.
 * The fields are requested for means, sums, and the like, which null values such as -999.25 distort. Platform ids are not recognized, because wells are not listed here.
 * @throws AppError what `read` throws
 */
async function withAdvice<T>(
  request: LintedRequest,
  { definition, fields }: Advice,
  { messages }: Pick<Cli, 'messages'>,
  read: () => Promise<T>,
): Promise<T> {
  const requested = definition().catch(() => null);
  const sampled = fields?.().catch(() => []);
  try {
    return await read();
  } finally {
    const dataset = await Promise.race([requested, wait(definitionWaitMs, null, { ref: false })]);
    const sampledFields = await Promise.race([sampled ?? [], wait(fieldsWaitMs, [], { ref: false })]);
    const knowledge = {
      ...noKnowledge,
      ...(dataset && { type: dataset.type, indexes: dataset.indexes }),
      fields: sampledFields,
    };
    for (const { severity, message, field, line, column } of lintRequest(request, knowledge)) {
      const place = line === undefined || column === undefined ? { field } : { field, line, column };
      if (severity === 'warning') messages.say(`Warning: ${describePlace(place)}: ${message}`);
    }
  }
}

const defaultLimit = 1000;
const skipOption = { skip: option(whole.default(0), '<n>', 'number of records to skip') };

/** Says on stderr that a limit that nobody set has left records out. */
function warnOfLimit({ count: rows, total }: RecordPage, skip: number, { messages }: Cli): void {
  if (rows < defaultLimit || (total !== null && total <= skip + rows)) return;
  const more = total === null ? 'there may be more' : 'there are more';
  messages.say(`Warning: ${rows} records were read, the default limit; ${more}. Set --limit, or use export.`);
}

/** `find P/D`: one read, up to 10,000 records. */
export const find = command({
  arguments: datasetArgument,
  options: {
    ...queryOption,
    ...sortOption,
    limit: option(whole.optional(), '<n>', 'maximum number of records, 1 to 10000; default: 1000'),
    ...skipOption,
    ...fieldsOption,
    total: flag('count all matching records'),
    ...readOptions,
    ...parameterOptions,
  },
  async run({ dataset, format, timeout: timeoutMs, total: includeCount, limit, ...rest }, cli) {
    const values = { ...rest, limit: limit ?? defaultLimit };
    const typed = { kind: 'find', ...values, sort: values.sort ?? '{}' } as const;
    const bind = bindTyped({ query: values.query, sort: values.sort }, values);
    refuseErrors(typed);
    const page = await withConnection(cli, async (session) => {
      const bound = await bind(() => serviceNow(session, dataset));
      const { client, connection, options } = session;
      const request = { connection, ...dataset, ...values, ...bound, includeCount, timeoutMs };
      const definition = definitionOnce(dataset, session);
      const sort = await sortOrDefault(bound.sort, definition, cli);
      const linted = { ...typed, sort: values.sort ?? sort };
      return withAdvice(linted, { definition }, cli, () => client.query.find({ ...request, sort }, options));
    });
    await writeRecords(cli.out, page.records, format, values.fields);
    if (limit === undefined) warnOfLimit(page, values.skip, cli);
    return { summary: { count: page.count, total: page.total } };
  },
});

/** `aggregate P/D`: the simple aggregation. */
export const aggregate = command({
  arguments: datasetArgument,
  options: {
    match: option(z.string().default('{}'), '<json>', 'which records'),
    ...sortOption,
    limit: option(
      whole.optional(),
      '<n>',
      'maximum number of records before grouping, 1 to 10000; default: none with --group, otherwise 1000',
    ),
    ...skipOption,
    group: option(z.string().optional(), '<json>', '_id, and accumulators such as $max'),
    project: option(z.string().optional(), '<json>', 'fields of the results'),
    ...readOptions,
    ...parameterOptions,
  },
  async run({ dataset, format, timeout: timeoutMs, ...typed }, cli) {
    const { match, sort: sortText, group, project } = typed;
    // A limit that nobody set must not limit what is grouped.
    const values = { ...typed, limit: typed.limit ?? (group === undefined ? defaultLimit : undefined) };
    const checked = { kind: 'aggregate', ...values, sort: sortText ?? '{}' } as const;
    const bind = bindTyped({ match, sort: sortText, group, project }, values);
    refuseErrors(checked);
    const page = await withConnection(cli, async (session) => {
      const bound = await bind(() => serviceNow(session, dataset));
      const { client, connection, options } = session;
      const request = { connection, ...dataset, ...values, ...bound, timeoutMs };
      const definition = definitionOnce(dataset, session);
      // Without a limit, an order would only cost time.
      const requestedSort = bound.sort ?? (values.limit === undefined ? '{}' : undefined);
      const sort = await sortOrDefault(requestedSort, definition, cli);
      const linted = { ...checked, sort: sortText ?? sort };
      const advice = { definition, ...fieldsFor(bound.group, bound.match, dataset, session) };
      return withAdvice(linted, advice, cli, () => client.query.aggregate({ ...request, sort }, options));
    });
    const outcome = await writeComputed(cli, page, format);
    if (typed.limit === undefined && group === undefined) warnOfLimit(page, values.skip, cli);
    return outcome;
  },
});

/** Writes computed results, and says on stderr if they are computed from a part of the records. */
async function writeComputed(
  { out, messages }: Cli,
  { records, count: rows, computedFrom }: RecordPage,
  format: RecordFormat,
) {
  if (computedFrom !== undefined) messages.say(`Warning: The results are computed from ${computedFrom}.`);
  await writeRecords(out, records, format);
  return { summary: { count: rows, ...(computedFrom === undefined ? {} : { computedFrom }) } };
}

/** `count P/D`: the number of matching records. */
export const count = command({
  arguments: datasetArgument,
  options: { ...queryOption, ...timeoutOption, ...parameterOptions },
  async run({ dataset, query, timeout: timeoutMs, ...parameters }, cli) {
    const typed = { kind: 'count', query } as const;
    const bind = bindTyped({ query }, parameters);
    refuseErrors(typed);
    const result = await withConnection(cli, async (session) => {
      const bound = await bind(() => serviceNow(session, dataset));
      const { client, connection, options } = session;
      const request = { connection, ...dataset, ...bound, timeoutMs };
      return withAdvice(typed, { definition: definitionOnce(dataset, session) }, cli, () =>
        client.query.count(request, options),
      );
    });
    await cli.out.lines([String(result.count)]);
    return { summary: { count: result.count } };
  },
});

/** `pipeline P/D`: an aggregation pipeline. */
export const pipeline = command({
  arguments: datasetArgument,
  options: {
    stages: option(z.string(), '<json>', 'a list of stages, such as [{ $match: {} }, { $limit: 10 }]'),
    ...readOptions,
    ...parameterOptions,
  },
  async run({ dataset, format, timeout: timeoutMs, stages, ...parameters }, cli) {
    const typed = { kind: 'pipeline', stages } as const;
    const bind = bindTyped({ stages }, parameters);
    refuseErrors(typed);
    const page = await withConnection(cli, async (session) => {
      const bound = await bind(() => serviceNow(session, dataset));
      const { client, connection, options } = session;
      const request = { connection, ...dataset, ...bound, timeoutMs };
      const advice = {
        definition: definitionOnce(dataset, session),
        ...fieldsFor(bound.stages, matchOfStages(bound.stages), dataset, session),
      };
      return withAdvice(typed, advice, cli, () => client.query.pipeline(request, options));
    });
    return writeComputed(cli, page, format);
  },
});
