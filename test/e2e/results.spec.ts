import type { Demo } from '../../src/demo/index.ts';
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
  await page.getByLabel('Sort').fill('{ timestamp: 1 }');
  await app.run();

  await expect(app.column('data.big')).toHaveText(['9007199254740993', '-9007199254740995']);
  await expect(app.column('data.note')).toHaveText(['null', '']);
  await expect(app.column('data.note').first()).toHaveClass(/cell-null/);
  await expect(app.column('data.note').last()).toHaveClass(/cell-absent/);
  await expect(app.column('data.list')).toHaveText(['[3 items]', '']);

  await test.step('times in UTC or local, the raw milliseconds when pointed at', async () => {
    await expect(app.column('timestamp')).toHaveText(['2023-11-14 22:13:20', '2023-11-14 22:13:21.500']);
    await app.button(/Times$/).click();
    await page.getByRole('option', { name: /^Local/ }).click();
    await expect(app.column('timestamp')).toHaveText(['2023-11-14 16:13:20', '2023-11-14 16:13:21.500']);
    await app.column('timestamp').first().hover();
    await expect(page.locator('.ag-cell-tooltip')).toHaveText(
      '2023-11-14 16:13:20 UTC−06:00 · 1700000000000 ms',
    );
  });

  await test.step('one record whole, with every digit', async () => {
    await app.column('data.big').first().click();
    const record = page.getByRole('region', { name: 'Record detail' });
    await expect(record.getByRole('row', { name: 'big 9007199254740993' })).toBeVisible();
    await expect(record.getByRole('row', { name: 'note null' })).toBeVisible();
    const list = record.getByRole('row', { name: /^list/ });
    await list.click();
    await page.keyboard.press('ArrowRight');
    await expect(record.getByRole('row', { name: '2 3' })).toBeVisible();
    await record.getByRole('row', { name: 'big 9007199254740993' }).click();
    await app.button('Filter by this value').click();
    await expect.poll(() => app.query()).toContain('"data.big": 9007199254740993');
    await app.button('Close the record').click();
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
    await page.getByLabel('Limit').fill('10000');
    await app.run();
    await expect(app.answer.getByRole('status').first()).toContainText('10,000 records');
    await expect(app.column('timestamp').first()).toBeVisible();
  });
});

test('all that matches is scrolled through, to its end and back', async ({ app, demo, page }) => {
  await app.connect(addressOf(demo));
  await app.openDataset('demo/wits');
  await app.typeQuery('{}');
  await app.run();
  await app.button('Show all that match').click();
  const said = app.answer.getByRole('status').first();
  // More than the limit of the first answer, and no words of one that is still asked for.
  await expect(said).toHaveText(/^[3-9],\d{3} records/);
  const rows = Number((await said.innerText()).replace(/ record.*$/s, '').replaceAll(',', ''));
  expect(rows).toBeGreaterThan(3000);
  const newest = await app.column('timestamp').first().innerText();
  await app.column('timestamp').first().click();

  // A page that can't be had says why, and is asked for again.
  demo.faults.require_scope = true;
  await page.keyboard.press('ControlOrMeta+ArrowDown');
  const problem = app.answer.getByRole('alert');
  await expect(problem).toContainText('Some rows in view could not be fetched.');
  demo.faults.require_scope = false;
  await problem.getByRole('button', { name: 'Try again' }).click();
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
  const menu = page.getByRole('menu', { name: 'Copy or save as' });
  const open = async () => {
    await app.button('Copy or save as').click();
    return menu.getByRole('group').allInnerTexts();
  };
  expect((await open())[0]).toContain('1,000 loaded rows\n');
  await page.keyboard.press('Escape');

  await app.button('Show all that match').click();
  const said = app.answer.getByRole('status').first();
  await expect(said).toHaveText(/^[3-9],\d{3} records/);
  const rows = (await said.innerText()).replace(/ record.*$/s, '');
  const size = /[\d.]+ [kM]B/.exec((await said.textContent()) ?? '')?.[0] ?? 'no size';
  expect(size).not.toBe('no size');
  await app.column('timestamp').first().click();
  await page.keyboard.press('ControlOrMeta+ArrowDown');
  const last = page.locator(`[row-index="${Number(rows.replaceAll(',', '')) - 1}"] [col-id=timestamp]`);
  await expect(last).toHaveText(/^\d/);
  // The size is that of all pages that came.
  await expect(said).not.toContainText(size);

  const [loaded = '', matching = ''] = await open();
  expect(loaded).toMatch(new RegExp(`^[\\d,]+ loaded rows of ${rows} with \\d+ gaps?\\n`));
  expect(matching).toMatch(/^All rows that match\n/);
  const downloading = page.waitForEvent('download');
  await menu.getByRole('menuitem', { name: 'Save as CSV' }).click();
  expect((await downloading).suggestedFilename()).toMatch(
    /^wits .*, [\d,]+ loaded rows with \d+ gaps?\.csv$/,
  );

  await test.step('find says which rows it searched, and searches the others', async () => {
    await page.getByRole('searchbox', { name: 'Find in the loaded records' }).fill('no such text');
    await expect(app.answer.getByText(/^not in the [\d,]+ loaded rows$/)).toBeVisible();
    await app.button('Load and search all').click();
    await expect(app.answer.getByText('not found', { exact: true })).toBeVisible();
    expect((await open())[0]).toContain(`All ${rows} rows\n`);
    await page.keyboard.press('Escape');
  });

  await test.step('results, and counts, of another query are marked as such', async () => {
    await app.count();
    await app.typeQuery('{ asset_id: 1 }');
    await expect(page.getByText(/records? match/)).toHaveCount(0);
    await expect(app.answer).toContainText('These are the results of an earlier query.');
    await app.typeQuery('{}');
    await expect(app.answer).not.toContainText('an earlier query');
    await expect(page.getByText(/records? match/)).toBeVisible();
  });
});

