import type { Demo } from '../../src/demo/index.ts';
import { addressOf, expect, test } from './support/fixtures.ts';

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
    await page.getByRole('radio', { name: 'Local' }).check({ force: true });
    await expect(app.column('timestamp')).toHaveText(['2023-11-14 16:13:20', '2023-11-14 16:13:21.500']);
    await app.column('timestamp').first().hover();
    await expect(page.locator('.ag-tooltip')).toHaveText('2023-11-14 16:13:20 UTC−06:00 · 1700000000000 ms');
  });

  await test.step('one record whole, with every digit', async () => {
    await app.column('data.big').first().click();
    const record = page.getByRole('region', { name: 'Record detail' });
    await expect(record).toContainText('big 9007199254740993');
    await expect(record).toContainText('note null');
    await record.getByText('[3 items]').click();
    await expect(record.getByRole('listitem').filter({ hasText: /^2 3$/ })).toBeVisible();
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

test('10,000 records, the most of one page, come into the grid', async ({ app, page }) => {
  await app.openSample();
  await app.openDataset('demo/wits');
  await page.getByLabel('Limit').fill('10000');
  await app.run();
  await expect(app.answer.getByRole('status').first()).toContainText('10,000 records');
  await expect(app.column('timestamp').first()).toBeVisible();
});

test('an empty answer says what to do', async ({ app }) => {
  await app.openSample();
  await app.openDataset('demo/wits');
  await app.typeQuery('{ asset_id: 1 }');
  await app.button('Run').click();
  await expect(app.answer).toContainText('No record matches. Widen the query');
});

test('only the fields asked for come back', async ({ app, page }) => {
  await app.openSample();
  await app.openDataset('demo/wits');
  await page.getByLabel('Fields').fill('data.rop, timestamp');
  await page.getByLabel('Skip').fill('5');
  await page.getByLabel('Limit').fill('3');
  await page.getByLabel('Limit').press('Enter');
  await expect(app.answer.getByRole('status').first()).toContainText('3 records');
  await expect(app.answer.getByRole('columnheader', { name: 'rop' })).toBeVisible();
  await expect(app.answer.getByRole('columnheader', { name: 'hook_load' })).toHaveCount(0);
});
