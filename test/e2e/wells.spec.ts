import { words } from '../../src/renderer/words/words.ts';
import { expect, test } from './support/fixtures.ts';

const w = words.wells;

test('wells are chosen where they are seen: one that is half in view, and a range by keyboard', async ({
  app,
  page,
}) => {
  await app.openSample();
  const rows = app.wells.getByRole('row');
  await test.step('a row that is half in view takes the first click', async () => {
    const list = await app.wells.boundingBox();
    if (!list) throw new Error('there is no list');
    await page.mouse.click(list.x + 60, list.y + list.height - 4);
    await expect(app.scope.getByRole('row')).toHaveCount(1);
    await app.button(w.removeAll).click();
  });

  await test.step('by keyboard, with Shift a range', async () => {
    await rows.first().focus();
    await page.keyboard.press('Space');
    await page.keyboard.press('Shift+ArrowDown');
    await page.keyboard.press('Shift+ArrowDown');
    await expect(page.getByText(`${w.shown(30, 30)} · ${w.chosen(3)}`)).toBeVisible();
    await page.keyboard.press('End');
    await expect(rows.last()).toBeFocused();
    await expect(rows.last()).toBeInViewport();
  });
});
