import type { Command } from 'commander';
import * as z from 'zod';
import type { Cli } from '../context.ts';
import { parseAddress, parseOptions, whole } from '../options.ts';
import { addReadOptions, readOptions, sortOrDefault } from '../reading.ts';
import { writeRecords } from '../records.ts';
import { withConnection } from '../session.ts';

const typedOptions = z.object({
  ...readOptions,
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
  addReadOptions(command).action(
    cli.run(async (dataset: string, typed: unknown) => {
      const address = parseAddress(dataset);
      const { format, timeout: timeoutMs, ...asked } = parseOptions(typedOptions, typed);
      const page = await withConnection(cli, async (session) => {
        const { client, connection, options } = session;
        const sort = await sortOrDefault(asked.sort, address, session, cli);
        return client.query.aggregate({ connection, ...address, ...asked, sort, timeoutMs }, options);
      });
      await writeRecords(cli.out, page.records, format);
      return { summary: { count: page.count } };
    }),
  );
}
