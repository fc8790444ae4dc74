import * as z from 'zod';
import type { RecordPage } from '../../../../shared/query/query.ts';
import { refuseErrors } from '../../../../shared/language/lint/request.ts';
import {
  withAdvice,
  definitionOnce,
  fieldsFor,
  matchOfStages,
  readOptions,
  sortOrDefault,
  timeoutOption,
} from '../reading.ts';
import { command, flag, option } from '../command.ts';
import type { Cli } from '../context.ts';
import { datasetArgument, fieldsOption, queryOption, sortOption, whole } from '../options.ts';
import { bindTyped, parameterOptions } from '../parameters.ts';
import { writeRecords, type RecordFormat } from '../records.ts';
import { serviceNow, withConnection } from '../session.ts';

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
