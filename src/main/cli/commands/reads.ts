import type { Command } from 'commander';
import * as z from 'zod';
import { findRequest, aggregateRequest, type RecordPage } from '../../../shared/query/query.ts';
import { refuseErrors } from '../../../shared/language/lint/request.ts';
import {
  withAdvice,
  definitionOnce,
  addReadOptions,
  checkRequest,
  readOptions,
  sortOrDefault,
} from '../reading.ts';
import type { Cli } from '../context.ts';
import { gather, parseAddress, parseOptions, several, whole } from '../options.ts';
import { addParameterOptions, bindTyped, parameterOptions } from '../parameters.ts';
import { writeRecords, type RecordFormat } from '../records.ts';
import { withConnection } from '../session.ts';

const defaultLimit = 1000;

const findOptions = z.object({
  ...readOptions,
  ...parameterOptions,
  query: z.string(),
  sort: z.string().optional(),
  limit: whole,
  skip: whole,
  fields: several.optional(),
  total: z.boolean().default(false),
});

/** `find P/D`: one read, up to 10,000 records. */
export function find(command: Command, cli: Cli): void {
  command
    .argument('<dataset>', 'provider/dataset')
    .option('--query <json>', 'which records', '{}')
    .option('--sort <json>', 'sort; default: the dataset’s index field, ascending')
    .option('--limit <n>', 'maximum number of records, 1 to 10000', String(defaultLimit))
    .option('--skip <n>', 'number of records to skip', '0')
    .option('--fields <a,b>', 'fields; default: all', gather)
    .option('--total', 'count all matching records');
  addParameterOptions(addReadOptions(command)).action(
    cli.run(async (dataset: string, typed: unknown) => {
      const address = parseAddress(dataset);
      const {
        format,
        timeout: timeoutMs,
        total: includeCount,
        ...readOptions
      } = parseOptions(findOptions, typed);
      const { query, sort: wanted } = readOptions;
      const bound = bindTyped({ query, sort: wanted }, readOptions);
      const page = await withConnection(cli, async (session) => {
        const { client, connection, options } = session;
        const request = { connection, ...address, ...readOptions, ...bound, includeCount, timeoutMs };
        const check = (): void => {
          checkRequest(findRequest, request, { query: bound.query });
          refuseErrors({ kind: 'find', ...readOptions, sort: '{}' });
        };
        const definition = definitionOnce(address, session);
        const sort = await sortOrDefault({ sort: bound.sort, check }, definition, cli);
        const linted = { kind: 'find', ...readOptions, sort: wanted ?? sort } as const;
        return withAdvice(linted, definition, cli, () => client.query.find({ ...request, sort }, options));
      });
      await writeRecords(cli.out, page.records, format, readOptions.fields);
      return { summary: { count: page.count, total: page.total } };
    }),
  );
}

const aggregateOptions = z.object({
  ...readOptions,
  ...parameterOptions,
  match: z.string(),
  sort: z.string().optional(),
  limit: whole.optional(),
  skip: whole,
  group: z.string().optional(),
  project: z.string().optional(),
});

