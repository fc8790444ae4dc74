import type { Page } from '@playwright/test';
import { fieldName } from '../../src/renderer/features/upload/columns/fields.ts';
import { uploadWords } from '../../src/renderer/words/upload.ts';
import { including, like, startingLike } from '../support/wording.ts';
import { addressOf } from './support/fixtures.ts';
import { expect, rigRows, test } from './support/upload.ts';

/** Presses Tab until the focused element has this name. */
async function tabTo(page: Page, role: 'button' | 'combobox' | 'textbox', name: RegExp): Promise<void> {
  const target = page.getByRole(role, { name }).and(page.locator(':focus'));
  for (let presses = 0; presses < 60; presses += 1) {
    await page.keyboard.press('Tab');
    if ((await target.count()) > 0) return;
  }
  throw new Error(`Tab does not lead to the ${role} ${String(name)}`);
}

// In each `npm test`: a journey by keyboard alone (keyboard.spec.ts).
test(
  'an upload by keyboard alone, from the file to its ledger',
  { tag: '@long' },
  async ({ app, demo, page, upload, fileWith }) => {
    await app.connect(addressOf(demo));
    await expect(app.wells.getByRole('row').first()).toBeVisible();
    await tabTo(page, 'button', like(uploadWords.button));
    await page.keyboard.press('Enter');
    const path = await fileWith('keys.csv', ['when,ROP,WOB', ...rigRows(200)].join('\n'));
    await tabTo(page, 'combobox', like(uploadWords.dataset));
    await page.keyboard.type('uploads.time');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await expect(upload.tab.getByRole('combobox', { name: uploadWords.dataset })).toHaveValue(
      'demo/uploads.time',
    );
    // A key pressed while the list of datasets closes goes to that list.
    await expect(async () => {
      await tabTo(page, 'button', like(uploadWords.choose.button));
      const choosing = page.waitForEvent('filechooser', { timeout: 5000 });
      await page.keyboard.press('Enter');
      await (await choosing).setFiles(path);
    }).toPass();
    await expect(upload.tab.getByText(uploadWords.file.rowsAndColumns(200, 3))).toBeVisible();

    await tabTo(page, 'button', like(uploadWords.next(uploadWords.steps.columns)));
    await page.keyboard.press('Enter');
    await expect(upload.step()).toContainText(uploadWords.steps.columns);
    const well = fieldName('asset_id');
    await tabTo(page, 'button', including(uploadWords.columns.filledByNamed(well)));
    await expect(page.locator(':focus')).toHaveAccessibleDescription(uploadWords.columns.states.missing);
    await tabTo(page, 'combobox', like(uploadWords.columns.valueFor(well)));
    await page.keyboard.type('ridge a');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await tabTo(page, 'button', like(uploadWords.columns.likely('when')));
    await page.keyboard.press('Enter');
    await expect(upload.tab.getByText(uploadWords.columns.filled)).toBeVisible();

    const target = uploadWords.columns.targetOf('ROP');
    await tabTo(page, 'button', startingLike(target));
    await page.keyboard.press('Enter');
    await expect(page.getByRole('combobox', { name: target })).toBeFocused();
    await page.keyboard.press('ControlOrMeta+A');
    await page.keyboard.type('data.rop');
    await page.keyboard.press('Enter');
    await expect(page.getByRole('button', { name: startingLike(target) })).toBeFocused();
    await expect(upload.column('ROP')).toContainText('data.rop');

    await upload.button(uploadWords.next(uploadWords.steps.check)).focus();
    await page.keyboard.press('Enter');
    await expect(upload.step()).toContainText(uploadWords.steps.check);
    // The check starts automatically; until it ends there is nothing to send.
    await expect(upload.button(uploadWords.check.send(200))).toBeEnabled();
    await upload.button(uploadWords.check.send(200)).focus();
    await page.keyboard.press('Enter');
    await upload.atRest();
    expect(await upload.books()).toMatchObject({ accepted: 200, rows: 200 });
    await expect(app.jobs.getByRole('status').filter({ hasText: 'keys.csv: done.' })).toBeAttached();
  },
);
