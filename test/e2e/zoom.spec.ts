import type { Locator, Page } from '@playwright/test';
import { words } from '../../src/renderer/words/words.ts';
import { expect, rigRows, test } from './support/upload.ts';

/** Whether the page itself would have to be scrolled, sideways and down. */
const scrolls = (page: Page) =>
  page.evaluate(() => {
    const { scrollWidth, clientWidth, scrollHeight, clientHeight } = document.documentElement;
    return [scrollWidth - clientWidth, scrollHeight - clientHeight];
  });

/**
 * Controls of which a part lies outside the window, or under a neighbour, although all that scrolls was scrolled to them.
 * In grids and the editor one scrolls both ways, and among tabs along their row.
 */
const outOfReach = (page: Page) =>
  page.evaluate(() => {
    const controls = document.querySelectorAll('button, input, select, [role=tab], [role=radio], a[href]');
    return [...controls].flatMap((element) => {
      if (
        element.closest('.ag-root, .monaco-editor, [inert], [role=row], .visually-hidden, [aria-hidden=true]')
      )
        return [];
      const isMark = element instanceof HTMLInputElement && ['radio', 'checkbox'].includes(element.type);
      const box = isMark ? element.closest('label') : element;
      if (!box || !box.checkVisibility({ visibilityProperty: true })) return [];
      box.scrollIntoView({ block: 'center', inline: 'center' });
      const { left, right, top, bottom, width } = box.getBoundingClientRect();
      if (width <= 1) return [];
      const name = box.getAttribute('aria-label') ?? box.textContent ?? '';
      const isIn = left >= -1 && top >= -1 && right <= innerWidth + 1 && bottom <= innerHeight + 1;
      const hit = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
      const isHit = hit !== null && (box.contains(hit) || hit.contains(box));
      return isIn && isHit ? [] : [`${name} at ${[left, top, right, bottom].map(Math.round).join(' ')}`];
    });
  });

async function expectAllReached(page: Page): Promise<void> {
  await expect.poll(() => outOfReach(page), { timeout: 10_000 }).toEqual([]);
  expect(await scrolls(page)).toEqual([0, 0]);
}

// What is left of 1280 × 900 and of 1024 × 700 at 200 %.
for (const viewport of [
  { width: 640, height: 450 },
  { width: 512, height: 350 },
]) {
  test.describe(`at ${viewport.width} × ${viewport.height}`, () => {
    test.use({ viewport, reducedMotion: 'reduce' });

    test('nothing of the window is cut off', async ({ app, page, upload, fileWith }) => {
      await test.step('the start screen', () => expectAllReached(page));
      await app.button(words.connection.connect).click();
      await expectAllReached(page);

      await app.openSample();
      await test.step('wells and datasets', () => expectAllReached(page));
      const row = app.wells.getByRole('row').first();
      await row.click();
      await app.openDataset('demo/wits');
      await app.run();
      await test.step('a question and its answer, with a record beside', async () => {
        await app.column('timestamp').first().click();
        await expect(page.getByRole('region', { name: words.record.region })).toContainText('timestamp');
        await expectAllReached(page);
      });

      await test.step('a plot', async () => {
        await app.answer.getByText(words.results.views.plot, { exact: true }).click();
        await expect(app.answer.locator('.chart canvas').first()).toBeAttached();
        await expectAllReached(page);
      });

      await test.step('the side folds away, and the question has the room', async () => {
        const questions: Locator = page.getByRole('main');
        const before = (await questions.boundingBox())?.width ?? 0;
        await page.keyboard.press('ControlOrMeta+b');
        await expect
          .poll(async () => (await questions.boundingBox())?.width ?? 0)
          .toBeGreaterThan(before + 100);
        await expect(row).toBeHidden();
        await expectAllReached(page);
        await app.button(words.tabs.side).click();
        await expect(row).toBeVisible();
      });

      await test.step('an upload', async () => {
        await upload.open('demo/uploads.time');
        await expectAllReached(page);
        await upload.pick(await fileWith('rig.csv', ['Time,ROP,WOB', ...rigRows(50)].join('\n')));
        await expectAllReached(page);
        await upload.next('columns');
        await expectAllReached(page);
      });

      await test.step('the guide', async () => {
        await page.keyboard.press('F1');
        await expect(page.getByRole('complementary')).toBeInViewport({ ratio: 1 });
        expect(await scrolls(page)).toEqual([0, 0]);
      });
    });
  });
}
