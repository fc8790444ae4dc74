import type { Command } from 'commander';
import * as z from 'zod';
import { withAdvice } from '../advice.ts';
import type { Cli } from '../context.ts';
import { parseAddress, parseOptions } from '../options.ts';
import { addReadOptions, readOptions } from '../reading.ts';
import { writeRecords } from '../records.ts';
import { withConnection } from '../session.ts';

const typedOptions = z.object({ ...readOptions, stages: z.string() });

/** `pipeline P/D`: an aggregation pipeline. */
export function define(command: Command, cli: Cli): void {
  command
    .argument('<dataset>', 'provider/dataset')
    .requiredOption('--stages <json>', 'a list of stages, such as [{ $match: {} }, { $limit: 10 }]');
  addReadOptions(command).action(
    cli.run(async (dataset: string, typed: unknown) => {
      const address = parseAddress(dataset);
      const { format, timeout: timeoutMs, stages } = parseOptions(typedOptions, typed);
      const page = await withConnection(cli, (session) => {
        const { client, connection, options } = session;
        const request = { connection, ...address, stages, timeoutMs };
        return withAdvice({ kind: 'pipeline', stages }, address, session, cli, () =>
          client.query.pipeline(request, options),
        );
      });
      await writeRecords(cli.out, page.records, format);
      return { summary: { count: page.count } };
    }),
  );
}
