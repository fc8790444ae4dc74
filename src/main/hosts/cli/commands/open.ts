import { command } from '../command.ts';

/** `open`: a new sign-in link to the browser host that uses this data folder. */
export const open = command({
  arguments: {},
  options: {},
  async run(_values, cli) {
    const { requestNewLink } = await import('../../browser/running-hosts.ts');
    const url = await requestNewLink(cli.dataFolder);
    if (!cli.json) await cli.out.lines([url]);
    return { summary: { url } };
  },
});
