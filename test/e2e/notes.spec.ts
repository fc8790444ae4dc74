import { notesWords } from '../../src/renderer/words/notes.ts';
import { plotWords } from '../../src/renderer/words/plot.ts';
import { words } from '../../src/renderer/words/words.ts';
import { check } from './support/app.ts';
import { findings } from './support/findings.ts';
import { expect, test } from './support/fixtures.ts';
import { addNote, plot } from './support/notes.ts';

const w = notesWords;

test('a note on what is in view is drawn in the plots of its well, and listed with the well', async ({
  app,
  page,
}) => {
  await app.openSample();
  await app.well(/^Badger Creek A-117H/).click();
  await app.openDataset('demo/wits');
  await app.run();
  await check(page.getByRole('radio', { name: words.results.views.plot }));
  const drawing = plot(page).getByRole('application');
  const read = plot(page)
    .getByRole('table', { name: plotWords.values })
    .getByRole('row')
    .filter({ has: page.getByRole('rowheader', { name: w.heading }) });
  const heading = plot(page).getByRole('heading');
  await expect(heading).toHaveText(/\d to \d/);
  const whole = await heading.innerText();
  // A key that goes to the plot while it is being drawn is lost.
  await expect(async () => {
    await drawing.focus();
    await page.keyboard.press('End');
    await page.keyboard.press('+');
    await expect(heading).not.toHaveText(whole, { timeout: 2000 });
  }).toPass();
  const range = await heading.innerText();
  const from = /\d{4}-\d\d-\d\d \d\d:\d\d/.exec(range)?.[0] ?? '';
  await addNote(page, 'stuck pipe');
  // A key that went to the plot before the note was drawn is pressed again.
  const readsNote = (isThere: boolean) =>
    expect(async () => {
      await drawing.focus();
      await page.keyboard.press('ArrowLeft');
      const now = plot(page).locator('.readout-now').filter({ hasText: /\d/ });
      await expect(now.first()).toBeVisible({ timeout: 2000 });
      await expect(read.filter({ hasText: 'stuck pipe' })).toHaveCount(isThere ? 1 : 0, { timeout: 2000 });
    }).toPass();
  await readsNote(true);
  const overlays = plot(page).getByRole('button', { name: plotWords.overlays.button(0) });
  await overlays.click();
  const shown = page.getByRole('checkbox', { name: w.heading });
  await shown.uncheck({ force: true });
  await page.keyboard.press('Escape');
  await readsNote(false);
  await overlays.click();
  await check(shown);
  await page.keyboard.press('Escape');
  await readsNote(true);
  // A popup that closes gives the focus back late.
  await expect(async () => {
    await drawing.focus();
    await page.keyboard.press('0');
    await expect(heading).toHaveText(whole, { timeout: 2000 });
    await page.keyboard.press('Home');
    await expect(read).not.toContainText('stuck pipe', { timeout: 2000 });
  }).toPass();
  expect(await findings(page, [], '.plot-view')).toEqual([]);

  await page.reload();
  await app.button(words.wells.details('Badger Creek A-117H')).click();
  const listed = page.getByRole('list', { name: w.of('Badger Creek A-117H') });
  await expect(listed).toContainText('stuck pipe');
  await expect(listed).toContainText(from);
});