test('columns, cells and what they hold: by menu, by keyboard, and kept', async ({ app, page }) => {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  const clipboard = () => page.evaluate(() => navigator.clipboard.readText());
  await app.openSample();
  await app.openDataset('demo/wits');
  await page.getByLabel('Limit').fill('50');
  await app.run();
  const head = (name: string) => app.answer.getByRole('columnheader', { name });

  await test.step('units stand in the heads', async () => {
    await expect(head('hole_depth (ft)')).toBeVisible();
  });

  await test.step('a row is copied as JSON, and a column is hidden, from the menu of a cell', async () => {
    await app.column('data.hole_depth').nth(1).click({ button: 'right' });
    expect(await findings(page, [...popover, 'aria-hidden-focus'], '.menu')).toEqual([]);
    await page.getByRole('menuitem', { name: 'Copy row as JSON' }).click();
    await expect(app.answer.getByText('Copied 1 row.')).toBeVisible();
    expect(JSON.parse(await clipboard())).toMatchObject({
      provider: 'demo',
      data: { state: expect.any(String) },
    });
    await app.column('data.hole_depth').first().click();
    await page.keyboard.press('Shift+F10');
    await page.getByRole('menuitem', { name: 'Hide' }).click();
    await expect(head('hole_depth (ft)')).toHaveCount(0);
  });

  await test.step('it comes back from the chooser, by its name', async () => {
    await app.button('Columns: 1 hidden').click();
    await page.getByRole('searchbox', { name: 'Search columns' }).fill('hole');
    await page.getByRole('row', { name: 'data.hole_depth' }).click();
    expect(await findings(page, popover, '.popup')).toEqual([]);
    await page.keyboard.press('Escape');
    await expect(page.getByRole('dialog')).toHaveCount(0);
    await expect(head('hole_depth (ft)')).toBeVisible();
  });

  await test.step('how columns stand is kept for the dataset', async () => {
    await app.column('asset_id').first().click({ button: 'right' });
    await page.getByRole('menuitem', { name: 'Hide' }).click();
    await app.button('Run').click();
    await expect(head('hole_depth (ft)')).toBeVisible();
    await expect(head('asset_id')).toHaveCount(0);
  });

  await test.step('a column is summed up, and the service sums up all that match', async () => {
    await app.typeQuery('{ asset_id: 5001, timestamp: { $gte: 1795132700000 } }');
    await app.run();
    await app.column('data.hole_depth').first().click({ button: 'right' });
    await page.getByRole('menuitem', { name: 'Summary' }).click();
    const summary = page.getByRole('region', { name: 'Column summary' });
    await expect(summary.getByRole('heading', { name: 'In 50 loaded records' })).toBeVisible();
    await summary.getByRole('button', { name: 'Ask the service' }).click();
    await expect(summary.getByText('Records', { exact: true })).toBeVisible();
    expect(await findings(page, [], '.answer')).toEqual([]);
    await summary.getByRole('button', { name: 'Close the summary' }).click();
  });

  await test.step('a text is found, and the focus goes to its cell', async () => {
    await page.getByRole('searchbox', { name: 'Find in the loaded records' }).fill('DEMO');
    await expect(app.answer.getByText('50 in the 50 loaded rows')).toBeVisible();
    await page.keyboard.press('Enter');
    await expect(page.locator('[role=gridcell]:focus')).toHaveText('demo');
  });

  await test.step('the service sorts', async () => {
    await app.answer.getByRole('columnheader', { name: 'provider' }).click();
    await page.getByRole('menuitem', { name: 'Sort ascending, and ask again' }).click();
    await expect(page.getByLabel('Sort')).toHaveValue('{ provider: 1 }');
    // The columns stay where they were scrolled to.
    await expect(head('provider ↑')).toBeVisible();
  });
});
