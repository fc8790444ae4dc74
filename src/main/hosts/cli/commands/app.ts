import * as z from 'zod';
import { command, option } from '../command.ts';
import { portOption } from '../options.ts';

/** `app`: the app in a window of a browser on this computer, until the window is closed. */
export const app = command({
  arguments: {
    files: option(
      z.array(z.string()).default([]),
      '[files...]',
      '.wellbench, .csv, and .las files to open; others are ignored',
    ),
  },
  options: { ...portOption('port to listen on; 0: a free port') },
  async run({ files, port }, { dataFolder, env, signal, out, messages }) {
    const { runApp } = await import('../../browser/app.ts');
    await runApp({
      port,
      dataFolder,
      env,
      signal,
      start: { argv: files, cwd: process.cwd() },
      async onLink(url, isOpen) {
        await out.lines([JSON.stringify({ url })]);
        messages.say(
          isOpen
            ? 'Wellbench is open in a window. Close it or press Ctrl-C to quit.'
            : 'Couldn’t open a window. Open the address above in a browser; press Ctrl-C to quit.',
        );
      },
    });
    return {};
  },
});
