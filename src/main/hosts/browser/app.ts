import * as z from 'zod';
import { mkdir, rm } from 'node:fs/promises';
import { join, delimiter } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { aborted } from '../../../shared/abort.ts';
import { invalidInput } from '../../../shared/errors/errors.ts';
import { takeLock, type Lock } from '../../core/files/lock.ts';
import { createQueue } from '../../core/queue.ts';
import { anyWindow } from '../../features/workspace/opened-items.ts';
import { parseArguments, readArgument, type StartedWith } from '../open-arguments.ts';
import { openInRunningApp, servingFolder } from './running-hosts.ts';
import { runServe, type Serving } from './serve.ts';
import { quitTimeout } from '../window-host.ts';
import { spawn, type ChildProcess } from 'node:child_process';
import { accessSync, constants, existsSync, realpathSync } from 'node:fs';
import { Readable, Writable } from 'node:stream';
import { pathToFileURL } from 'node:url';
import { writeWhole } from '../../core/files/disk.ts';
import { readOwnText } from '../../core/files/regular-file.ts';

const target = z.object({ targetId: z.string(), type: z.string() });
/** The messages that are used; the browser sends others. */
const message = z.union([
  z.object({ id: z.int(), error: z.object({ message: z.string() }).optional() }),
  z.object({ method: z.literal('Target.targetCreated'), params: z.object({ targetInfo: target }) }),
  z.object({ method: z.literal('Target.targetDestroyed'), params: z.object({ targetId: z.string() }) }),
]);

/** How long the browser may take for an answer, in milliseconds. */
const answerMs = 3000;
/** Longest message that is read, in characters; more is no message of a browser. */
const maxLength = 16_000_000;

/**
 * Follows the pages of a browser by its DevTools protocol: JSON messages that end with a zero byte, over two files that
 * only the browser and this process have.
 * @param input what the browser reads
 * @param output what the browser writes
 */
function followPages(input: Writable, output: Readable) {
  const pages = new Set<string>();
  const waiting = new Map<number, (isDone: boolean) => void>();
  const opened = Promise.withResolvers<void>();
  const closed = Promise.withResolvers<void>();
  let lastId = 0;

  function call(method: string, params: object = {}): Promise<boolean> {
    lastId += 1;
    const id = lastId;
    return new Promise((resolve) => {
      const settle = (isDone: boolean): void => {
        clearTimeout(timer);
        waiting.delete(id);
        resolve(isDone);
      };
      const timer = setTimeout(() => settle(false), answerMs);
      waiting.set(id, settle);
      if (input.writable) input.write(`${JSON.stringify({ id, method, params })}\0`);
      else settle(false);
    });
  }

  function receive(text: string): void {
    const { data } = message.safeParse(JSON.parse(text));
    if (!data) return;
    if ('id' in data) return waiting.get(data.id)?.(data.error === undefined);
    if (data.method === 'Target.targetCreated') {
      const { targetId, type } = data.params.targetInfo;
      if (type !== 'page') return undefined;
      pages.add(targetId);
      return opened.resolve();
    }
    if (pages.delete(data.params.targetId) && pages.size === 0) closed.resolve();
    return undefined;
  }

  let rest = '';
  output.setEncoding('utf8').on('data', (part: string) => {
    const parts = (rest + part).split('\0');
    rest = parts.pop() ?? '';
    try {
      if (rest.length > maxLength) throw new Error('too long');
      parts.forEach(receive);
    } catch {
      output.destroy();
    }
  });
  for (const stream of [input, output]) stream.on('error', () => undefined);
  output.once('end', closed.resolve);
  void call('Target.setDiscoverTargets', { discover: true });
  return {
    /** Resolves when the first page is open. */
    opened: opened.promise,
    /** Resolves when the last page is closed, or the browser has ended. */
    closed: closed.promise,
    /** Brings the newest page to the front. @returns false if the browser doesn't do it */
    async focus(): Promise<boolean> {
      const targetId = [...pages].at(-1);
      return targetId !== undefined && call('Target.activateTarget', { targetId });
    },
    /** Asks the browser to end, without questions. Never rejects. */
    async closeBrowser(): Promise<void> {
      await call('Browser.close');
    },
  };
}

type Env = NodeJS.ProcessEnv;

export interface AppWindow {
  /** Resolves when its last page is closed; null: the browser can't be followed. */
  readonly closed: Promise<void> | null;
  /** Brings it to the front. @returns false if that isn't possible */
  focus(): Promise<boolean>;
  /** Closes it, if it can be followed. */
  close(): Promise<void>;
}

function programs(env: Env): string[] {
  const under = (folders: (string | undefined)[], tails: string[]): string[] =>
    folders.flatMap((folder) => (folder ? tails.map((tail) => join(folder, tail)) : []));
  if (process.platform === 'win32')
    return under(
      [env['ProgramFiles'], env['ProgramFiles(x86)'], env['LOCALAPPDATA']],
      ['Google/Chrome/Application/chrome.exe', 'Microsoft/Edge/Application/msedge.exe'],
    );
  if (process.platform === 'darwin')
    return [
      '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
      '/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge',
      '/Applications/Chromium.app/Contents/MacOS/Chromium',
    ];
  return under((env['PATH'] ?? '').split(delimiter), [
    'google-chrome',
    'google-chrome-stable',
    'microsoft-edge',
    'microsoft-edge-stable',
    'chromium',
    'chromium-browser',
  ]);
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    // A snap can't read the data folder, which is hidden.
    return !/\/snap(\/|$)/.test(realpathSync(path));
  } catch {
    return false;
  }
}

