import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { aborted } from '../../../shared/abort.ts';
import { invalidInput } from '../../../shared/errors/errors.ts';
import { takeLock, type Lock } from '../../core/files/lock.ts';
import { createQueue } from '../../core/queue.ts';
import { anyWindow } from '../../features/workspace/opened-items.ts';
import { parseArguments, readArgument, type StartedWith } from '../open-arguments.ts';
import { openAppWindow, type AppWindow } from './app-window.ts';
import { openInRunningApp, servingFolder } from './running-hosts.ts';
import { runServe, type Serving } from './serve.ts';

export interface AppOptions {
  /** 0: any free port. */
  readonly port: number;
  readonly dataFolder: string;
  readonly env: NodeJS.ProcessEnv;
  /** What this start is asked to open. */
  readonly start: StartedWith;
  /** Aborted by Ctrl-C. */
  readonly signal: AbortSignal;
  /** Prints the sign-in link, with whether a window is open. */
  readonly onLink: (url: string, isOpen: boolean) => Promise<void>;
}

/** How long another start may take to respond, or to end, in milliseconds. */
const otherStartMs = 20_000;
/** The longest that quitting waits for jobs to stop in order, in milliseconds. They survive it as they survive a kill. */
const maxQuitMs = 10_000;
/** How long the application stays without a window and without a job, in milliseconds. */
const maxIdleMs = 60_000;
const idlePollMs = 2000;

/**
 * Becomes the one application of a data folder, or hands over to the one that runs.
 * @returns the lock of the application; null: handed over
 */
async function becomeApp({ dataFolder, start, signal }: AppOptions): Promise<Lock | null> {
  const folder = servingFolder(dataFolder);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  for (const until = performance.now() + otherStartMs; performance.now() < until && !signal.aborted;) {
    const lock = takeLock(join(folder, 'app.lock'));
    if (lock) return lock;
    if (await openInRunningApp(dataFolder, start)) return null;
    // It is starting or ending.
    await sleep(200);
  }
  throw invalidInput('Wellbench is running, but doesn’t respond. End it, and start it again.');
}

/**
 * Runs the application in a window of a browser until the window is closed: one for each data folder. Another start hands
 * its files over and ends.
 * @param options where it runs, and what it opens
 * @returns when the window was closed, or the signal aborted
 * @throws AppError `invalid_input` when another one doesn't respond, or the window wasn't built; `file_unwritable`
 */
export async function runApp(options: AppOptions): Promise<void> {
  const { port, dataFolder, env, signal } = options;
  const lock = await becomeApp(options);
  if (!lock) return;
  const ended = Promise.withResolvers<void>();
  const folders = { link: servingFolder(dataFolder), profile: join(dataFolder, 'browser') };
  let window: AppWindow | null = null;
  // A start while the window opens must not open another one, whose link would revoke that of the first.
  const queue = createQueue();

  async function open(serving: Serving, { argv, cwd }: StartedWith): Promise<void> {
    const { files, openedItems } = serving.app;
    for (const argument of parseArguments(argv, cwd))
      openedItems.deliver(await readArgument(argument, files), anyWindow);
    await queue(() => showWindow(serving));
  }
  async function showWindow({ app, newLink, hasWindow }: Serving): Promise<void> {
    if (await window?.focus()) return;
    const url = newLink();
    const opened = await openAppWindow(url, folders, env);
    if (opened?.closed) void opened.closed.then(ended.resolve);
    // Nobody sees the end of a window that can't be followed.
    else if (opened && window === null)
      void waitUntilIdle(hasWindow, () => app.runner.activeJobs()).then(ended.resolve);
    window = opened;
    await options.onLink(url, opened !== null);
  }
  try {
    const starting = runServe({
      port,
      dataFolder,
      env,
      onOpen: async (start) => open(await starting, start),
    });
    const serving = await starting;
    // An error in one request must not end the application: jobs run in it.
    process.setUncaughtExceptionCaptureCallback(serving.fault);
    try {
      await open(serving, options.start);
      await Promise.race([aborted(signal), ended.promise]);
    } finally {
      process.setUncaughtExceptionCaptureCallback(null);
      const quit = async (): Promise<void> => {
        await window?.close();
        await serving.close();
      };
      await Promise.race([quit(), sleep(maxQuitMs, undefined, { ref: false })]);
    }
  } finally {
    lock.release();
  }
}

/** Resolves when there was no window for {@link maxIdleMs}, and no job. */
async function waitUntilIdle(hasWindow: () => boolean, activeJobs: () => number): Promise<void> {
  for (let idleMs = 0; idleMs < maxIdleMs; idleMs += idlePollMs) {
    await sleep(idlePollMs);
    if (hasWindow() || activeJobs() > 0) idleMs = 0;
  }
}
