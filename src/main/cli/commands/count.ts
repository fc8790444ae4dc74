import type { Command } from 'commander';
import * as z from 'zod';
import { withAdvice } from '../advice.ts';
import type { Cli } from '../context.ts';
import { definitionOnce } from '../definition-once.ts';
import { parseAddress, parseOptions } from '../options.ts';
import { addParameterOptions, bindTyped, parameterOptions } from '../parameters.ts';
import { readOptions } from '../reading.ts';
import { withConnection } from '../session.ts';

const typedOptions = z.object({ ...parameterOptions, query: z.string(), timeout: readOptions.timeout });

/** `count P/D`: how many records match. */
export function define(command: Command, cli: Cli): void {
  addParameterOptions(
    command
      .argument('<dataset>', 'provider/dataset')
      .option('--query <json>', 'which records', '{}')
      .option('--timeout <seconds>', 'how long to wait for the answer (60)'),
  ).action(
    cli.run(async (dataset: string, typed: unknown) => {
      const address = parseAddress(dataset);
      const { query, timeout: timeoutMs, ...given } = parseOptions(typedOptions, typed);
      const bound = bindTyped({ query }, given);
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