function hasScreen(env: Env): boolean {
  const isDesktop = process.platform === 'win32' || process.platform === 'darwin';
  return isDesktop || Boolean(env['DISPLAY'] || env['WAYLAND_DISPLAY']);
}

/** How long a browser may take to start and read the file that leads it to us, in milliseconds. */
const redirectMs = 30_000;
/** How long a program may take to fail, or to hand its window over to one that runs, in milliseconds. */
const startMs = 1500;
/** How long a start waits for the page of a browser that is followed, in milliseconds. */
const pageMs = 15_000;
/** How long a browser may take to end, in milliseconds. */
const endMs = 1500;

/** The environment without our own variables, which may have credentials. */
const browserEnv = (env: Env): Env =>
  Object.fromEntries(Object.entries(env).filter(([name]) => !name.startsWith('WELLBENCH_')));

const exitCode = (child: ChildProcess): Promise<number> =>
  new Promise((resolve) => {
    child.once('error', () => resolve(127));
    child.once('exit', (code) => resolve(code ?? 1));
  });

/** Resolves with null after a time, which doesn't keep this process running. */
const after = (ms: number): Promise<null> => sleep(ms, null, { ref: false });

/** A window that can't be followed. */
const unfollowed: AppWindow = { closed: null, focus: async () => false, close: async () => undefined };

/** Starts a browser that is opened once and never followed. @returns null if it failed at once */
async function startUnfollowed(
  program: string,
  args: readonly string[],
  env: Env,
): Promise<AppWindow | null> {
  const child = spawn(program, args, { detached: true, stdio: 'ignore', env: browserEnv(env) });
  child.unref();
  const code = await Promise.race([exitCode(child), after(startMs)]);
  if (code !== null && code !== 0) return null;
  return unfollowed;
}

/** Starts a browser with a profile of its own, so that it can be followed and ends with its last window. */
async function startFollowed(
  program: string,
  page: string,
  profile: string,
  env: Env,
): Promise<AppWindow | null> {
  const args = [
    `--app=${page}`,
    `--user-data-dir=${profile}`,
    // What desktops group windows by, and find the icon by.
    '--class=wellbench',
    // Later starts use the last size and position.
    ...(existsSync(profile) ? [] : ['--window-size=1280,800']),
    '--no-first-run',
    '--no-default-browser-check',
    '--disable-background-mode',
    // By inherited files, which no other process can reach.
    '--remote-debugging-pipe',
  ];
  const stdio = ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'] as const;
  const child = spawn(program, args, { detached: true, stdio: [...stdio], env: browserEnv(env) });
  const [, , , input, output] = child.stdio;
  const pages = input instanceof Writable && output instanceof Readable ? followPages(input, output) : null;
  const ended = exitCode(child);
  const opened = pages ? pages.opened.then(() => null) : after(startMs);
  const code = await Promise.race([ended, opened, after(pageMs)]);
  if (code !== null && code !== 0) return null;
  // A browser that already runs on this profile took the window over.
  if (code === 0 || pages === null) return unfollowed;
  return {
    closed: Promise.race([ended.then(() => undefined), pages.closed]),
    focus: pages.focus,
    async close() {
      await pages.closeBrowser();
      await Promise.race([ended, after(endMs)]);
    },
  };
}

/** The program that opens a file in the default browser, and its arguments before the file. */
const defaultBrowser: Readonly<Record<string, readonly [string, ...string[]]>> = {
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
  darwin: ['open'],
};

/**
 * Opens a sign-in link in an app window of an installed Chrome, Edge, or Chromium, else in the default browser. All users
 * can see the arguments of a program, so the browser gets the link in a file that only this user can read, removed soon
 * after.
 * @param folders of that file, and of the profile of the app window
 * @returns null without a browser or a screen, or if the browser ended at once
 * @throws Error of the file system if the link can’t be written
 */
export async function openAppWindow(
  link: string,
  folders: { readonly link: string; readonly profile: string },
  env: Env,
): Promise<AppWindow | null> {
  if (!hasScreen(env)) return null;
  await mkdir(folders.link, { recursive: true, mode: 0o700 });
  // A fixed name: the file of a killed process is replaced at the next start.
  const path = join(folders.link, 'open.html');
  const content = `<!doctype html><meta http-equiv="refresh" content="0; url=${link}">\n`;
  // A later window may have replaced the file by its own.
  const remove = async (): Promise<void> => {
    const current = await readOwnText(path, 'open.html').catch(() => null);
    if (current === content) await rm(path, { force: true }).catch(() => undefined);
  };
  await writeWhole(path, content);
  setTimeout(() => void remove(), redirectMs).unref();
  const program = programs(env).find(isProgram);
  const page = pathToFileURL(path).href;
  const [opener, ...args] = defaultBrowser[process.platform] ?? ['xdg-open'];
  const window =
    (program ? await startFollowed(program, page, folders.profile, env) : null) ??
    (await startUnfollowed(opener, [...args, path], env));
  if (!window) {
    await remove();
    return null;
  }
  return {
    ...window,
    async close() {
      await remove();
      await window.close();
    },
  };
}

export interface AppOptions {
  /** 0: a port that is free. */
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
    else if (opened && window === null) void waitUntilIdle(hasWindow, app.activeJobs).then(ended.resolve);
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
      await Promise.race([quit(), quitTimeout()]);
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
