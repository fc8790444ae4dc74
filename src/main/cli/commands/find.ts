import type { Command } from 'commander';
import * as z from 'zod';
import { findRequest } from '../../../shared/query/query.ts';
import { refuseErrors } from '../../../shared/language/lint/request.ts';
import { withAdvice } from '../advice.ts';
import type { Cli } from '../context.ts';
import { definitionOnce } from '../definition-once.ts';
import { gather, parseAddress, parseOptions, several, whole } from '../options.ts';
import { addParameterOptions, bindTyped, parameterOptions } from '../parameters.ts';
import { addReadOptions, checkRequest, readOptions, sortOrDefault } from '../reading.ts';
import { writeRecords } from '../records.ts';
import { withConnection } from '../session.ts';

const typedOptions = z.object({
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
export function define(command: Command, cli: Cli): void {
  command
    .argument('<dataset>', 'provider/dataset')
    .option('--query <json>', 'which records', '{}')
    .option('--sort <json>', 'in which order; default: the index field of the dataset, ascending')
    .option('--limit <n>', 'how many at most, 1 to 10000', '1000')
    .option('--skip <n>', 'how many to leave out first', '0')
    .option('--fields <a,b>', 'which fields; default: all', gather)
    .option('--total', 'ask how many match in all');
  addParameterOptions(addReadOptions(command)).action(
    cli.run(async (dataset: string, typed: unknown) => {
      const address = parseAddress(dataset);
      const { format, timeout: timeoutMs, total: includeCount, ...asked } = parseOptions(typedOptions, typed);
      const { query, sort: wanted } = asked;
      const bound = bindTyped({ query, sort: wanted }, asked);
      const page = await withConnection(cli, async (session) => {
        const { client, connection, options } = session;
        const request = { connection, ...address, ...asked, ...bound, includeCount, timeoutMs };
        const check = (): void => {
          checkRequest(findRequest, request, { query: bound.query });
          refuseErrors({ kind: 'find', ...asked, sort: '{}' });
        };
        const definition = definitionOnce(address, session);
        const sort = await sortOrDefault({ sort: bound.sort, check }, definition, cli);
        const linted = { kind: 'find', ...asked, sort: wanted ?? sort } as const;
        return withAdvice(linted, definition, cli, () => client.query.find({ ...request, sort }, options));
      });
      await writeRecords(cli.out, page.records, format, asked.fields);
      return { summary: { count: page.count, total: page.total } };
    }),
  );
}
