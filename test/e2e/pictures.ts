import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { plotWords } from '../../src/renderer/words/plot.ts';
import { words } from '../../src/renderer/words/words.ts';
import { check } from './support/app.ts';
import { expect } from './support/fixtures.ts';
import { rigRows, test } from './support/upload.ts';

/** The pictures of the README, taken by `npm run screenshots`. */
const folder = resolve('docs', 'pictures');

test.use({ viewport: { width: 1280, height: 760 }, colorScheme: 'light', reducedMotion: 'reduce' });

test('the pictures of the README', async ({ app, page, upload, fileWith }) => {
  mkdirSync(folder, { recursive: true });
  const take = async (name: string) => {
    await page.mouse.move(0, 0);
    await page.screenshot({ path: join(folder, `${name}.png`), animations: 'disabled', caret: 'hide' });
  };
  await app.openSample();
  await app.well('Cottonwood B-106H').click();
  await app.openDataset('demo/wits');
  await app.textToggle().click();
  await app.run();
  await app.count();
  await take('ask');

  await check(page.getByRole('radio', { name: words.results.views.plot }));
  await expect(page.getByRole('region', { name: plotWords.region }).getByRole('application')).toBeVisible();
  await expect(page.getByText(plotWords.loading)).toHaveCount(0);
  await expect(page.getByText(plotWords.drawing)).toHaveCount(0);
  await take('look');

  const rows = rigRows(3000, (row) => (row % 500 === 7 ? 'stuck' : (100 + row / 100).toFixed(2)));
  await upload.open('demo/uploads.time');
  await upload.pick(await fileWith('rig-12.csv', ['Time,ROP,WOB', ...rows].join('\n')));
  await upload.next('columns');
  await take('upload');
});
