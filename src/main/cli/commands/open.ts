import type { Command } from 'commander';
import type { Cli } from '../context.ts';

/** `open`: a new sign-in link to the browser host that uses this data folder. */
export function define(command: Command, cli: Cli): void {
  command.action(
    cli.run(async () => {
      const { requestNewLink } = await import('../../hosts/browser/running-hosts.ts');
      const url = await requestNewLink(cli.dataFolder);
      if (!cli.json) await cli.out.lines([url]);
      return { summary: { url } };
    }),
  );
}
