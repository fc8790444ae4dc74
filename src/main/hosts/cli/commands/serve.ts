import { createInterface } from 'node:readline';
import { aborted, onAbort } from '../../../../shared/abort.ts';
import { command } from '../command.ts';
import { portOption } from '../options.ts';

/** `serve`: the app in the browser on this computer, until it is interrupted. */
export const serve = command({
  arguments: {},
  options: {
    ...portOption('port to listen on, under a new subdomain of localhost at each start; 0: a free port'),
  },
  async run({ port }, cli) {
    const { runServe } = await import('../../browser/serve.ts');
    const { dataFolder, env, messages } = cli;
    const serving = await runServe({ port, dataFolder, env });
    // An error in one request must not end the server: jobs run in it.
    process.setUncaughtExceptionCaptureCallback(serving.fault);
    try {
      const printLink = () => cli.out.lines([JSON.stringify({ url: serving.newLink() })]);
      await printLink();
      if (await onEnter(() => void printLink(), cli.signal))
        messages.say('Press Enter for a new sign-in link, Ctrl-C to stop.');
      await aborted(cli.signal);
    } finally {
      await serving.close();
      process.setUncaughtExceptionCaptureCallback(null);
    }
    return {};
  },
});

/**
 * Calls `act` each time Enter is pressed in the terminal of this process, until the signal aborts.
 * @returns false if nobody can press it: stdin is closed, or the process runs in the background
 */
async function onEnter(act: () => void, signal: AbortSignal): Promise<boolean> {
  const { stdin } = process;
  const isTerminal = stdin.isTTY;
  if (isTerminal && !(await isInForeground())) return false;
  const lines = createInterface({ input: stdin, terminal: false });
  lines.on('line', act);
  // A closed terminal is no reason to end.
  stdin.on('error', () => lines.close());
  const watch = (): void => void isInForeground().then((is) => (is ? lines.resume() : lines.pause()));
  if (isTerminal && process.platform !== 'win32') process.on('SIGCONT', watch);
  const stop = (): void => {
    process.off('SIGCONT', watch);
    lines.close();
  };
  onAbort(signal, stop);
  return isTerminal;
}

/** The system stops a background process that reads the terminal (SIGTTIN). */
async function isInForeground(): Promise<boolean> {
  if (process.platform === 'win32') return true;
  const { execFile } = await import('node:child_process');
  return new Promise((resolve) => {
    execFile('ps', ['-o', 'stat=', '-p', String(process.pid)], (error, state) =>
      resolve(error === null && state.includes('+')),
    );
  });
}
