import { uploadWords } from '../../src/renderer/words/upload.ts';
import { words } from '../../src/renderer/words/words.ts';
import { addressOf } from './support/fixtures.ts';
import { expect, test } from './support/upload.ts';

const rows = (day: number) =>
  ['When,ROP', ...[0, 1, 2].map((row) => `2026-01-0${day + row}T00:00:00Z,${row}`)].join('\n');

test('files that wait in the queue survive a reload of the window, and are sent in their turn', async ({
  app,
  demo,
  page,
  upload,
}) => {
  await app.connect(addressOf(demo));
  await app.well('Ridge A-101H').click();
  await upload.open('demo/uploads.time');
  await upload.drop([
    ['week 1.csv', rows(1)],
    ['week 2.csv', rows(4)],
    ['week 3.csv', rows(7)],
  ]);
  await page.getByRole('tab', { name: uploadWords.tab('week 1.csv') }).click();
  await upload.next('columns');
  await upload.button(uploadWords.columns.likely('When')).click();
  await upload.next('check');
  const waits = (file: string) => app.jobs.getByRole('listitem', { name: words.jobs.waitsNamed(file) });
  // The first is kept running as long as the test needs it.
  Object.assign(demo.faults, { fault_on: 'writes', rate_429: 1, retry_after: 2 });
  await upload.button(uploadWords.alike.send(3)).click();
  await app.jobsToggle().click();
  await expect(waits('week 3.csv')).toContainText(words.jobs.waitsBehind('week 2.csv'));
  await page.waitForTimeout(1000);
  await page.reload();
  await app.jobsToggle().click();
  await expect(waits('week 2.csv')).toContainText(words.jobs.waitsBehind('week 1.csv'));
  await expect(waits('week 3.csv')).toContainText(words.jobs.waitsBehind('week 2.csv'));
  demo.faults.rate_429 = 0;
  await expect(waits('week 3.csv')).toHaveCount(0, { timeout: 60_000 });
  for (const file of ['week 2.csv', 'week 3.csv']) {
    await page.getByRole('tab', { name: uploadWords.tab(file) }).click();
    await upload.atRest();
    expect(await upload.books()).toMatchObject({ accepted: 3, rows: 3 });
  }
});
