import type { Demo } from '../../src/demo/index.ts';
import { words } from '../../src/renderer/words/words.ts';
import { any, anyCount, including, like, oneOf, startingLike } from '../support/wording.ts';
import { findings, popover } from './support/findings.ts';
import { addressOf, expect, fullSample, test } from './support/fixtures.ts';

// Written as text: JavaScript's own numbers could not hold the first value.
const records = `[
  {"version": 1, "asset_id": 5001, "timestamp": 1700000000000, "data": {"big": 9007199254740993, "note": null, "list": [1, 2, 3]}},
  {"version": 1, "asset_id": 5001, "timestamp": 1700000001500, "data": {"big": -9007199254740995}}
]`;

async function insert(demo: Demo): Promise<void> {
  const answer = await fetch(`${demo.dataUrl}/api/v1/data/demo/wits/`, {
    method: 'POST',
    headers: { Authorization: `API ${demo.apiKeys.write}`, 'Content-Type': 'application/json' },
    body: records,
  });
  expect(answer.status).toBe(200);
}

test('values stand in the grid exactly as the service gave them', async ({ app, demo, page }) => {
  await insert(demo);
  await app.connect(addressOf(demo));
  await app.openDataset('demo/wits');
  await app.typeQuery('{ asset_id: 5001, timestamp: { $lt: 1700000009000 } } // what was just stored');
  await page.getByLabel(words.query.sort).fill('{ timestamp: 1 }');
  await app.run();

  await expect(app.column('data.big')).toHaveText(['9007199254740993', '-9007199254740995']);
  await expect(app.column('data.note')).toHaveText([words.results.nullCell, '']);
  await expect(app.column('data.note').first()).toHaveClass(/cell-null/);
  await expect(app.column('data.note').last()).toHaveClass(/cell-absent/);
  await expect(app.column('data.list')).toHaveText([words.results.items(3), '']);

  await test.step('times in UTC or local, the raw milliseconds when pointed at', async () => {
    await expect(app.column('timestamp')).toHaveText(['2023-11-14 22:13:20', '2023-11-14 22:13:21.500']);
    await app.button(including(words.results.zones.label)).click();
    await page.getByRole('option', { name: like(words.results.zones.local(any)) }).click();
    await expect(app.column('timestamp')).toHaveText(['2023-11-14 16:13:20', '2023-11-14 16:13:21.500']);
    await app.column('timestamp').first().hover();
    await expect(page.locator('.ag-cell-tooltip')).toHaveText(
      '2023-11-14 16:13:20 UTC−06:00 · 1700000000000 ms',
    );
  });

  await test.step('one record whole, with every digit', async () => {
    await app.column('data.big').first().click();
    const record = page.getByRole('region', { name: words.record.region });
    await expect(record.getByRole('row', { name: 'big 9007199254740993' })).toBeVisible();
    await expect(record.getByRole('row', { name: 'note null' })).toBeVisible();
    const list = record.getByRole('row', { name: /^list/ });
    await list.click();
    await page.keyboard.press('ArrowRight');
    await expect(record.getByRole('row', { name: '2 3' })).toBeVisible();
    await record.getByRole('row', { name: 'big 9007199254740993' }).click();
    await app.button(words.results.menu.filter).click();
    await expect.poll(() => app.query()).toContain('"data.big": 9007199254740993');
    await app.button(words.record.close).click();
    await expect(record).toHaveCount(0);
  });

  await test.step('the text of a cell is copied', async () => {
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await app.column('data.big').first().click();
    await page.keyboard.press('ControlOrMeta+C');
    await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe('9007199254740993');
  });
});

test.describe('with the sample workspace in its full size', () => {
  test.use({ ownHost: fullSample });
  test('10,000 records, the most of one page, come into the grid', async ({ app, page }) => {
    await app.openSample();
    await app.openDataset('demo/wits');
    await page.getByLabel(words.query.limit).fill('10000');
    await app.run();
    await expect(app.answer.getByRole('status').first()).toContainText(words.results.records(10_000));
    await expect(app.column('timestamp').first()).toBeVisible();
  });
});

