import { existsSync, readdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import { installFromDebian } from './debian.mjs';
import { say } from './run.mjs';
import { runTool } from './setup.mjs';

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'microsoft-edge'];

const fixedPlaces = {
  darwin: [
    '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
    '/Applications/Chromium.app/Contents/MacOS/Chromium',
  ],
  win32: [
    'C:/Program Files/Google/Chrome/Application/chrome.exe',
    'C:/Program Files (x86)/Microsoft/Edge/Application/msedge.exe',
  ],
};

function installed() {
  const onPath = (process.env.PATH ?? '')
    .split(delimiter)
    .flatMap((folder) => names.map((name) => join(folder, name)));
  return [process.env.WELLBENCH_CHROMIUM, ...onPath, ...(fixedPlaces[process.platform] ?? [])].find(
    (path) => path && existsSync(path),
  );
}

const playwrightFolders = {
  linux: join(homedir(), '.cache', 'ms-playwright'),
  darwin: join(homedir(), 'Library', 'Caches', 'ms-playwright'),
  win32: join(process.env.LOCALAPPDATA ?? homedir(), 'ms-playwright'),
};
const tails = {
  linux: ['chrome-linux/chrome', 'chrome-linux64/chrome'],
  darwin: ['chrome-mac/Chromium.app/Contents/MacOS/Chromium'],
  win32: ['chrome-win/chrome.exe', 'chrome-win64/chrome.exe'],
};

function playwrights() {
  const folder = process.env.PLAYWRIGHT_BROWSERS_PATH ?? playwrightFolders[process.platform];
  if (!folder || !existsSync(folder)) return undefined;
  return readdirSync(folder)
    .filter((name) => name.startsWith('chromium-'))
    .flatMap((name) => (tails[process.platform] ?? []).map((tail) => join(folder, name, tail)))
    .find((path) => existsSync(path));
}

/**
 * A Chromium for the browser tests: an installed one, else Playwright's download, else Debian's package.
 * @returns its path; undefined if none is available
 */
export async function ensureChromium() {
  const found = installed() ?? playwrights();
  if (found) return found;
  say('Looking for Chromium …');
  await runTool('@playwright/test/cli.js', ['install', 'chromium'], { quiet: true, timeoutMs: 180_000 });
  if (!playwrights()) await installFromDebian('Chromium', ['chromium', 'fonts-dejavu-core']);
  return installed() ?? playwrights();
}
