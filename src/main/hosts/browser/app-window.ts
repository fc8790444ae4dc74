import { spawn } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { writeWhole } from '../../core/files/disk.ts';

type Env = NodeJS.ProcessEnv;

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
    return true;
  } catch {
    return false;
  }
}

/** Whether there is a screen to open a window on. */
function hasScreen(env: Env): boolean {
  const hasOwnScreen = process.platform === 'win32' || process.platform === 'darwin';
  return hasOwnScreen || Boolean(env['DISPLAY'] ?? env['WAYLAND_DISPLAY']);
}

/** How long a browser may take to start and read the file that leads it to us, in milliseconds. */
const redirectMs = 30_000;

/**
 * Opens a sign-in link in an app window of an installed Chrome, Edge, or Chromium. All users can see the
 * arguments of a program, so the browser gets the link in a file that only this user can read, removed soon
 * after.
 * @param folder folder of that file
 * @returns false without a browser or a screen, or if the browser ended at once; the link is then printed
 */
export async function openAppWindow(link: string, folder: string, env: Env): Promise<boolean> {
  const program = hasScreen(env) ? programs(env).find(isProgram) : undefined;
  if (!program) return false;
  await mkdir(folder, { recursive: true, mode: 0o700 });
  // A fixed name: the file of a killed process is replaced at the next start.
  const path = join(folder, 'open.html');
  const remove = (): void => void rm(path, { force: true }).catch(() => undefined);
  await writeWhole(path, `<!doctype html><meta http-equiv="refresh" content="0; url=${link}">\n`);
  const args = [`--app=${pathToFileURL(path).href}`, '--no-first-run'];
  const child = spawn(program, args, { detached: true, stdio: 'ignore' });
  child.unref();
  setTimeout(remove, redirectMs).unref();
  // A browser that already runs takes the window over and this process ends well; one that can't start ends badly.
  const hasOpened = await new Promise<boolean>((resolve) => {
    const settle = setTimeout(() => resolve(true), 1500);
    child.once('error', () => resolve(false));
    child.once('exit', (code) => {
      clearTimeout(settle);
      resolve(code === 0);
    });
  });
  if (!hasOpened) remove();
  return hasOpened;
}