/** `aggregate P/D`: the simple aggregation. */
export function aggregate(command: Command, cli: Cli): void {
  command
    .argument('<dataset>', 'provider/dataset')
    .option('--match <json>', 'which records', '{}')
    .option('--sort <json>', 'sort; default: the dataset’s index field, ascending')
    .option(
      '--limit <n>',
      'maximum number of records before grouping, 1 to 10000; default: none with --group, otherwise 1000',
    )
    .option('--skip <n>', 'number of records to skip', '0')
    .option('--group <json>', '_id, and accumulators such as $max')
    .option('--project <json>', 'fields of the results');
  addParameterOptions(addReadOptions(command)).action(
    cli.run(async (dataset: string, typed: unknown) => {
      const address = parseAddress(dataset);
      const { format, timeout: timeoutMs, ...readOptions } = parseOptions(aggregateOptions, typed);
      const { match, sort: wanted, group, project } = readOptions;
      // A limit that nobody set must not limit what is grouped.
      const limit = readOptions.limit ?? (group === undefined ? defaultLimit : undefined);
      const bound = bindTyped({ match, sort: wanted, group, project }, readOptions);
      const page = await withConnection(cli, async (session) => {
        const { client, connection, options } = session;
        const request = { connection, ...address, ...readOptions, limit, ...bound, timeoutMs };
        const check = (): void => {
          checkRequest(aggregateRequest, request, { ...bound, sort: undefined });
          refuseErrors({ kind: 'aggregate', ...readOptions, limit, sort: '{}' });
        };
        const definition = definitionOnce(address, session);
        // Without a limit, an order would only cost time.
        const setSort = bound.sort ?? (limit === undefined ? '{}' : undefined);
        const sort = await sortOrDefault({ sort: setSort, check }, definition, cli);
        const linted = { kind: 'aggregate', ...readOptions, limit, sort: wanted ?? sort } as const;
        return withAdvice(linted, definition, cli, () =>
          client.query.aggregate({ ...request, sort }, options),
        );
      });
      await writeComputed(cli, page, format);
      return { summary: summaryOf(page) };
    }),
  );
}

/** Writes computed results, and says on stderr if they are computed from a part of the records. */
async function writeComputed(cli: Cli, page: RecordPage, format: RecordFormat): Promise<void> {
  if (page.computedFrom !== undefined)
    cli.messages.say(`Warning: The results are computed from ${page.computedFrom}.`);
  await writeRecords(cli.out, page.records, format);
}

const summaryOf = ({ count, computedFrom }: RecordPage) => ({
  count,
  ...(computedFrom === undefined ? {} : { computedFrom }),
});

const countOptions = z.object({ ...parameterOptions, query: z.string(), timeout: readOptions.timeout });

/** `count P/D`: the number of matching records. */
export function count(command: Command, cli: Cli): void {
  addParameterOptions(
    command
      .argument('<dataset>', 'provider/dataset')
      .option('--query <json>', 'which records', '{}')
      .option('--timeout <seconds>', 'timeout in seconds; default: 60'),
  ).action(
    cli.run(async (dataset: string, typed: unknown) => {
      const address = parseAddress(dataset);
      const { query, timeout: timeoutMs, ...readOptions } = parseOptions(countOptions, typed);
      const bound = bindTyped({ query }, readOptions);
      const { count } = await withConnection(cli, (session) => {
        const { client, connection, options } = session;
        const request = { connection, ...address, ...bound, timeoutMs };
        return withAdvice({ kind: 'count', query }, definitionOnce(address, session), cli, () =>
          client.query.count(request, options),
        );
      });
      await cli.out.lines([String(count)]);
      return { summary: { count } };
    }),
  );
}

const pipelineOptions = z.object({ ...readOptions, ...parameterOptions, stages: z.string() });

/** `pipeline P/D`: an aggregation pipeline. */
export function pipeline(command: Command, cli: Cli): void {
  command
    .argument('<dataset>', 'provider/dataset')
    .requiredOption('--stages <json>', 'a list of stages, such as [{ $match: {} }, { $limit: 10 }]');
  addParameterOptions(addReadOptions(command)).action(
    cli.run(async (dataset: string, typed: unknown) => {
      const address = parseAddress(dataset);
      const { format, timeout: timeoutMs, stages, ...readOptions } = parseOptions(pipelineOptions, typed);
      const bound = bindTyped({ stages }, readOptions);
      const page = await withConnection(cli, (session) => {
        const { client, connection, options } = session;
        const request = { connection, ...address, ...bound, timeoutMs };
        return withAdvice({ kind: 'pipeline', stages }, definitionOnce(address, session), cli, () =>
          client.query.pipeline(request, options),
        );
      });
      await writeComputed(cli, page, format);
      return { summary: summaryOf(page) };
    }),
  );
}
