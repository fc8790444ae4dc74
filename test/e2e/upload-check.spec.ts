import { readFile } from 'node:fs/promises';
import { words } from '../../src/renderer/words/words.ts';
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
  await upload.button(words.upload.columns.likely('Time')).click();
  const dialog = await upload.place('ROP');
  await dialog.getByRole('button', { name: words.upload.columns.readAs }).click();
  await page.getByRole('option', { name: words.upload.columns.kinds.number, exact: true }).click();
  await dialog.getByRole('button', { name: words.close }).click();
  await upload.next('check');
  await expect(upload.tab.getByText(words.upload.standing.found(0))).toBeVisible();
  await expect(upload.tab.getByText(words.upload.check.bad(4_900, 100))).toBeVisible();
  await expect(upload.button(words.upload.check.sendOthers(4_900, 100))).toBeEnabled();

  await test.step('a line of the list is gone to; the text is taken as no value, and the rows are checked again', async () => {
    await upload.button(words.upload.ledger.showLine(109)).click();
    await expect(upload.tab.getByText(words.upload.preview.at(109))).toBeVisible();
    await expect(upload.tab.getByRole('gridcell', { name: 'stuck' }).first()).toBeFocused();
    await upload.button(words.upload.correct.label('“stuck” is not a number.')).click();
    await page.getByRole('button', { name: words.upload.correct.null('stuck') }).click();
    await expect(upload.tab.getByText(/5,000 rows can be sent/)).toBeVisible();
    await upload.button(words.upload.back).click();
    const nulls = upload.tab.getByLabel(words.upload.columns.nulls);
    await expect(nulls).toHaveValue('stuck');
    await nulls.fill('');
    await nulls.press('Tab');
    await upload.next('check');
  });

  await upload.send();
  expect(await upload.books()).toEqual({ accepted: 4900, rejected: 100, unknown: 0, pending: 0, rows: 5000 });
  const problems = upload.tab.getByRole('table', { name: words.upload.ledger.problems });
  await expect(problems.getByRole('row').nth(1)).toHaveText(
    /ROP\s*“stuck” is not a number\.\s*100\s*9\s*59\s*109/,
  );

  const downloading = page.waitForEvent('download');
  await upload.tab.getByRole('link', { name: words.jobs.download('two in a hundred.rejects.csv') }).click();
  const rejects = (await readFile(await (await downloading).path(), 'utf8')).trimEnd().split('\n');
  expect(rejects).toHaveLength(101);
  expect(rejects[0]).toContain('Time,ROP,WOB');
  for (const [at, line] of rejects.slice(1).entries()) {
    expect(line).toContain(lines[at * 50 + 7]);
    expect(line).toContain(String(at * 50 + 9));
    expect(line).toContain('not_a_number');
  }
  // The trial has left nothing behind.
  await app.jobsToggle().click();
  await expect(app.jobs.getByRole('listitem', { name: /two in a hundred/ })).toHaveCount(1);
});
