import type { Locator, Page } from '@playwright/test';
import { plotWords } from '../../src/renderer/words/plot.ts';
import { uploadWords } from '../../src/renderer/words/upload.ts';
import { words } from '../../src/renderer/words/words.ts';
import { anyCount, including } from '../support/wording.ts';
import { check } from './support/app.ts';
import { callHost } from './support/call-host.ts';
import { addressOf } from './support/fixtures.ts';
import { expect, rigRows, test } from './support/upload.ts';

/** How far the page itself can be scrolled, horizontally and vertically. */
const scrolls = (page: Page): Promise<number[]> =>
  page.evaluate(() => {
    const { scrollWidth, clientWidth, scrollHeight, clientHeight } = document.documentElement;
    return [scrollWidth - clientWidth, scrollHeight - clientHeight];
  });

/** How far a part of it can be scrolled vertically. */
const scrolled = (part: Locator): Promise<number> =>
  part.evaluate(({ scrollHeight, clientHeight }) => scrollHeight - clientHeight);

/** Sizes of the window, and the rows of a result that are in view at each. */
const sizes = [
  { width: 1440, height: 900, scale: 1, minRows: 24 },
  { width: 1024, height: 700, scale: 1, minRows: 14 },
  // A window of 1440 × 900 at 200 %.
  { width: 720, height: 450, scale: 2, minRows: 6 },
];

test(`at least ${sizes.map(({ minRows }) => minRows).join(', ')} rows of a result are in view by the size of the window, as long as the text of the query is folded; a plot has at least 450 pixels, and the toolbars of results have one row, also beside the sidebar; only lists and steps scroll, not the parts around them`, async ({
  app,
  page,
  upload,
  fileWith,
}) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  await app.openSample();
  for (const row of [0, 1]) await app.wells.getByRole('row').nth(row).click();
  await app.openDataset('demo/wits');
  await app.run();

  await test.step('a plot on a laptop, and beside the table on a small one', async () => {
    const height = async (selector: string) =>
      (await page.locator(selector).first().boundingBox())?.height ?? 0;
    await check(page.getByRole('radio', { name: words.results.views.plot }));
    await expect(page.locator('.plot-charts canvas')).toBeVisible();
    expect(await height('.plot-charts')).toBeGreaterThanOrEqual(450);
    for (const bar of ['.run-bar', '.answer-bar', '.plot-head', '.plot-bar'])
      expect(await height(bar), bar).toBeLessThan(40);
    await page.setViewportSize({ width: 1024, height: 700 });
    await check(page.getByRole('radio', { name: words.results.views.both }));
    await expect(page.locator('.plot-charts canvas')).toBeVisible();
    for (const bar of ['.run-bar', '.answer-bar', '.plot-head', '.plot-bar'])
      expect(await height(bar), bar).toBeLessThan(40);
  });

  await test.step('a truncated table, a zoomed plot, and a query with a filter in a window of the default size', async () => {
    await page.setViewportSize({ width: 1360, height: 860 });
    await check(page.getByRole('radio', { name: words.results.views.table }));
    await page.getByRole('textbox', { name: words.query.limit, exact: true }).fill('100');
    await app.run();
    await expect(app.button(words.results.showAll)).toBeVisible();
    await expect(app.answer.getByText(including(words.results.limited))).toBeAttached();
    await app.showSection('datasets');
    for (const width of [1360, 1280, 1100, 1024]) {
      await page.setViewportSize({ width, height: 860 });
      const bar = await page.locator('.answer-bar').boundingBox();
      expect(bar?.height, String(width)).toBeLessThan(40);
    }
    expect(await scrolled(page.getByRole('navigation', { name: words.tabs.side }))).toBe(0);
    await page.setViewportSize({ width: 1360, height: 860 });
    await check(page.getByRole('radio', { name: words.results.views.plot }));
    await app.button(plotWords.zoomIn).click();
    await expect(app.button(plotWords.rangeToQuery)).toBeVisible();
    const chips = await page.locator('.plot-chips').boundingBox();
    expect(chips?.width).toBeGreaterThan(100);
    await app.typeQuery(
      '{ asset_id: {{wells}}, "data.state": { $in: ["Rotary Drilling", "Slide Drilling"] } }',
    );
    const offer = app.button(words.query.wide);
    await expect(offer).toBeVisible();
    expect(await offer.evaluate((button) => button.scrollWidth - button.clientWidth)).toBe(0);
  });

  await page.keyboard.press('Alt+W');
  await app.openDataset('demo/wits');
  await app.textToggle().click();
  await expect(app.editor()).toHaveCount(0);
  await app.run();
  const screen = await page.context().newCDPSession(page);
  for (const { width, height, scale, minRows } of sizes)
    await test.step(`at ${width} × ${height}`, async () => {
      await page.setViewportSize({ width, height });
      const metrics = { width, height, deviceScaleFactor: scale, mobile: false };
      await screen.send('Emulation.setDeviceMetricsOverride', metrics);
      expect(await page.evaluate(() => [innerWidth, devicePixelRatio])).toEqual([width, scale]);
      // As when a tab opens in a tight window (screens.spec.ts).
      if (width < 800) await page.keyboard.press('ControlOrMeta+b');
      await expect(app.button(words.query.run)).toBeInViewport({ ratio: 1 });
      await expect(app.textToggle()).toBeInViewport({ ratio: 1 });
      const last = page.locator(`.answer-grid [row-index="${minRows - 1}"] [role=gridcell]`).first();
      await expect(last).toBeInViewport({ ratio: 1 });
      // Nor is it under the scroll bar of the table.
      const grid = app.answer.locator('.ag-grid-viewport');
      const bottom = await grid.evaluate((part) => part.getBoundingClientRect().top + part.clientHeight);
      const row = await last.boundingBox();
      expect((row?.y ?? 0) + (row?.height ?? 0)).toBeLessThanOrEqual(bottom);
      expect(await scrolls(page)).toEqual([0, 0]);
    });
  // The next test has the same page.
  await screen.detach();

  await test.step('an upload and its quality check', async () => {
    await page.setViewportSize({ width: 1024, height: 860 });
    await app.showSection('wells');
    await app.wells.getByRole('row').nth(1).click();
    await upload.open('demo/uploads.time');
    await upload.pick(await fileWith('rows.csv', ['Time,ROP,WOB', ...rigRows(500)].join('\n')));
    await upload.next('columns');
    await upload.next('check');
    await upload.button(words.quality.tab.start).click();
    await expect(upload.tab.getByRole('region', { name: words.quality.region, exact: true })).toBeVisible();
    expect(await scrolled(page.locator('.tab-view').filter({ visible: true }))).toBe(0);
  });
});

