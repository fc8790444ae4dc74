import type { Command } from 'commander';
import type { Connection } from '../../../shared/connections/connections.ts';
import { invalidInput } from '../../../shared/errors/errors.ts';
import type { Cli } from '../context.ts';
import { chooseConnection, withApp } from '../session.ts';
import { tableLines } from '../table.ts';
import type { Column } from '../table.ts';
import { defineAdd, defineAuthenticate } from './connections-add.ts';
import { defineTest } from './connections-test.ts';
import { defineExport, defineImport } from './connections-transfer.ts';

const columns: readonly Column<Connection>[] = [
  { name: 'name', of: ({ name }) => name },
  { name: 'data', of: ({ dataUrl }) => dataUrl },
  { name: 'platform', of: ({ platformUrl }) => platformUrl },
  { name: 'method', of: ({ method }) => method },
  { name: 'secret', of: ({ secret }) => secret },
  { name: 'read-only', of: ({ readOnly }) => (readOnly ? 'yes' : '') },
];

function defineList(command: Command, cli: Cli): void {
  command.description('those that can be used here').action(
    cli.run(async () => {
      const connections = await withApp(cli, ({ client, options }) => client.connections.list({}, options));
      if (!cli.json) await cli.out.lines(tableLines(columns, connections));
      return { summary: { connections } };
    }),
  );
}

function defineRemove(command: Command, cli: Cli): void {
  command
    .description('forget one, with its secret')
    .argument('<name>')
    .option('--leave-secret', 'forget it although its secret can’t be removed from the keychain')
    .action(
      cli.run(async (name: string, { leaveSecret = false }: { leaveSecret?: boolean }) => {
        await withApp(cli, async (session) => {
          const connection = await chooseConnection(session, name);
          const found = (await session.client.connections.list({}, session.options)).find(
            ({ id }) => id === connection,
          );
          if (found?.secret === 'environment')
            throw invalidInput(
              `“${name}” comes from the environment. Unset the WELLBENCH variables to be rid of it.`,
            );
          await session.client.connections.remove({ connection, leaveSecret }, session.options);
        });
        return { summary: { removed: name } };
      }),
    );
}

/** `connections list|add|test|remove`, and what else is done with saved connections. */
export function define(command: Command, cli: Cli): void {
  defineList(command.command('list'), cli);
  defineAdd(command.command('add'), cli);
  defineTest(command.command('test'), cli);
  defineAuthenticate(command.command('authenticate'), cli);
  defineRemove(command.command('remove'), cli);
  defineExport(command.command('export'), cli);
  defineImport(command.command('import'), cli);
}
