import type { Command } from 'commander';
import type { Cli } from '../context.ts';
import { definitionOf } from '../definition.ts';
import { parseAddress } from '../options.ts';
import { withConnection } from '../session.ts';

/** `dataset P/D`: one definition, as JSON. */
export function define(command: Command, cli: Cli): void {
  command.argument('<dataset>', 'provider/dataset').action(
    cli.run(async (dataset: string) => {
      const address = parseAddress(dataset);
      const found = await withConnection(cli, ({ client, connection, options }) =>
        client.datasets.get({ connection, ...address }, options),
      );
      await cli.out.lines([JSON.stringify(definitionOf(found), null, 2)]);
      return { summary: { count: 1 } };
    }),
  );
}
