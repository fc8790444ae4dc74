import { readFile } from 'node:fs/promises';
import { addressOf } from './support/fixtures.ts';
import { expect, rigRows, test } from './support/upload.ts';

test('two rows of a hundred are rejected: why is said before and after, and they come back as a file', async ({
  app,
  demo,
  page,
  upload,
  fileWith,
}) => {
  await app.connect(addressOf(demo));
  await app.well('Ridge A-101H').click();
  const lines = rigRows(5000, (row) => (row % 50 === 7 ? 'stuck' : String(row)));
  const path = await fileWith('two in a hundred.csv', ['Time,ROP,WOB', ...lines].join('\n'));
  await upload.open('demo/uploads.time');
  await upload.pick(path);
  await expect(upload.tab.getByText('is mostly numbers, but not “stuck”')).toBeVisible();
  await upload.next('columns');
  await upload.button('Use “Time”').click();
  const dialog = await upload.place('ROP');
  await dialog.getByRole('button', { name: 'Read as' }).click();
  await page.getByRole('option', { name: 'Number', exact: true }).click();
  await dialog.getByRole('button', { name: 'Close' }).click();
  await upload.next('check');
  await expect(upload.tab.getByText('The dataset has no records where these rows belong.')).toBeVisible();
  await expect(upload.tab.getByText('4,900 rows can be sent, 100 would be rejected.')).toBeVisible();
  await expect(upload.button('Send 4,900 rows, leave out 100')).toBeEnabled();

  await test.step('a line of the list is gone to; the text is taken as no value, and the rows are checked again', async () => {
    await upload.button('Show line 109').click();
    await expect(upload.tab.getByText('Line 109 and the rows around it')).toBeVisible();
    await expect(upload.tab.getByRole('gridcell', { name: 'stuck' }).first()).toBeFocused();
    await upload.button('Correct: “stuck” is not a number.').click();
    await page.getByRole('button', { name: 'Take “stuck” as no value, in every column' }).click();
    await expect(upload.tab.getByText(/5,000 rows can be sent/)).toBeVisible();
    await upload.button('Back').click();
    const nulls = upload.tab.getByLabel('Treat as null');
    await expect(nulls).toHaveValue('stuck');
    await nulls.fill('');
    await nulls.press('Tab');
    await upload.next('check');
  });

  await upload.send();
  expect(await upload.books()).toEqual({ accepted: 4900, rejected: 100, unknown: 0, pending: 0, rows: 5000 });
  const problems = upload.tab.getByRole('table', { name: 'Why rows were rejected' });
  await expect(problems.getByRole('row').nth(1)).toHaveText(
    /ROP\s*“stuck” is not a number\.\s*100\s*9\s*59\s*109/,
  );

  const downloading = page.waitForEvent('download');
  await upload.tab.getByRole('link', { name: 'Download two in a hundred.rejects.csv' }).click();
  const rejects = (await readFile(await (await downloading).path(), 'utf8')).trimEnd().split('\n');
  expect(rejects).toHaveLength(101);
  expect(rejects[0]).toContain('Time,ROP,WOB');
  for (const [at, line] of rejects.slice(1).entries()) {
    expect(line).toContain(lines[at * 50 + 7]);
    expect(line).toContain(String(at * 50 + 9));
    expect(line).toContain('not_a_number');
  }
  // The trial has left nothing behind.
  await app.jobs.getByRole('button', { name: /^Jobs/ }).click();
  await expect(app.jobs.getByRole('listitem', { name: /two in a hundred/ })).toHaveCount(1);
});
