import { words } from '../../src/renderer/words/words.ts';
import { startingLike } from '../support/wording.ts';
import { findings } from './support/findings.ts';
import { expect, rigRows, test } from './support/upload.ts';

test.use({ tour: true, reducedMotion: 'reduce' });

const atStep = (step: number): RegExp => startingLike(words.tour.at(step, 6));

test('the tour goes on by what a person does, and never stands in the way', async ({
  app,
  page,
  upload,
  fileWith,
}) => {
  const tour = page.getByRole('complementary', { name: words.tour.region });
  const said = tour.getByRole('status');
  await app.openSample();
  await expect(said).toContainText(words.tour.offer);
  expect(await findings(page)).toEqual([]);
  await tour.getByRole('button', { name: words.tour.start }).press('Enter');
  await expect(tour.getByRole('button', { name: words.tour.leave })).toBeFocused();

  await expect(said).toHaveText(atStep(1));
  await app.wells.getByRole('row').first().click();
  await expect(said).toHaveText(atStep(2));
  await app.openDataset('demo/wits');
  await expect(said).toHaveText(atStep(3));
  await app.run();
  await expect(said).toHaveText(atStep(4));
  expect(await findings(page, [], '.tour')).toEqual([]);

  await test.step('a page that is loaded again goes on where it was', async () => {
    await page.reload();
    await expect(said).toHaveText(atStep(4));
  });
  await app.run();
  await app.answer.getByText(words.results.views.plot, { exact: true }).click();
  await expect(said).toHaveText(atStep(5));
  await app.button(words.query.export).click();
  await app.button(words.export.start).click();
  await expect(said).toHaveText(atStep(6));

  await upload.open('demo/uploads.time');
  await upload.pick(await fileWith('rig.csv', ['Time,ROP,WOB', ...rigRows(20)].join('\n')));
  await upload.next('columns');
  await upload.button(words.upload.columns.likely('Time')).click();
  await upload.next('check');
  await upload.send();
  await expect(said).toContainText(words.tour.done);
  await tour.getByRole('button', { name: words.tour.close }).press('Enter');
  await expect(tour).toHaveCount(0);
  await expect(page.locator(':focus')).toBeVisible();
});

test('the tour is left for good, and comes back for the asking', async ({ app, page }) => {
  const tour = page.getByRole('complementary', { name: words.tour.region });
  await app.openSample();
  await tour.getByRole('button', { name: words.tour.decline }).click();
  await expect(tour).toHaveCount(0);
  await page.reload();
  await expect(app.wells.getByRole('row').first()).toBeVisible();
  await expect(tour).toHaveCount(0);
  await page.keyboard.press('ControlOrMeta+k');
  await page.keyboard.type(words.commands.titles.tour);
  await page.keyboard.press('Enter');
  await expect(tour.getByRole('status')).toHaveText(atStep(1));
  await tour.getByRole('button', { name: words.tour.leave }).click();
  await expect(tour).toHaveCount(0);
});
