// This file runs under old versions of Node: use only their features, and import only built-in modules.
import { fileURLToPath } from 'node:url';

/** The oldest Node that the libraries support. */
const oldest = { major: 22, minor: 19 };

/** Tells a process that it replaces one under an older Node, and must end with it. */
const marker = 'WELLBENCH_IN_PLACE_OF_OLDER_NODE';

/** Whether a version of Node, such as `20.20.2`, is too old for the libraries. */
export function isTooOld(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major < oldest.major || (major === oldest.major && minor < oldest.minor);
}

/** The Node of the lockfile, only from the project's own `node_modules`. */
async function pinnedNode(entry: string): Promise<string | undefined> {
  const { existsSync } = await import('node:fs');
  const modules = new URL('../../node_modules/', entry);
  const program = process.platform === 'win32' ? 'bin/node.exe' : 'bin/node';
  const packagedNode = `node-${process.platform}-${process.arch}/${program}`;
  // On Windows the file in .bin is a shell script, not a program.
  const places = process.platform === 'win32' ? [packagedNode] : [packagedNode, '.bin/node'];
  return places.map((place) => fileURLToPath(new URL(place, modules))).find((path) => existsSync(path));
}

/** Prints which Node is needed. Returns the exit code. */
function refuse(reason: string): number {
  const message = `Wellbench needs Node ${oldest.major}.${oldest.minor} or newer; ${reason}. Install Node 24 and retry.`;
  const body = { code: 'invalid_input', message, details: { issues: [{ message }] } };
  process.stderr.write(`${process.argv.includes('--json') ? JSON.stringify(body) : message}\n`);
  return 2;
}

/**
 * Runs the same command under the project's pinned Node, with this process's input and output; signals are passed on.
 * @param entry URL of the entry file, two folders below the project's root
 * @returns the exit code
 */
export async function runUnderPinnedNode(entry: string): Promise<number> {
  const here = `this is ${process.versions.node}`;
  const program = process.env[marker] === undefined ? await pinnedNode(entry) : undefined;
  if (program === undefined) return refuse(`${here}, and the project has none for this system`);
  // Imported here because every other start would pay for it.
  const [{ spawn }, { constants }] = await Promise.all([import('node:child_process'), import('node:os')]);
  const child = spawn(
    program,
    [...process.execArgv, fileURLToPath(entry), ...process.argv.slice(2)],
    // The channel carries no messages: it closes when this process ends for any reason.
    { stdio: ['inherit', 'inherit', 'inherit', 'ipc'], env: { ...process.env, [marker]: '1' } },
  );
  const signals: NodeJS.Signals[] = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT'];
  const forward = (signal: NodeJS.Signals): void => {
    // On Windows kill() would end the child at once, and the console has already informed it.
    if (process.platform !== 'win32') child.kill(signal);
  };
  for (const signal of signals) process.on(signal, forward);
  return new Promise((resolve) => {
    child.once('error', (error) =>
      resolve(refuse(`${here}, and the project’s own can’t be started: ${error.message}`)),
    );
    child.once('exit', (code, signal) => {
      for (const forwarded of signals) process.off(forwarded, forward);
      if (signal === null) return resolve(code ?? 1);
      // Ended by a signal: end in the same way, so that the parent process sees it.
      process.kill(process.pid, signal);
      return resolve(128 + constants.signals[signal]);
    });
  });
}

/** In a process started by {@link runUnderPinnedNode}: ends at once with its parent, for any reason. */
export function dieWithParent(): void {
  if (process.env[marker] === undefined) return;
  delete process.env[marker];
  const end = (): void => {
    process.kill(process.pid, 'SIGKILL');
  };
  if (!process.connected) return end();
  process.once('disconnect', end);
  // The channel must not keep this process running.
  process.channel?.unref();
}
