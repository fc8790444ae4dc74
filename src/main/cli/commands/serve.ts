import type { Command } from 'commander';
import * as z from 'zod';
import type { Cli } from '../context.ts';
import { onEnter } from '../enter-key.ts';
import { parseOptions, whole } from '../options.ts';
import { untilStopped } from '../until-stopped.ts';

const typedOptions = z.object({
  port: whole.pipe(z.int().min(0).max(65_535)),
  open: z.boolean().default(false),
});

/** `serve`: the app in the browser of this machine, until it is stopped. */
export function define(command: Command, cli: Cli): void {
  command
    .option('--port <n>', 'port to listen on; 0: any free one', '0')
    .option('--open', 'open a window of an installed Chrome, Edge or Chromium')
    .action(
      cli.run(async (typed: unknown) => {
        const { port, open } = parseOptions(typedOptions, typed);
        const { runServe } = await import('../../hosts/browser/serve.ts');
        const { dataFolder, env, messages } = cli;
        const serving = await runServe({ port, open, dataFolder, env });
        // A fault in one request must not end the server: jobs run in it.
        process.setUncaughtExceptionCaptureCallback(serving.fault);
        try {
          await cli.out.lines([JSON.stringify({ url: serving.url })]);
          if (open && !serving.opened)
            messages.say('No window could be opened. Open the address above in a browser.');
          const printLink = (): void => void cli.out.lines([JSON.stringify({ url: serving.newLink() })]);
          if (await onEnter(printLink, cli.signal))
            messages.say('Press Enter for a new sign-in link, Ctrl-C to stop.');
          await untilStopped(cli.signal);
        } finally {
          await serving.close();
          process.setUncaughtExceptionCaptureCallback(null);
        }
        return {};
      }),
    );
}
