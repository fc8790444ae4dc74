import { words } from '../../src/renderer/words/words.ts';
import { expect, test } from './support/fixtures.ts';

const w = words.settings;

test('animations are off if the system or the user requests it', async ({ app, page }) => {
  const moves = (): Promise<string[]> =>
    page.evaluate(() => {
      const bar = document.body.appendChild(document.createElement('i'));
      bar.setAttribute('style', 'animation: bar-travels 5s infinite; transition: all 5s');
      const { animationDuration, animationIterationCount, transitionDuration } = getComputedStyle(bar);
      bar.remove();
      return [animationDuration, animationIterationCount, transitionDuration];
    });
  const still = ['1e-05s', '1', '1e-05s'];
  await app.button(w.open).click();
  const panel = page.getByRole('complementary', { name: w.region });
  expect(await moves()).toEqual(['5s', 'infinite', '5s']);
  await page.emulateMedia({ reducedMotion: 'reduce' });
  expect(await moves()).toEqual(still);
  await page.emulateMedia({ reducedMotion: 'no-preference' });
  await panel.getByRole('button', { name: new RegExp(`${w.names.motion.name}$`) }).click();
  await page.getByRole('option', { name: w.options.motion.still }).click();
  // Another setting was changed before, for all tests.
  await expect(panel.getByText(w.changed, { exact: true })).toHaveCount(2);
  expect(await moves()).toEqual(still);
});
