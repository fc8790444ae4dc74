import type { Page } from '@playwright/test';
import { words } from '../../src/renderer/words/words.ts';
import { any, anyCount, including, like } from '../support/wording.ts';
import { findings, openList, popover } from './support/findings.ts';
import { addressOf } from './support/fixtures.ts';
import { expect, rigRows, test } from './support/upload.ts';

/** The step in view, without the table of the file's first rows below it, which is looked at once. */
const step = '.upload-step';

test.describe('without motion', () => {
  test.use({ reducedMotion: 'reduce' });

  test('no step of an upload has findings', async ({ app, demo, page, upload, fileWith }) => {
    await app.connect(addressOf(demo));
    await upload.open('demo/uploads.time');
    expect(await findings(page)).toEqual([]);
    await upload.hand(await fileWith('book.csv', new Uint8Array([0x50, 0x4b, 3, 4, 20, 0, 6, 0])));
    await expect(upload.tab.getByRole('alert')).toBeVisible();
    expect(await findings(page, [], 'main')).toEqual([]);

    const lines = rigRows(3000, (row) => (row % 50 === 7 ? 'stuck' : String(row)));
    const path = await fileWith('rig.csv', ['Time,ROP,WOB', ...lines].join('\n'));
    await upload.tab.getByRole('button', { name: words.upload.choose.another }).last().click();
    await page.locator('input[type=file]').last().setInputFiles(path);
    await expect(upload.tab.getByText(words.upload.file.rowsAndColumns(3_000, 3))).toBeVisible();
    await expect(upload.tab.getByRole('gridcell').first()).toBeVisible();
    expect(await findings(page, [], 'main')).toEqual([]);

    await upload.next('columns');
    await expect(upload.tab.getByText(like(words.upload.columns.missing(any)))).toBeVisible();
    expect(await findings(page, [], step)).toEqual([]);
    await upload.button(words.upload.columns.likely('Time')).click();
    await upload
      .field('asset_id')
      .getByRole('button', { name: words.upload.columns.filledByNamed('asset_id') })
      .click();
    await page.getByRole('option', { name: words.upload.columns.oneValue }).click();
    const wells = upload.field('asset_id').getByRole('combobox');
    await wells.fill('ridge');
    await expect(page.getByRole('option').first()).toBeVisible();
    expect(await findings(page, openList, '.popover')).toEqual([]);
    await page.getByRole('option').first().click();
    const dialog = await upload.place('Time');
    expect(await findings(page, popover, '.popup')).toEqual([]);
    await dialog.getByRole('button', { name: words.close }).click();
    const rop = await upload.place('ROP');
    await rop.getByRole('button', { name: words.upload.columns.readAs }).click();
    await page.getByRole('option', { name: words.upload.columns.kinds.number, exact: true }).click();
    await rop.getByRole('button', { name: words.close }).click();

    await upload.next('check');
    const send = upload.button(words.upload.check.sendOthers(2_940, 60));
    await expect(send).toBeEnabled();
    expect(await findings(page, [], step)).toEqual([]);
    await upload.button(like(words.upload.correct.label(any))).click();
    await expect(page.getByRole('dialog', { name: words.upload.correct.heading('ROP') })).toBeVisible();
    expect(await findings(page, popover, '.popup')).toEqual([]);
    await page.keyboard.press('Escape');

    await test.step('while the job is planned, which can be given up', async () => {
      demo.faults.latency_ms = 60_000;
      await send.click();
      await expect(upload.tab.getByText(words.upload.check.preparing)).toBeVisible();
      expect(await findings(page, [], step)).toEqual([]);
      await upload.button(words.cancel).click();
      await expect(send).toBeEnabled();
    });

    await test.step('while rows are sent, while the job is paused, and while it waits for its next try', async () => {
      demo.faults.latency_ms = 1000;
      await send.click();
      await expect(upload.step()).toContainText(words.upload.steps.send);
      expect(await findings(page, [], step)).toEqual([]);
      await upload.button(words.jobs.pause).click();
      await expect(upload.tab.getByText(words.jobs.waits.resume)).toBeVisible();
      expect(await findings(page, [], step)).toEqual([]);
      Object.assign(demo.faults, { rate_429: 1, retry_after: 5, latency_ms: 0 });
      await upload.button(words.upload.ledger.resume).click();
      await expect(upload.tab.getByText(including(words.upload.send.nextTry(anyCount)))).toBeVisible();
      expect(await findings(page, [], step)).toEqual([]);
      demo.faults.rate_429 = 0;
    });
    await upload.atRest();
    await expect(upload.tab.getByRole('table', { name: words.upload.ledger.problems })).toBeVisible();
    expect(await findings(page, [], step)).toEqual([]);
    await app.jobsToggle().click();
    expect(await findings(page, [], '.jobs')).toEqual([]);
  });
});

