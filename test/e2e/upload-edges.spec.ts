import type { Locator } from '@playwright/test';
import { uploadWords } from '../../src/renderer/words/upload.ts';
import { addressOf } from './support/fixtures.ts';
import { expect, test } from './support/upload.ts';

const { edges } = uploadWords;
const lines = [
  'Well   MD    Inc',
  ...Array.from({ length: 12 }, (_, n) => `A-1${n % 10}   ${100 + n}   ${n % 10}.5`),
];

test('column edges are dragged, added, and removed by mouse', async ({
  app,
  demo,
  page,
  upload,
  fileWith,
}) => {
  await app.connect(addressOf(demo));
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
