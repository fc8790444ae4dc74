import type { Command } from 'commander';
import * as z from 'zod';
import { aggregateRequest } from '../../../shared/query/query.ts';
import { refuseErrors } from '../../../shared/language/lint/request.ts';
import { withAdvice } from '../advice.ts';
import type { Cli } from '../context.ts';
import { definitionOnce } from '../definition-once.ts';
import { parseAddress, parseOptions, whole } from '../options.ts';
import { addParameterOptions, bindTyped, parameterOptions } from '../parameters.ts';
import { addReadOptions, checkRequest, readOptions, sortOrDefault } from '../reading.ts';
import { writeRecords } from '../records.ts';
import { withConnection } from '../session.ts';

const typedOptions = z.object({
  ...readOptions,
  ...parameterOptions,
  match: z.string(),
  sort: z.string().optional(),
  limit: whole,
  skip: whole,
  group: z.string().optional(),
  project: z.string().optional(),
});

/** `aggregate P/D`: the simple aggregation. */
export function define(command: Command, cli: Cli): void {
  command
    .argument('<dataset>', 'provider/dataset')
    .option('--match <json>', 'which records', '{}')
    .option('--sort <json>', 'in which order; default: the index field of the dataset, ascending')
    .option('--limit <n>', 'how many records at most, before grouping, 1 to 10000', '1000')
    .option('--skip <n>', 'how many to leave out first', '0')
    .option('--group <json>', '_id, and accumulators such as $max')
    .option('--project <json>', 'which fields of the results');
  addParameterOptions(addReadOptions(command)).action(
    cli.run(async (dataset: string, typed: unknown) => {
      const address = parseAddress(dataset);
      const { format, timeout: timeoutMs, ...asked } = parseOptions(typedOptions, typed);
      const { match, sort: wanted, group, project } = asked;
      const bound = bindTyped({ match, sort: wanted, group, project }, asked);
      const page = await withConnection(cli, async (session) => {
        const { client, connection, options } = session;
        const request = { connection, ...address, ...asked, ...bound, timeoutMs };
        const check = (): void => {
          checkRequest(aggregateRequest, request, { ...bound, sort: undefined });
          refuseErrors({ kind: 'aggregate', ...asked, sort: '{}' });
        };
        const definition = definitionOnce(address, session);
        const sort = await sortOrDefault({ sort: bound.sort, check }, definition, cli);
        const linted = { kind: 'aggregate', ...asked, sort: wanted ?? sort } as const;
        return withAdvice(linted, definition, cli, () =>
          client.query.aggregate({ ...request, sort }, options),
        );
      });
      await writeRecords(cli.out, page.records, format);
      return { summary: { count: page.count } };
    }),
  );
}
