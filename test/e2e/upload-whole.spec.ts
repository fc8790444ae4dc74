import type { Locator } from '@playwright/test';
import { uploadWords } from '../../src/renderer/words/upload.ts';
import { words } from '../../src/renderer/words/words.ts';
import { addressOf } from './support/fixtures.ts';
import { expect, rigRows, test } from './support/upload.ts';

const { edges } = uploadWords;
const lines = [
  'Well   MD    Inc',
  ...Array.from({ length: 12 }, (_, n) => `A-1${n % 10}   ${100 + n}   ${n % 10}.5`),
];

test('a clean file is uploaded from the window into its dataset, and its records are shown; column edges of another are moved by mouse', async ({
  app,
  demo,
  page,
  upload,
  fileWith,
}) => {
  await app.connect(addressOf(demo));
  const rows = rigRows(2500).map((row, at) => `${Date.UTC(2026, 0, 1) + at * 1000}${row.slice(24)},5002`);
  const path = await fileWith('clean.csv', ['timestamp,data.rop,data.wob,asset_id', ...rows].join('\n'));
  await upload.open('demo/uploads.time');
  await upload.pick(path);
  await expect(upload.tab.getByText(uploadWords.file.noWarnings)).toBeVisible();
  await expect(page.getByRole('tab', { name: uploadWords.tab('clean.csv') })).toBeVisible();
  await upload.next('columns');
  await expect(upload.tab.getByText(uploadWords.columns.filled)).toBeVisible();
  await upload.next('check');
  await upload.send();
  await expect(upload.tab.getByRole('heading', { name: uploadWords.ledger.headings.done })).toBeVisible();
  expect(await upload.books()).toEqual({ accepted: 2500, rejected: 0, unknown: 0, pending: 0, rows: 2500 });

  await upload.button(uploadWords.ledger.lookAt).click();
  await expect(
    app.answer.getByRole('status').filter({ hasText: words.results.records(1_000) }),
  ).toBeVisible();
  await app.openText();
  await expect
    .poll(() => app.query())
    .toBe('{ asset_id: 5002, timestamp: { $gte: 1767225600000, $lte: 1767228099000 } }');
  await expect(app.column('data.rop').first()).toHaveText('100.00');
  expect(await app.count()).toBe(2500);

  await test.step('the column edges of another file are dragged, added, and removed by mouse', async () => {
    await upload.open('demo/uploads.depth');
    await upload.pick(await fileWith('wells.txt', `${lines.join('\n')}\n`));
    const edge = (number: number): Locator => upload.tab.getByRole('slider', { name: edges.edge(number) });
    const placeOf = async (locator: Locator): Promise<number> => (await locator.boundingBox())?.x ?? 0;
    await expect(edge(1)).toHaveAttribute('aria-valuenow', '7');
    await expect(edge(2)).toHaveAttribute('aria-valuenow', '13');
    const character = ((await placeOf(edge(2))) - (await placeOf(edge(1)))) / 6;

    await edge(1).hover();
    await page.mouse.down();
    const { x = 0, y = 0, height = 0 } = (await edge(1).boundingBox()) ?? {};
    const middle = y + height / 2;
    await page.mouse.move(x + 4 - character * 2, middle, { steps: 3 });
    await page.mouse.up();
    await expect(edge(1)).toHaveAttribute('aria-valuenow', '5');
    await expect(upload.tab.getByRole('columnheader', { name: 'MD' })).toBeVisible();

    await page.mouse.click((await placeOf(edge(1))) + 4 + character * 4, middle);
    await expect(edge(2)).toHaveAttribute('aria-valuenow', '9');
    await expect(edge(3)).toHaveAttribute('aria-valuenow', '13');
    await edge(2).dblclick();
    await expect(edge(3)).toBeHidden();
    await upload.button(edges.reset).click();
    await expect(edge(1)).toHaveAttribute('aria-valuenow', '7');
  });
});