test.describe('on a small laptop', () => {
  test.use({ viewport: { width: 1024, height: 700 } });

  // In each `npm test`: rows in view by the size of the window, and what is clipped at 200 % (screens.spec.ts).
  test(
    'every part of the journey and of an upload is in view, and the page itself never scrolls',
    { tag: '@long' },
    async ({ app, page, upload, fileWith }) => {
      await expect(app.button(words.start.openSample)).toBeInViewport({ ratio: 1 });
      await expect(app.button(words.connection.connect)).toBeInViewport({ ratio: 1 });
      await app.openSample();
      for (let row = 0; row < 5; row += 1) await app.wells.getByRole('row').nth(row).click();
      await app.openDataset('demo/wits');
      await app.run();
      for (const name of [words.query.run, words.query.more, words.query.export, words.theme.label])
        await expect(app.button(name)).toBeInViewport({ ratio: 1 });
      await expect(app.column('timestamp').nth(4)).toBeInViewport();
      expect(await scrolls(page)).toEqual([0, 0]);

      // The toolbar stays on one line; other actions are in its menu, and open next to it.
      expect((await page.locator('.run-bar').boundingBox())?.height).toBeLessThan(48);
      await app.button(words.query.more).click();
      await page.getByRole('menuitem', { name: words.query.count }).click();
      await expect(
        page.getByRole('status').filter({ hasText: including(words.query.counted(anyCount)) }),
      ).toBeVisible();
      await app.button(words.query.more).click();
      await page.getByRole('menuitem', { name: words.query.options.open }).click();
      await expect(page.getByRole('dialog').getByLabel(words.query.options.timeout)).toBeVisible();
      await page.keyboard.press('Escape');
      await app.button(words.query.more).click();
      await page.getByRole('menuitem', { name: words.query.request.heading }).click();
      await expect(page.getByRole('dialog', { name: words.query.request.heading })).toContainText('GET');
      await page.keyboard.press('Escape');
      await expect(page.getByRole('dialog')).toHaveCount(0);
      expect((await page.locator('.run-bar').boundingBox())?.height).toBeLessThan(48);

      await app.showSection('wells');
      await app.button(words.wells.removeAll).click();
      await app.wells.getByRole('row').first().click();
      await upload.open('demo/uploads.time');
      const name = 'a rather long name of a file that somebody saved at the rig.csv';
      await upload.pick(await fileWith(name, ['Time,ROP,WOB', ...rigRows(500)].join('\n')));
      await expect(upload.button(uploadWords.next(uploadWords.steps.columns))).toBeInViewport({ ratio: 1 });
      await expect(upload.tab.getByRole('combobox', { name: uploadWords.dataset })).toBeInViewport({
        ratio: 1,
      });
      // Only one of lines and table fits.
      await expect(upload.rawLine(1)).toBeHidden();
      await upload.tab.getByText(uploadWords.raw.lines, { exact: true }).click();
      await expect(upload.rawLine(1)).toBeVisible();
      await expect(upload.tab.getByRole('gridcell').first()).toBeHidden();
      await upload.next('columns');
      await expect(upload.button(uploadWords.columns.change('Time'))).toBeInViewport({ ratio: 1 });
      await upload.button(uploadWords.columns.firstRows).click();
      await expect(upload.tab.getByRole('gridcell').first()).toBeInViewport();
      await upload.button(uploadWords.columns.firstRows).click();
      await upload.next('check');
      await upload.send();
      await expect(upload.button(uploadWords.ledger.lookAt)).toBeInViewport({ ratio: 1 });
      expect(await scrolls(page)).toEqual([0, 0]);

      await test.step('8 columns of a file are in view, and 16 in a larger window', async () => {
        await upload.open('demo/uploads.time');
        const names = Array.from({ length: 40 }, (_, at) => `channel ${at}`);
        const line = `2026-01-01T00:00:00Z,${names.map((_, at) => at).join(',')}`;
        await upload.pick(await fileWith('wide.csv', [`Time,${names.join(',')}`, line].join('\n')));
        await upload.next('columns');
        await expect(upload.tab.getByText(uploadWords.columns.filled)).toBeVisible();
        for (const { width, height, least } of [
          { width: 1024, height: 700, least: 8 },
          { width: 1440, height: 900, least: 16 },
        ]) {
          await page.setViewportSize({ width, height });
          await expect(upload.column(`channel ${least - 2}`)).toBeInViewport({ ratio: 1 });
        }
      });
    },
  );
});

