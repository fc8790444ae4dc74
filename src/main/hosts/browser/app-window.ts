import { spawn, type ChildProcess } from 'node:child_process';
import { accessSync, constants, existsSync, realpathSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { writeWhole } from '../../core/files/disk.ts';
import { readOwnText } from '../../core/files/regular-file.ts';
import { followPages, type Pages } from './browser-pipe.ts';

type Env = NodeJS.ProcessEnv;

/** The window that was opened. */
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
  const pages: Pages | null =
    input instanceof Writable && output instanceof Readable ? followPages(input, output) : null;
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
  linux: ['xdg-open'],
};

/**
 * Opens a sign-in link in an app window of an installed Chrome, Edge, or Chromium, else in the default browser. All users
 * can see the arguments of a program, so the browser gets the link in a file that only this user can read, removed soon
 * after.
 * @param link the sign-in link
 * @param folders of that file, and of the profile of the app window
 * @param env the environment of the application
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