test('all that matches is scrolled through, to its end and back', async ({ app, demo, page }) => {
  await app.connect(addressOf(demo));
  await app.openDataset('demo/wits');
  await app.typeQuery('{}');
  await app.run();
  await app.button(words.results.showAll).click();
  const said = app.answer.getByRole('status').first();
  // More than the limit of the first answer, and no words of one that is still asked for.
  await expect(said).toHaveText(startingLike(words.results.records(anyCount)));
  const rows = Number((/[\d,]+/.exec(await said.innerText())?.[0] ?? '').replaceAll(',', ''));
  expect(rows).toBeGreaterThan(3000);
  const newest = await app.column('timestamp').first().innerText();
  await app.column('timestamp').first().click();

  // A page that can't be had says why, and is asked for again.
  demo.faults.require_scope = true;
  await page.keyboard.press('ControlOrMeta+ArrowDown');
  const problem = app.answer.getByRole('alert');
  await expect(problem).toContainText(words.results.failedRows);
  demo.faults.require_scope = false;
  await problem.getByRole('button', { name: words.tryAgain }).click();
  await expect(problem).toHaveCount(0);

  const last = page.locator(`[row-index="${rows - 1}"] [col-id=timestamp]`);
  await expect(last).toHaveText(/^\d/);
  expect((await last.innerText()) < newest).toBe(true);
  await last.focus();
  await page.keyboard.press('ControlOrMeta+ArrowUp');
  await expect(page.locator('[row-index="0"] [col-id=timestamp]')).toHaveText(newest);
});

test('a copy or a file says which rows it takes, and all that match are exported whole', async ({
  app,
  demo,
  page,
}) => {
  await app.connect(addressOf(demo));
  await app.openDataset('demo/wits');
  await app.typeQuery('{}');
  await app.run();
  const menu = page.getByRole('menu', { name: words.results.copying.label });
  const open = async () => {
    await app.button(words.results.copying.label).click();
    return menu.getByRole('group').allInnerTexts();
  };
  expect((await open())[0]).toContain('1,000 loaded rows\n');
  await page.keyboard.press('Escape');

  await app.button(words.results.showAll).click();
  const said = app.answer.getByRole('status').first();
  await expect(said).toHaveText(startingLike(words.results.records(anyCount)));
  const rows = /[\d,]+/.exec(await said.innerText())?.[0] ?? '';
  const count = Number(rows.replaceAll(',', ''));
  const size = /[\d.]+ [kM]B/.exec((await said.textContent()) ?? '')?.[0] ?? 'no size';
  expect(size).not.toBe('no size');
  await app.column('timestamp').first().click();
  await page.keyboard.press('ControlOrMeta+ArrowDown');
  const last = page.locator(`[row-index="${count - 1}"] [col-id=timestamp]`);
  await expect(last).toHaveText(/^\d/);
  // The size is that of all pages that came.
  await expect(said).not.toContainText(size);

  const [loaded = '', matching = ''] = await open();
  expect(loaded).toMatch(
    oneOf(...[1, anyCount].map((gaps) => startingLike(words.results.copying.loaded(anyCount, count, gaps)))),
  );
  expect(matching).toMatch(startingLike(words.results.copying.matching));
  const downloading = page.waitForEvent('download');
  await menu.getByRole('menuitem', { name: words.results.copying.saveFormats.csv }).click();
  expect((await downloading).suggestedFilename()).toMatch(
    oneOf(
      ...[1, anyCount].map((gaps) =>
        like(`wits ${any}, ${words.results.partName({ selected: false, count: anyCount, gaps })}.csv`),
      ),
    ),
  );

  await test.step('find says which rows it searched, and searches the others', async () => {
    await page.getByRole('searchbox', { name: words.results.find.label }).fill('no such text');
    await expect(app.answer.getByText(like(words.results.find.hits(0, anyCount)))).toBeVisible();
    await app.button(words.results.find.loadAll).click();
    await expect(app.answer.getByText(words.results.find.hits(0, null), { exact: true })).toBeVisible();
    expect((await open())[0]).toContain(`${words.results.copying.all(count)}\n`);
    await page.keyboard.press('Escape');
  });

  await test.step('results, and counts, of another query are marked as such', async () => {
    await app.count();
    await app.typeQuery('{ asset_id: 1 }');
    await expect(page.getByText(including(words.query.counted(anyCount)))).toHaveCount(0);
    await expect(app.answer).toContainText(words.results.earlier.full);
    await app.typeQuery('{}');
    await expect(app.answer).not.toContainText(words.results.earlier.full);
    await expect(page.getByText(including(words.query.counted(anyCount)))).toBeVisible();
  });
});

