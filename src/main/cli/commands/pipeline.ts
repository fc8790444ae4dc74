import type { Command } from 'commander';
import * as z from 'zod';
import { withAdvice } from '../advice.ts';
import type { Cli } from '../context.ts';
import { definitionOnce } from '../definition-once.ts';
import { parseAddress, parseOptions } from '../options.ts';
import { addParameterOptions, bindTyped, parameterOptions } from '../parameters.ts';
import { addReadOptions, readOptions } from '../reading.ts';
import { writeRecords } from '../records.ts';
import { withConnection } from '../session.ts';

const typedOptions = z.object({ ...readOptions, ...parameterOptions, stages: z.string() });

/** `pipeline P/D`: an aggregation pipeline. */
export function define(command: Command, cli: Cli): void {
  command
    .argument('<dataset>', 'provider/dataset')
    .requiredOption('--stages <json>', 'a list of stages, such as [{ $match: {} }, { $limit: 10 }]');
  addParameterOptions(addReadOptions(command)).action(
    cli.run(async (dataset: string, typed: unknown) => {
      const address = parseAddress(dataset);
      const { format, timeout: timeoutMs, stages, ...given } = parseOptions(typedOptions, typed);
      const bound = bindTyped({ stages }, given);
      const page = await withConnection(cli, (session) => {
        const { client, connection, options } = session;
        const request = { connection, ...address, ...bound, timeoutMs };
        return withAdvice({ kind: 'pipeline', stages }, definitionOnce(address, session), cli, () =>
          client.query.pipeline(request, options),
        );
      });
      await writeRecords(cli.out, page.records, format);
      return { summary: { count: page.count } };
    }),
  );
}
