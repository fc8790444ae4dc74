import type { Locator, Page } from '@playwright/test';
import { words } from '../../src/renderer/words/words.ts';
import { startingLike } from '../support/wording.ts';
import { expect, test } from './support/fixtures.ts';
import { check, type AppWindow } from './support/app.ts';

/** The list of completions, and the list of quick fixes. */
const offers = (page: Page): Locator => page.locator('.suggest-widget.visible');
const offer = (page: Page, name: string | RegExp): Locator =>
  offers(page).getByRole('option', { name }).first();

const found = (page: Page): Locator => page.getByRole('list', { name: words.editing.findings });

async function open(app: AppWindow): Promise<void> {
  await app.openSample();
  await app.well(/./).first().click();
  await app.openDataset('demo/wits');
  await expect(app.page.locator('.code-editor .view-line').first()).toBeVisible();
}

/** Replaces the text, with the caret at `|`. */
async function put(app: AppWindow, marked: string): Promise<void> {
  const [before = '', after = ''] = marked.split('|');
  await app.typeQuery(before + after);
  for (let at = 0; at < after.length; at++) await app.page.keyboard.press('ArrowLeft');
}

const suggest = (page: Page): Promise<void> => page.keyboard.press('Control+Space');

test('a query is typed with completions: field, operator, parameter, well, value, stage; errors are underlined, explained, and fixed; a stage is dragged', async ({
  app,
  page,
}) => {
  await open(app);

  await test.step('a field, with its type and unit, and then an operator and a number', async () => {
    await put(app, '{ asset_id: {{wells}}, | }');
    await page.keyboard.type('rop');
    await expect(offer(page, /data\.rop/)).toContainText('number');
    await page.keyboard.press('Enter');
    await expect.poll(() => app.query()).toBe('{ asset_id: {{wells}}, "data.rop":  }');
    await page.keyboard.type('{ $gt');
    await expect(offer(page, /^\$gte/)).toBeVisible();
    await page.keyboard.press('Enter');
    await expect.poll(() => app.query()).toMatch(/"data\.rop": \{ \$gte?: \s*\}? ?\}/);
    await page.keyboard.press('Escape');
  });

  await test.step('a parameter, when a time is compared', async () => {
    await put(app, '{ asset_id: {{wells}}, timestamp: { $gte: | } }');
    await suggest(page);
    await expect(offer(page, '{{now-24h}}')).toBeVisible();
    await page.keyboard.type('{{now-2');
    // The list for this text, not the previous one.
    await expect(offers(page).getByRole('option')).toHaveCount(1);
    await page.keyboard.press('Enter');
    await expect.poll(() => app.query()).toBe('{ asset_id: {{wells}}, timestamp: { $gte: {{now-24h}} } }');
  });

  await test.step('a well by its name, for its asset id', async () => {
    await put(app, '{ asset_id: | }');
    await page.keyboard.type('Badger');
    await expect(offer(page, /Badger Creek A-117H/)).toBeVisible();
    await offer(page, /Badger Creek A-117H/).click();
    await expect.poll(() => app.query()).toMatch(/^\{ asset_id: \d+ \}$/);
  });

  await test.step('a known value', async () => {
    await put(app, '{ asset_id: {{wells}}, "data.state": | }');
    await suggest(page);
    await expect(offer(page, /Rotary Drilling/)).toBeVisible();
    await page.keyboard.press('Escape');
  });

  const list = found(page);
  await test.step('errors are underlined, listed below, and described for the field', async () => {
    await put(app, '{ timestamp: { $gtee: 1700000000 } }|');
    await expect(list.getByRole('listitem')).toHaveCount(2);
    await expect(list).toContainText('Did you mean $gte?');
    await expect(list).toContainText('Neither asset_id nor company_id');
    await expect(page.locator('.code-editor .squiggly-warning').first()).toBeVisible();
    // The description is linked to the focused field.
    const bound = await app.editor().getAttribute('aria-describedby');
    expect(await page.locator(`[id="${bound ?? ''}"]`).innerText()).toContain('Did you mean $gte?');
  });

  await test.step('by key', async () => {
    await list.getByRole('button', { name: words.query.at(1, 16) }).click();
    await page.keyboard.press('Control+.');
    await expect(page.getByText(words.editing.write('$gte'), { exact: true }).last()).toBeVisible();
    await page.keyboard.press('Enter');
    await expect.poll(() => app.query()).toBe('{ timestamp: { $gte: 1700000000 } }');
  });

  await test.step('by button', async () => {
    await expect(list).toContainText('looks like seconds');
    await list.getByRole('button', { name: words.editing.write('1700000000000') }).click();
    await expect.poll(() => app.query()).toBe('{ timestamp: { $gte: 1700000000000 } }');
    await list.getByRole('button', { name: 'Use the selected wells' }).click();
    await expect.poll(() => app.query()).toBe('{ asset_id: {{wells}}, timestamp: { $gte: 1700000000000 } }');
    await expect(list).toBeHidden();
  });

  await test.step('shown on hover', async () => {
    await put(app, '{ asset_id: {{wells}}, timestamp: { $gte: {{now-24h}} } }|');
    // The tooltip closes when its target is redrawn, and opens when the mouse moves again.
    await expect(async () => {
      await page.locator('.code-editor .view-line span', { hasText: 'asset_id' }).last().hover();
      await page.locator('.code-editor .view-line span', { hasText: 'now-24h' }).last().hover();
      await expect(page.locator('.monaco-hover:visible')).toContainText('Now 20', { timeout: 3000 });
    }).toPass();
  });

  await test.step('formatted', async () => {
    await put(
      app,
      '{asset_id:{{wells}},timestamp:{$gte:{{now-24h}}}, // since yesterday\n"data.rop":{$gt:5}}|',
    );
    await page.keyboard.press('Shift+Alt+F');
    await expect
      .poll(() => app.query())
      .toMatch(
        /^\{\s+asset_id: \{\{wells\}\},\s+timestamp: \{ \$gte: \{\{now-24h\}\} \}, \/\/ since yesterday\s+"data\.rop": \{ \$gt: 5 \}\s+\}$/,
      );
  });

  await test.step('a stage, with its output', async () => {
    await check(page.getByRole('radio', { name: words.query.modes.pipeline, exact: true }));
    await app.button(words.query.carry.keep).click();
    await expect.poll(() => app.query()).toMatch(/^\[\s+\{ \$match.*\{ \$group.*\]$/s);
    await page.getByRole('textbox', { name: startingLike(words.query.stages) }).focus();
    await page.keyboard.press('ControlOrMeta+A');
    await page.keyboard.press('Delete');
    await page.keyboard.type('[{ $gro');
    await expect(offer(page, /^\$group/)).toBeVisible();
    await page.keyboard.press('Enter');
    await expect.poll(() => app.query()).toMatch(/^\[\{ \$group: \{/);
    await page.keyboard.press('Escape');
  });

  await test.step('a stage is dragged to the top by its handle, and the text reverts it with one undo', async () => {
    const editor = page.getByRole('textbox', { name: startingLike(words.query.stages) });
    await app.pasteInto(
      editor,
      '[\n  { $match: {} },\n  { $sort: { timestamp: -1 } },\n  { $limit: 20 },\n]\n',
    );
    const inOrder = /^\[\s+\{ \$match.*\{ \$sort.*\{ \$limit.*\]$/s;
    await expect.poll(() => app.query()).toMatch(inOrder);
    const view = (name: string) => check(page.getByRole('radio', { name, exact: true }).first());
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
    await expect.poll(() => app.query()).toMatch(inOrder);

    // The editor of a stage stays while its text is empty, or has an open bracket.
    await view(words.stages.view.cards);
    await stage(2, '$sort').click();
    const text = words.stages.stageText(words.stages.name(2, '$sort'));
    await page.getByRole('textbox', { name: startingLike(text) }).focus();
    await page.keyboard.press('ControlOrMeta+A');
    await page.keyboard.press('Delete');
    await page.keyboard.type('{ $ski');
    await expect(offer(page, /^\$skip/)).toBeVisible();
    await page.keyboard.press('Enter');
    await page.keyboard.type('3');
    await expect(stage(2, '$skip')).toBeVisible();
    await expect(stages.getByRole('row')).toHaveCount(3);
    await view(words.stages.view.text);
    await expect.poll(() => app.query()).toMatch(/^\[\s+\{ \$match.*\{ \$skip.*\{ \$limit.*\]$/s);
  });
});