test('columns, cells and what they hold: by menu, by keyboard, and kept', async ({ app, page }) => {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  const clipboard = () => page.evaluate(() => navigator.clipboard.readText());
  await app.openSample();
  await app.openDataset('demo/wits');
  await page.getByLabel(words.query.limit).fill('50');
  await app.run();
  const head = (name: string) => app.answer.getByRole('columnheader', { name });

  await test.step('units stand in the heads', async () => {
    await expect(head('hole_depth (ft)')).toBeVisible();
  });

  await test.step('a row is copied as JSON, and a column is hidden, from the menu of a cell', async () => {
    await app.column('data.hole_depth').nth(1).click({ button: 'right' });
    expect(await findings(page, [...popover, 'aria-hidden-focus'], '.menu')).toEqual([]);
    await page.getByRole('menuitem', { name: words.results.menu.copyRows(1, 'json') }).click();
    await expect(app.answer.getByText(words.results.copied(1, null))).toBeVisible();
    expect(JSON.parse(await clipboard())).toMatchObject({
      provider: 'demo',
      data: { state: expect.any(String) },
    });
    await app.column('data.hole_depth').first().click();
    await page.keyboard.press('Shift+F10');
    await page.getByRole('menuitem', { name: words.results.menu.hide }).click();
    await expect(head('hole_depth (ft)')).toHaveCount(0);
  });

  await test.step('it comes back from the chooser, by its name', async () => {
    await app.button(words.results.columns.some(1)).click();
    await page.getByRole('searchbox', { name: words.results.columns.search }).fill('hole');
    await page.getByRole('row', { name: 'data.hole_depth' }).click();
    expect(await findings(page, popover, '.popup')).toEqual([]);
    await page.keyboard.press('Escape');
    await expect(page.getByRole('dialog')).toHaveCount(0);
    await expect(head('hole_depth (ft)')).toBeVisible();
  });

  await test.step('how columns stand is kept for the dataset', async () => {
    await app.column('asset_id').first().click({ button: 'right' });
    await page.getByRole('menuitem', { name: words.results.menu.hide }).click();
    await app.button(words.query.run).click();
    await expect(head('hole_depth (ft)')).toBeVisible();
    await expect(head('asset_id')).toHaveCount(0);
  });

  await test.step('a column is summed up, and the service sums up all that match', async () => {
    await app.typeQuery('{ asset_id: 5001, timestamp: { $gte: 1795132700000 } }');
    await app.run();
    await app.column('data.hole_depth').first().click({ button: 'right' });
    await page.getByRole('menuitem', { name: words.results.menu.summary }).click();
    const summary = page.getByRole('region', { name: words.results.summary.region });
    await expect(summary.getByRole('heading', { name: words.results.summary.loaded(50) })).toBeVisible();
    await summary.getByRole('button', { name: words.results.summary.askWhole }).click();
    await expect(summary.getByText(words.results.summary.records, { exact: true })).toBeVisible();
    expect(await findings(page, [], '.results-answer')).toEqual([]);
    await summary.getByRole('button', { name: words.results.summary.close }).click();
  });

  await test.step('a text is found, and the focus goes to its cell', async () => {
    await page.getByRole('searchbox', { name: words.results.find.label }).fill('DEMO');
    await expect(app.answer.getByText(words.results.find.hits(50, 50))).toBeVisible();
    await page.keyboard.press('Enter');
    await expect(page.locator('[role=gridcell]:focus')).toHaveText('demo');
  });

  await test.step('the service sorts', async () => {
    await app.answer.getByRole('columnheader', { name: 'provider' }).click();
    await page.getByRole('menuitem', { name: words.results.menu.ascending }).click();
    await expect(page.getByLabel(words.query.sort)).toHaveValue('{ provider: 1 }');
    // The columns stay where they were scrolled to.
    await expect(head('provider ↑')).toBeVisible();
  });
});
