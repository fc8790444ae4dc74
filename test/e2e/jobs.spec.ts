import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { uploadWords } from '../../src/renderer/words/upload.ts';
import { words } from '../../src/renderer/words/words.ts';
import { connectionEnv } from '../support/cli.ts';
import { any, anyCount, including, startingLike } from '../support/wording.ts';
import { AppWindow } from './support/app.ts';
import { addressOf } from './support/fixtures.ts';
import { startHost } from './support/host.ts';
import { expect, rigFile, partlySentOf, test, UploadWindow } from './support/upload.ts';

// In each `npm test`: the list of jobs (test/renderer/window/jobs.test.tsx).
test(
  'jobs are listed with their progress, the newest first, and disappear when they are discarded',
  { tag: '@long' },
  async ({ app, demo, page, upload, fileWith }) => {
    await app.connect(addressOf(demo));
    await app.well('Ridge A-101H').click();
    const toggle = app.jobsToggle();
    await toggle.click();
    await expect(app.jobs).toContainText(words.jobs.none);
    await toggle.click();

    await app.openDataset('demo/wits');
    await app.button(words.query.export).click();
    await page.getByText(words.export.uses.pandas, { exact: true }).click();
    await page.getByLabel(words.export.fileName).fill('older.csv');
    await app.button(words.export.start).click();
    await expect(app.job('export', 'older.csv')).toContainText(words.jobs.states.done, {
      timeout: 60_000,
    });

    await upload.bring(await fileWith('newer.csv', rigFile(20_000)), 'demo/uploads.time');
    Object.assign(demo.faults, { latency_ms: 1500, fault_on: 'writes' });
    await upload.button(uploadWords.check.send(20_000)).click();

    await test.step('the status bar shows running jobs', async () => {
      await expect(
        app.jobs.getByRole('progressbar', { name: words.jobs.progress('newer.csv') }),
      ).toBeVisible();
      await expect(app.jobs).toContainText(
        including(
          `${words.jobs.kinds.upload} newer.csv ${words.jobs.rowsOf(anyCount, 20_000)} · ${words.jobs.rate(anyCount)} · ${words.jobs.left(any)}`,
        ),
      );
      await expect(app.jobs).toContainText(words.jobs.summary(1, 0, 2));
    });

    await toggle.click();
    const job = app.job('upload', 'newer.csv');
    await expect(app.jobs.getByRole('listitem', { name: /\.csv$/ }).first()).toContainText('newer.csv');
    await expect(job).toContainText(words.jobs.states.running);
    await job.click({ button: 'right' });
    await expect(page.getByRole('menuitem')).toHaveText([words.jobs.open, words.jobs.pause, words.cancel]);
    await page.getByRole('menuitem', { name: words.cancel }).click();
    await expect(job).toContainText(words.jobs.states.cancelled);
    await expect(job).toContainText(
      including(`${words.jobs.inserted(anyCount)} · ${words.jobs.pending(anyCount)}`),
    );
    demo.faults.latency_ms = 0;
    await job.getByRole('button', { name: words.jobs.resumeNamed('newer.csv') }).click();
    await expect(job).toContainText(words.jobs.inserted(20_000), { timeout: 60_000 });
    await expect(job).toContainText(words.jobs.states.done);

    await test.step('its ledger opens from the list, even when the tab was closed', async () => {
      await page.getByRole('tab', { name: uploadWords.tab('newer.csv') }).focus();
      await page.keyboard.press('Delete');
      await job.getByRole('button', { name: words.jobs.openNamed('newer.csv') }).click();
      expect(await upload.books()).toMatchObject({ accepted: 20_000, rows: 20_000 });
      await job.getByRole('button', { name: words.jobs.openNamed('newer.csv') }).click();
      await expect(page.getByRole('tab', { name: uploadWords.tab('newer.csv') })).toHaveCount(1);
    });

    await job.getByRole('button', { name: words.jobs.discardNamed('newer.csv') }).focus();
    await page.keyboard.press('Shift+F10');
    await page.getByRole('menuitem', { name: words.jobs.discard }).click();
    await page
      .getByRole('dialog', { name: words.jobs.discardNamed('newer.csv') })
      .getByRole('button', { name: words.jobs.discard, exact: true })
      .click();
    await expect(job).toHaveCount(0);
    await page.reload();
    await expect(toggle).toContainText('1 job');
  },
);

// In each `npm test`: killed uploads (test/faults/kill.test.ts), and one that is resumed in the window (upload-run.test.tsx).
test(
  'after a crash the upload is listed as interrupted, and resumes without lost or duplicate rows',
  { tag: '@long' },
  async ({ demo, page, fileWith }) => {
    test.setTimeout(120_000);
    const dataFolder = await mkdtemp(join(tmpdir(), 'wellbench-e2e-'));
    const options = { dataFolder, env: connectionEnv(demo) };
    const path = await fileWith('crash.csv', rigFile(8_000));
    const app = new AppWindow(page);
    const upload = new UploadWindow(page);
    const enter = async (url: string) => {
      await page.goto(url);
      await page.getByRole('button', { name: startingLike(words.start.open('127.0.0.1')) }).click();
      await expect(app.wells.getByRole('row').first()).toBeVisible();
    };

    const first = await startHost(options);
    try {
      await enter(first.url);
      await upload.bring(path, 'demo/uploads.time');
      Object.assign(demo.faults, { latency_ms: 2000, fault_on: 'writes' });
      await upload.button(uploadWords.check.send(8_000)).click();
      await expect(upload.tab.getByText(partlySentOf(8_000))).toBeVisible();
    } finally {
      await first.kill();
    }

    demo.faults.latency_ms = 0;
    const second = await startHost(options);
    try {
      await enter(second.url);
      await app.jobsToggle().click();
      const job = app.job('upload', 'crash.csv');
      await expect(job).toContainText(words.jobs.states.interrupted);
      await job.getByRole('button', { name: words.jobs.openNamed('crash.csv') }).click();
      await expect(
        upload.tab.getByRole('heading', { name: uploadWords.ledger.headings.interrupted }),
      ).toBeVisible();
      await expect(app.jobs).toContainText(words.jobs.interrupted(1));
      await app.jobs.getByRole('button', { name: words.jobs.resumeAll(1) }).click();
      await expect(app.jobs).not.toContainText(words.jobs.interrupted(1));
      await expect(job).not.toContainText(words.jobs.states.interrupted);
      await upload.atRest();
      const { accepted, rejected, unknown, pending, rows } = await upload.books();
      expect({ sum: accepted + rejected + unknown + pending, rejected, pending, rows }).toEqual({
        sum: 8_000,
        rejected: 0,
        pending: 0,
        rows: 8_000,
      });
      await app.openDataset('demo/uploads.time');
      await app.typeQuery('{}');
      // Rows in flight at the crash may be stored or not: they are not sent again.
      const stored = await app.count();
      expect(stored).toBeGreaterThanOrEqual(accepted);
      expect(stored).toBeLessThanOrEqual(accepted + unknown);
    } finally {
      await second.close();
      await rm(dataFolder, { recursive: true, force: true });
    }
  },
);
