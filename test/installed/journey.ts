// Drives the window of an installed application, in a Debian in a folder: `node journey.ts <port> <folder> <process>`, for
// `npm run package -- --check`. The browser's DevTools listen on the port.
import { execFileSync } from 'node:child_process';
import { copyFileSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { chromium, expect, type Browser } from '@playwright/test';
import { words } from '../../src/renderer/words/words.ts';
import { AppWindow } from '../e2e/support/app.ts';
import { UploadWindow } from '../e2e/support/upload.ts';

const [port = '', debian = '', target = ''] = process.argv.slice(2);
const inside = ['--target', target, '--mount', '--pid', 'su', '-', 'driller', '-c'];
const asUser = (command: string): string =>
  execFileSync('nsenter', [...inside, `export DISPLAY=:99; ${command}`], { encoding: 'utf8' });
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
// The computer may be busy.
page.setDefaultTimeout(120_000);
await page.getByRole('heading', { name: words.app }).waitFor();
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

await app.button(words.start.openSample).click();
await app.well('Ridge C-103H').click();
await app.showSection('datasets');
await page.getByRole('searchbox', { name: words.datasets.search }).fill('demo/wits');
await app.datasets.getByRole('row', { name: /demo\/wits$/ }).click();
await app.editor().waitFor({ state: 'attached' });
await app.button(words.query.run).click();
await app.answer.getByRole('gridcell').first().waitFor();
say(`records of a well: ${await app.answer.getByRole('row').count()} rows in view`);
takePicture('records');

asUser('cp /usr/lib/wellbench/*/app/resources/samples/drilling-time.csv .');
const secondStart = asUser('wellbench app "$HOME/drilling-time.csv"; echo "exit $?"');
say(`a second start with a file: ${secondStart.trim()}`);
expect(secondStart.trim()).toBe('exit 0');
expect(context?.pages()).toHaveLength(1);
const upload = new UploadWindow(page);
await upload.tab.getByText('drilling-time.csv').first().waitFor();
takePicture('file');
await upload.into('demo/uploads.time');
await upload.next('columns');
await upload.next('check');
await upload.send();
const books = await upload.books();
say(`the upload: ${books.accepted} of ${books.rows} rows accepted`);
expect(books).toMatchObject({ accepted: books.rows, rejected: 0, unknown: 0, pending: 0 });
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
