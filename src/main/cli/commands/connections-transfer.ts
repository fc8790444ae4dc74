import type { Command } from 'commander';
import { readRegular } from '../../files/regular-file.ts';
import type { Cli } from '../context.ts';
import { parsePath } from '../options.ts';
import { chooseConnection, withApp } from '../session.ts';

/** `connections export [NAME]…`: profiles without secrets, on stdout. */
export function defineExport(command: Command, cli: Cli): void {
  command
    .description('write profiles, without secrets, to stdout')
    .argument('[names...]', 'default: all')
    .action(
      cli.run(async (names: string[]) => {
        const { text } = await withApp(cli, async (session) => {
          const connections: string[] = [];
          for (const name of names) connections.push(await chooseConnection(session, name));
          return session.client.connections.exportProfiles(
            connections.length > 0 ? { connections } : {},
            session.options,
          );
        });
        if (!cli.json) await cli.out.write(text);
        return { summary: { text } };
      }),
    );
}

/** `connections import FILE`: profiles that somebody exported; each still needs its secret. */
export function defineImport(command: Command, cli: Cli): void {
  command
    .description('save the profiles of a file; each needs its secret then')
    .argument('<file>')
    .action(
      cli.run(async (file: string) => {
        const text = (await readRegular(parsePath(file, 'file'), file)).toString('utf8');
        const { added, problems } = await withApp(cli, ({ client, options }) =>
          client.connections.importProfiles({ text }, options),
        );
        for (const problem of problems) cli.messages.say(problem);
        if (!cli.json) await cli.out.lines(added.map(({ name }) => name));
        return { summary: { added, problems } };
      }),
    );
}
