// Drives the window of an installed application, in a Debian in a folder: `node journey.ts <port> <folder>`, for
// `npm run package -- --check`. The browser's DevTools listen on the port.
import { execFileSync } from 'node:child_process';
import { copyFileSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { chromium, expect, type Browser } from '@playwright/test';
import { words } from '../../src/renderer/words/words.ts';
import { AppWindow } from '../e2e/support/app.ts';
import { UploadWindow } from '../e2e/support/upload.ts';

const [port = '', debian = ''] = process.argv.slice(2);
const enter = join(import.meta.dirname, '../../scripts/lib/package/enter.sh');
const asUser = (command: string): string =>
  execFileSync(enter, [debian, 'su', '-', 'driller', '-c', `export DISPLAY=:99; ${command}`], {
    encoding: 'utf8',
  });
const say = (text: string): void => void process.stdout.write(`  ${text}\n`);

async function connect(): Promise<Browser> {
  for (let attempt = 0; ; attempt += 1)
    try {
      return await chromium.connectOverCDP(`http://127.0.0.1:${port}`);
    } catch (error) {
      if (attempt === 40) throw error;
      await sleep(500);
    }
}

/** A picture of the whole screen, as the user sees it. */
function takePicture(name: string): void {
  asUser(`import -window root ${name}.png`);
  copyFileSync(join(debian, 'home/driller', `${name}.png`), join(debian, '..', `${name}.png`));
  say(`picture: ${name}.png`);
}

const browser = await connect();
const [context] = browser.contexts();
const page = context?.pages()[0] ?? (await context?.waitForEvent('page'));
if (!page) throw new Error('the browser has no page');
const app = new AppWindow(page);
await expect(page.getByRole('heading', { name: words.app })).toBeVisible({ timeout: 30_000 });
say(`the window: ${asUser('wmctrl -lx').trim()}`);
const processes = readdirSync('/proc')
  .filter((name) => /^\d+$/.test(name))
  .map((id) => {
    try {
      return readFileSync(join('/proc', id, 'cmdline'), 'utf8').replaceAll('\0', ' ');
    } catch {
      return '';
    }
  })
  .filter((line) => line.includes('--user-data-dir=/home/driller'));
expect(processes.length).toBeGreaterThan(0);
expect(processes.join('\n')).not.toContain('token=');
say('no process has the sign-in link in its arguments');
takePicture('start');
process.on('uncaughtExceptionMonitor', () => takePicture('failure'));

await app.openSample();
await app.well('Cottonwood A-105H').click();
await app.openDataset('demo/wits');
await app.run();
say(`records of a well: ${await app.column('timestamp').count()} rows in view`);
takePicture('records');

asUser('cp /usr/lib/wellbench/*/app/resources/samples/drilling-time.csv .');
const secondStart = asUser('wellbench app "$HOME/drilling-time.csv"; echo "exit $?"');
say(`a second start with a file: ${secondStart.trim()}`);
expect(secondStart.trim()).toBe('exit 0');
expect(context?.pages()).toHaveLength(1);
const upload = new UploadWindow(page);
await expect(upload.tab).toContainText('drilling-time.csv');
takePicture('upload');

asUser('wmctrl -c Wellbench');
for (let attempt = 0; attempt < 40; attempt += 1) {
  if (readFileSync(join(debian, 'home/driller/app.log'), 'utf8').includes('the app ended')) break;
  await sleep(250);
}
const log = readFileSync(join(debian, 'home/driller/app.log'), 'utf8');
say(`closing the window: ${log.trim().split('\n').at(-1)}`);
expect(log).toContain('the app ended with 0');
await browser.close().catch(() => undefined);
