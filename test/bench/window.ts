// The window while a job runs: an export, then an upload, started in it as a user does, and meanwhile a grid scrolled
// page by page; the longest task of its thread until the job is done, compared with the same scrolling without a job.
// `node test/bench/window.ts [ROWS]`, after a build.
import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Locator } from '@playwright/test';
import { uploadWords } from '../../src/renderer/words/upload.ts';
import { words } from '../../src/renderer/words/words.ts';
import type { AppWindow } from '../e2e/support/app.ts';
import { UploadWindow } from '../e2e/support/upload.ts';
import { openAnswerWindow } from './support/answer-window.ts';
import { openBrowser } from './support/browser.ts';
import { printFigure } from './support/figures.ts';
import { withFolder } from './support/folder.ts';
import { maxTaskMs } from './support/long-tasks.ts';
import { startService } from './support/processes.ts';
import { csvTexts } from './support/records.ts';
import { scrollerOf, showAll } from './support/scrolling.ts';

const rows = Number(process.argv[2] ?? 300_000);
/** How long a job may take on a loaded machine, in milliseconds. */
const timeoutMs = 600_000;

const browser = await openBrowser();
const service = await startService(rows);
try {
  await withFolder(async (folder) => {
    const window = await openAnswerWindow(browser, service, 1000);
    try {
      await measure(window.app, join(folder, 'rows.csv'));
    } finally {
      await window.close();
    }
  });
} finally {
  await browser.close();
  await service.stop();
}

async function measure(app: AppWindow, file: string): Promise<void> {
  await showAll(app, rows);
  const scroller = scrollerOf(app);
  await maxTaskMs(app.page);
  for (let turn = 0; turn < 40; turn += 1) await scroller.pageDown();
  const without = await maxTaskMs(app.page);

  await app.button(words.query.export).click();
  await app.page.getByText(words.export.uses.pandas, { exact: true }).click();
  await app.page.getByLabel(words.export.fileName).fill('rows.csv');
  await app.button(words.export.start).click();
  report('export', await measureDuring(app, app.job('export', 'rows.csv'), scroller.pageDown), without);

  await pipeline(Readable.from(csvTexts(rows)), createWriteStream(file));
  const upload = new UploadWindow(app.page);
  await upload.open('bench/time');
  await upload.pick(file);
  await upload.next('columns');
  await upload.next('check');
  await upload.button(uploadWords.check.send(rows)).click({ timeout: timeoutMs });
  const look = () => app.page.waitForTimeout(100);
  report('upload', await measureDuring(app, app.job('upload', 'rows.csv'), look), without);
}

/** The longest task from now until a job is done, in milliseconds. */
async function measureDuring(app: AppWindow, job: Locator, act: () => Promise<unknown>): Promise<number> {
  await job.waitFor();
  await maxTaskMs(app.page);
  for (const end = performance.now() + timeoutMs; performance.now() < end;) {
    if ((await job.innerText()).includes(words.jobs.states.done)) return maxTaskMs(app.page);
    await act();
  }
  throw new Error(`The job is not done after ${timeoutMs / 1000} s`);
}

function report(job: string, ours: number, floor: number): void {
  const name = `longest task of the window while an ${job} runs; floor: scrolling without one`;
  printFigure({ name, ours, floor, unit: 'ms', goal: '≤ 50 ms' });
}
