import { words } from '../../src/renderer/words/words.ts';
import { startingLike } from '../support/wording.ts';
import { expect, test } from './support/fixtures.ts';

test('a stage is dragged to the top by its handle, and the text reverts it with one undo', async ({
  app,
  page,
}) => {
  await app.openSample();
  await app.openDataset('demo/wits');
  await page.getByRole('radio', { name: words.query.modes.pipeline, exact: true }).check({ force: true });
  await app.button(words.query.carry.keep).click();
  await expect.poll(() => app.query()).toMatch(/^\[\s+\{ \$match.*\{ \$group.*\]$/s);
  const editor = page.getByRole('textbox', { name: startingLike(words.query.stages) });
  await app.pasteInto(
    editor,
    '[\n  { $match: {} },\n  { $sort: { timestamp: -1 } },\n  { $limit: 20 },\n]\n',
  );
  // Until all lines are drawn at their places.
  await expect.poll(() => app.query()).toMatch(/^\[\s+\{ \$match.*\{ \$sort.*\{ \$limit.*\]$/s);
  const before = await app.query();
  const view = (name: string) =>
    page.getByRole('radio', { name, exact: true }).first().check({ force: true });
  await view(words.stages.view.cards);
  const stages = page.getByRole('grid', { name: words.query.stages });
  const stage = (number: number, name: string) =>
    stages.getByRole('row', { name: words.stages.name(number, name) });
  await expect(stages.getByRole('row')).toHaveCount(3);
  const over = { sourcePosition: { x: 16, y: 16 }, targetPosition: { x: 60, y: 4 } };
  await stage(3, '$limit').dragTo(stage(1, '$match'), over);
  await expect(stage(1, '$limit')).toBeVisible();
  await view(words.stages.view.text);
  await expect.poll(() => app.query()).toMatch(/^\[\s+\{ \$limit/);
  await editor.focus();
  await page.keyboard.press('ControlOrMeta+Z');
  await expect.poll(() => app.query()).toBe(before);
});