test('dividers move by keyboard and keep their position; an error in the narrowest sidebar shows the full link to the guide', async ({
  app,
  demo,
  host,
  page,
}) => {
  await expect(app.button(words.connection.connect)).toBeVisible();
  const { apiKey } = addressOf(demo);
  const name = 'Nothing there';
  await callHost(page, host, (api) =>
    api.connections.add({
      name,
      dataUrl: `${demo.dataUrl}/nothing`,
      platformUrl: `${demo.platformUrl}/nothing`,
      credential: { method: 'api_key', apiKey },
      saveAnyway: true,
    }),
  );
  await page.reload();
  await page.getByRole('button', { name: words.start.open(name) }).click();
  const divider = page.getByRole('separator').and(page.locator('[aria-orientation=vertical]'));
  const sidebar = page.getByRole('tabpanel', { name: words.wells.heading, exact: true });
  const width = async () => Math.round((await sidebar.boundingBox())?.width ?? 0);
  await divider.focus();
  const before = await width();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowRight');
  await expect.poll(width).toBeGreaterThan(before);
  const moved = await width();
  await page.reload();
  await expect(sidebar.getByRole('alert').first()).toBeVisible();
  await expect.poll(width).toBe(moved);
  await divider.focus();
  // A step below the minimum width would close it.
  const narrowest = 201;
  await expect(async () => {
    if ((await width()) > narrowest) await page.keyboard.press('ArrowLeft');
    expect(await width()).toBeLessThanOrEqual(narrowest);
  }).toPass();
  expect(await width()).toBeGreaterThan(190);
  const more = page.getByRole('button', { name: words.help.more });
  await expect(more).toHaveCount(1);
  for (const each of await more.all()) {
    await each.scrollIntoViewIfNeeded();
    // No parent clips it, and it clips none of its content.
    await expect(each).toBeInViewport({ ratio: 1 });
    expect(await each.evaluate((button) => button.scrollWidth - button.clientWidth)).toBeLessThanOrEqual(0);
    await each.click({ trial: true });
  }
  await more.first().click();
  await expect(page.getByRole('complementary', { name: words.help.region })).toBeVisible();
});

test('a tab takes clicks after its list of suggestions was open, with another tab mounted behind it', async ({
  app,
  demo,
  page,
}) => {
  await app.connect(addressOf(demo));
  await app.openDataset('demo/wits');
  await app.run();
  await app.openDataset('demo/drilling.wits.depth');
  await page.getByRole('tab', { name: words.tabs.query('WITS', 1, []), exact: true }).click();
  await check(page.getByRole('radio', { name: words.results.views.plot }));
  await page.getByRole('combobox', { name: plotWords.addField }).click();
  await page.keyboard.type('hook');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('listbox')).toHaveCount(0);
  await check(page.getByRole('radio', { name: words.results.views.table }));
});
