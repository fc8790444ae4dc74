import { spawn } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

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
  const elsewhere = process.platform === 'win32' || process.platform === 'darwin';
  return elsewhere || Boolean(env['DISPLAY'] ?? env['WAYLAND_DISPLAY']);
}

/**
 * Opens an address in an app window of an installed Chrome, Edge or Chromium.
 * @returns false when there is none, or no screen, or it ended at once: the address is then to be printed
 */
export async function openAppWindow(url: string, env: Env): Promise<boolean> {
  const program = hasScreen(env) ? programs(env).find(isProgram) : undefined;
  if (!program) return false;
  const child = spawn(program, [`--app=${url}`, '--no-first-run'], { detached: true, stdio: 'ignore' });
  child.unref();
  // A browser that already runs takes the window over and this process ends well; one that can't start ends badly.
  return new Promise((resolve) => {
    const settle = setTimeout(() => resolve(true), 1500);
    child.once('error', () => resolve(false));
    child.once('exit', (code) => {
      clearTimeout(settle);
      resolve(code === 0);
    });
  });
}