/** Goes on with Tab until what has the focus is called so. */
async function tabTo(page: Page, role: 'button' | 'combobox' | 'textbox', name: RegExp): Promise<void> {
  const target = page.getByRole(role, { name }).and(page.locator(':focus'));
  for (let presses = 0; presses < 60; presses += 1) {
    await page.keyboard.press('Tab');
    if ((await target.count()) > 0) return;
  }
  throw new Error(`Tab does not lead to the ${role} ${String(name)}`);
}

test('an upload by keyboard alone, from the file to its ledger', async ({
  app,
  demo,
  page,
  upload,
  fileWith,
}) => {
  await app.connect(addressOf(demo));
  await expect(app.datasets.getByRole('row').first()).toBeVisible();
  await tabTo(page, 'button', /^Upload$/);
  await page.keyboard.press('Enter');
  const path = await fileWith('keys.csv', ['when,ROP,WOB', ...rigRows(200)].join('\n'));
  await tabTo(page, 'combobox', /^Dataset$/);
  await page.keyboard.type('uploads.time');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(upload.tab.getByRole('combobox', { name: words.upload.dataset })).toHaveValue(
    'demo/uploads.time',
  );
  // A key that comes while the list of datasets closes is that list's.
  await expect(async () => {
    await tabTo(page, 'button', like(words.upload.choose.button));
    const choosing = page.waitForEvent('filechooser', { timeout: 5000 });
    await page.keyboard.press('Enter');
    await (await choosing).setFiles(path);
  }).toPass();
  await expect(upload.tab.getByText(words.upload.file.rowsAndColumns(200, 3))).toBeVisible();

  await tabTo(page, 'button', /^Next: Columns$/);
  await page.keyboard.press('Enter');
  await expect(upload.step()).toContainText(words.upload.steps.columns);
  await tabTo(page, 'button', including(words.upload.columns.filledByNamed('asset_id')));
  await expect(page.locator(':focus')).toHaveAccessibleDescription(words.upload.columns.states.missing);
  await page.keyboard.press('Enter');
  await page.keyboard.type('One');
  await page.keyboard.press('Enter');
  await tabTo(page, 'combobox', /^Value of asset_id/);
  await page.keyboard.type('ridge a');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await tabTo(page, 'button', /^Use “when”$/);
  await page.keyboard.press('Enter');
  await expect(upload.tab.getByText(words.upload.columns.filled)).toBeVisible();

  await tabTo(page, 'button', /^Where “ROP” goes$/);
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: words.upload.columns.change('ROP') });
  await tabTo(page, 'combobox', like(words.upload.columns.target));
  await page.keyboard.press('ControlOrMeta+A');
  await page.keyboard.type('data.rop');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);
  await expect(upload.column('ROP')).toContainText('data.rop');

  await upload.button(words.upload.next(words.upload.steps.check)).focus();
  await page.keyboard.press('Enter');
  await expect(upload.step()).toContainText(words.upload.steps.check);
  // The check begins by itself; until it ends there is nothing to send.
  await expect(upload.button(words.upload.check.send(200))).toBeEnabled();
  await upload.button(words.upload.check.send(200)).focus();
  await page.keyboard.press('Enter');
  await upload.atRest();
  expect(await upload.books()).toMatchObject({ accepted: 200, rows: 200 });
  await expect(app.jobs.getByRole('status').filter({ hasText: 'keys.csv: done.' })).toBeAttached();
});

test.describe('on a small laptop', () => {
  test.use({ viewport: { width: 1024, height: 700 } });

  test('every step is in view, and the page itself never scrolls', async ({
    app,
    demo,
    page,
    upload,
    fileWith,
  }) => {
    await app.connect(addressOf(demo));
    await app.well('Ridge A-101H').click();
    await upload.open('demo/uploads.time');
    const name = 'a rather long name of a file that somebody saved at the rig.csv';
    await upload.pick(await fileWith(name, ['Time,ROP,WOB', ...rigRows(500)].join('\n')));
    await expect(upload.button(words.upload.next(words.upload.steps.columns))).toBeInViewport({ ratio: 1 });
    await expect(upload.tab.getByRole('combobox', { name: words.upload.dataset })).toBeInViewport({
      ratio: 1,
    });
    await upload.next('columns');
    await upload.button(words.upload.columns.likely('Time')).click();
    await expect(upload.button(words.upload.columns.change('Time'))).toBeInViewport({ ratio: 1 });
    await expect(upload.tab.getByRole('gridcell').first()).toBeInViewport();
    await upload.next('check');
    await upload.send();
    await expect(upload.button(words.upload.ledger.lookAt)).toBeInViewport({ ratio: 1 });
    const scrolls = await page.evaluate(() => {
      const { scrollWidth, clientWidth, scrollHeight, clientHeight } = document.documentElement;
      return [scrollWidth - clientWidth, scrollHeight - clientHeight];
    });
    expect(scrolls).toEqual([0, 0]);
  });
});
