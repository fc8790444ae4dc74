import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connectionEnv } from '../support/cli.ts';
import { AppWindow } from './support/app.ts';
import { addressOf } from './support/fixtures.ts';
import { startHost } from './support/host.ts';
import { expect, rigFile, test, UploadWindow } from './support/upload.ts';

test('jobs stand in their list with what they are doing, the newest first, and go when they are discarded', async ({
  app,
  demo,
  page,
  upload,
  fileWith,
}) => {
  await app.connect(addressOf(demo));
  await app.well('Ridge A-101H').click();
  const toggle = app.jobs.getByRole('button', { name: /^Jobs/ });
  await toggle.click();
  await expect(app.jobs).toContainText('No jobs yet.');
  await toggle.click();

  await app.openDataset('demo/wits');
  await app.button('Export').click();
  await page.getByLabel('File name').fill('older.csv');
  await app.button('Start export').click();
  await expect(app.jobs.getByRole('listitem', { name: 'Export older.csv' })).toContainText('done', {
    timeout: 60_000,
  });
  await toggle.click();

  await upload.bring(await fileWith('newer.csv', rigFile(60_000)), 'demo/uploads.time');
  Object.assign(demo.faults, { latency_ms: 1000, fault_on: 'writes' });
  await upload.button('Send 60,000 rows').click();

  await test.step('the bar shows what runs', async () => {
    await expect(app.jobs.getByRole('progressbar', { name: 'Progress of newer.csv' })).toBeVisible();
    await expect(app.jobs).toContainText(
      /Upload newer\.csv [\d,]+ of 60,000 rows · [\d,]+ rows\/s · .+ left/,
    );
    await expect(app.jobs).toContainText('1 running, 2 in all');
  });

  await toggle.click();
  const job = app.jobs.getByRole('listitem', { name: 'Upload newer.csv' });
  await expect(app.jobs.getByRole('listitem', { name: /csv$/ }).first()).toContainText('newer.csv');
  await expect(job).toContainText('running');
  await job.click({ button: 'right' });
  await expect(page.getByRole('menuitem')).toHaveText(['Ledger', 'Pause', 'Cancel']);
  await page.getByRole('menuitem', { name: 'Cancel' }).click();
  await expect(job).toContainText('cancelled');
  await expect(job).toContainText(/[\d,]+ accepted · [\d,]+ still to do/);
  demo.faults.latency_ms = 0;
  await job.getByRole('button', { name: 'Resume newer.csv' }).click();
  await expect(job).toContainText('60,000 accepted', { timeout: 60_000 });
  await expect(job).toContainText('done');

  await test.step('its ledger is opened from the list, also when the tab was closed', async () => {
    await page.getByRole('tab', { name: 'Upload newer.csv' }).focus();
    await page.keyboard.press('Delete');
    await job.getByRole('button', { name: 'Ledger of newer.csv' }).click();
    expect(await upload.books()).toMatchObject({ accepted: 60_000, rows: 60_000 });
    await job.getByRole('button', { name: 'Ledger of newer.csv' }).click();
    await expect(page.getByRole('tab', { name: 'Upload newer.csv' })).toHaveCount(1);
  });

  await job.getByRole('button', { name: 'Discard newer.csv' }).focus();
  await page.keyboard.press('Shift+F10');
  await page.getByRole('menuitem', { name: 'Discard…' }).click();
  await page
    .getByRole('dialog', { name: 'Discard newer.csv' })
    .getByRole('button', { name: 'Discard', exact: true })
    .click();
  await expect(job).toHaveCount(0);
  await page.reload();
  await expect(toggle).toContainText('1 job');
});

test('after a crash the upload stands there as interrupted, and goes on with no row lost and none twice', async ({
  demo,
  page,
  fileWith,
}) => {
  const dataFolder = await mkdtemp(join(tmpdir(), 'wellbench-e2e-'));
  const options = { dataFolder, env: connectionEnv(demo) };
  const path = await fileWith('crash.csv', rigFile(20_000));
  const app = new AppWindow(page);
  const upload = new UploadWindow(page);
  const enter = async (url: string) => {
    await page.goto(url);
    await page.getByRole('button', { name: /^Open 127\.0\.0\.1/ }).click();
    await expect(app.wells.getByRole('row').first()).toBeVisible();
  };

  const first = await startHost(options);
  try {
    await enter(first.url);
    await upload.bring(path, 'demo/uploads.time');
    Object.assign(demo.faults, { latency_ms: 1000, fault_on: 'writes' });
    await upload.button('Send 20,000 rows').click();
    await expect(upload.tab.getByText(/^[1-9][\d,]* of 20,000 rows/)).toBeVisible();
  } finally {
    await first.kill();
  }

  demo.faults.latency_ms = 0;
  const second = await startHost(options);
  try {
    await enter(second.url);
    await app.jobs.getByRole('button', { name: /^Jobs/ }).click();
    const job = app.jobs.getByRole('listitem', { name: 'Upload crash.csv' });
    await expect(job).toContainText('interrupted');
    await job.getByRole('button', { name: 'Ledger of crash.csv' }).click();
    await expect(upload.tab.getByRole('heading', { name: 'Interrupted' })).toBeVisible();
    await expect(app.jobs).toContainText('1 job can be resumed');
    await app.jobs.getByRole('button', { name: 'Resume it' }).click();
    await expect(app.jobs).not.toContainText('can be resumed');
    await expect(job).not.toContainText('interrupted');
    await upload.atRest();
    const { accepted, rejected, unknown, pending, rows } = await upload.books();
    expect({ sum: accepted + rejected + unknown + pending, rejected, pending, rows }).toEqual({
      sum: 20_000,
      rejected: 0,
      pending: 0,
      rows: 20_000,
    });
    await app.openDataset('demo/uploads.time');
    await app.typeQuery('{}');
    // What was under way at the crash is stored or not: it is not sent a second time.
    const stored = await app.count();
    expect(stored).toBeGreaterThanOrEqual(accepted);
    expect(stored).toBeLessThanOrEqual(accepted + unknown);
  } finally {
    await second.close();
    await rm(dataFolder, { recursive: true, force: true });
  }
});
