import { Option } from 'commander';
import type { Command } from 'commander';
import { connectionColor } from '../../../shared/connections.ts';
import type { Connection, ConnectionCheck } from '../../../shared/connections.ts';
import { invalidInput } from '../../../shared/errors.ts';
import type { Cli } from '../context.ts';
import { exitCodes } from '../exit-codes.ts';
import type { ExitCode } from '../exit-codes.ts';
import { chooseConnection, withApp } from '../session.ts';
import { tableLines } from '../table.ts';
import type { Column } from '../table.ts';

const columns: readonly Column<Connection>[] = [
  { name: 'name', of: ({ name }) => name },
  { name: 'data', of: ({ dataUrl }) => dataUrl },
  { name: 'platform', of: ({ platformUrl }) => platformUrl },
  { name: 'method', of: ({ method }) => method },
  { name: 'secret', of: ({ secret }) => secret },
];

/** The exit code of what went wrong; a missing permission or a wrong key before anything else. */
function exitCodeOfCheck({ data, platform }: ConnectionCheck): ExitCode {
  const codes = [data.code, platform.code].map((code) => (code === null ? 0 : exitCodes[code]));
  return codes.find((code) => code === 4) ?? codes.find((code) => code !== 0) ?? 0;
}

async function writeCheck(cli: Cli, check: ConnectionCheck): Promise<void> {
  const lines = Object.entries(check).map(
    ([service, { ok, ms, message }]) => `${service}: ${ok ? 'ok' : 'failed'} (${ms} ms). ${message}`,
  );
  await cli.out.lines(lines);
}

function defineList(command: Command, cli: Cli): void {
  command.description('those that can be used here').action(
    cli.run(async () => {
      const connections = await withApp(cli, ({ client, options }) => client.connections.list({}, options));
      if (!cli.json) await cli.out.lines(tableLines(columns, connections));
      return { summary: { connections } };
    }),
  );
}

function defineAdd(command: Command, cli: Cli): void {
  command
    .description('save one; its secret comes from stdin')
    .argument('<name>', 'a name of your own')
    .requiredOption('--data-url <url>', 'address of the data service')
    .requiredOption('--platform-url <url>', 'address of the platform service')
    .option('--email <email>', 'log in with this e-mail; the secret is then its password, else an API key')
    .addOption(new Option('--color <color>', 'to tell it by').choices(connectionColor.options))
    .option('--read-only', 'never insert records')
    .action(
      cli.run(async () => {
        // A secret may only be kept in the system's keychain, and this version has no access to one.
        throw invalidInput(
          'Connections can’t be saved from the command line yet, so nothing was saved. ' +
            'Set WELLBENCH_DATA_URL, WELLBENCH_PLATFORM_URL and WELLBENCH_API_KEY instead, ' +
            'or WELLBENCH_EMAIL with WELLBENCH_PASSWORD.',
        );
      }),
    );
}

function defineTest(command: Command, cli: Cli): void {
  command
    .description('reach both services with one')
    .argument('[name]', 'default: the one of --connection or of the environment')
    .action(
      cli.run(async (name: string | undefined) => {
        const check = await withApp(cli, async (session) => {
          const connection = await chooseConnection(session, name ?? cli.connection);
          return session.client.connections.test({ connection }, session.options);
        });
        if (!cli.json) await writeCheck(cli, check);
        return { summary: check, exitCode: exitCodeOfCheck(check) };
      }),
    );
}

function defineRemove(command: Command, cli: Cli): void {
  command
    .description('forget one, with its secret')
    .argument('<name>')
    .action(
      cli.run(async (name: string) => {
        await withApp(cli, async (session) => {
          const connection = await chooseConnection(session, name);
          const found = (await session.client.connections.list({}, session.options)).find(
            ({ id }) => id === connection,
          );
          if (found?.secret === 'environment')
            throw invalidInput(
              `“${name}” comes from the environment. Unset the WELLBENCH variables to be rid of it.`,
            );
          await session.client.connections.remove({ connection }, session.options);
        });
        return { summary: { removed: name } };
      }),
    );
}

/** `connections list|add|test|remove`. */
export function define(command: Command, cli: Cli): void {
  defineList(command.command('list'), cli);
  defineAdd(command.command('add'), cli);
  defineTest(command.command('test'), cli);
  defineRemove(command.command('remove'), cli);
}
