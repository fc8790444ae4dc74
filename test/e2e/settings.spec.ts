import type { Locator, Page } from '@playwright/test';
import { findings } from './support/findings.ts';
import { expect, test } from './support/fixtures.ts';

// So that what is seen does not hang on where the tests run.
test.use({ timezoneId: 'America/Chicago', locale: 'en-US' });

const panelOf = (page: Page): Locator => page.getByRole('complementary', { name: 'Settings' });

async function open(page: Page): Promise<Locator> {
  await page.keyboard.press('Control+,');
  const panel = panelOf(page);
  await expect(panel.getByRole('searchbox')).toBeFocused();
  return panel;
}
/** Chooses for a setting that is one of a few. */
async function choose(page: Page, setting: string, option: string): Promise<void> {
  await panelOf(page)
    .getByRole('button', { name: new RegExp(`${setting}$`) })
    .click();
  await page.getByRole('option', { name: option }).click();
}
const keysOf = (page: Page, command: string): Locator =>
  panelOf(page).getByRole('button', { name: new RegExp(`^Change the keys of “${command}”`) });

test('a setting holds at once, says that it was changed, and goes back', async ({ app, page }) => {
  const html = page.locator('html');
  const panel = await open(page);
  expect(await findings(page)).toEqual([]);
  await choose(page, 'Theme', 'Dark');
  await expect(html).toHaveAttribute('data-theme', 'dark');
  await choose(page, 'Decimal sign', 'Comma');
  await expect(panel.getByRole('status').filter({ hasText: 'separated by: Semicolon' })).toBeVisible();
  expect(await findings(page)).toEqual([]);

  await panel.getByRole('searchbox').fill('theme');
  await expect(panel.getByRole('button', { name: /Separator$/ })).toHaveCount(0);
  await panel.getByRole('button', { name: 'Reset Theme' }).click();
  await expect(html).not.toHaveAttribute('data-theme');
  await panel.getByRole('button', { name: 'Undo' }).click();
  await expect(html).toHaveAttribute('data-theme', 'dark');

  // What was set is there from the first picture on, and the panel closes by Escape.
  await page.reload();
  await expect(html).toHaveAttribute('data-theme', 'dark');
  await app.button('Settings').click();
  await panel.getByRole('button', { name: 'Reset everything' }).click();
  await expect(html).not.toHaveAttribute('data-theme');
  await expect(panel.getByText('changed', { exact: true })).toHaveCount(0);
  await panel.getByRole('button', { name: 'Undo' }).click();
  await expect(panel.getByText('changed', { exact: true })).toHaveCount(3);
  await page.keyboard.press('Escape');
  await expect(panel).toHaveCount(0);
  await expect(app.button('Settings')).toBeFocused();
});

test('what moves stands still where the system wants it so, or the person', async ({ app, page }) => {
  const moves = (): Promise<string[]> =>
    page.evaluate(() => {
      const bar = document.body.appendChild(document.createElement('i'));
      bar.setAttribute('style', 'animation: bar-travels 5s infinite; transition: all 5s');
      const { animationDuration, animationIterationCount, transitionDuration } = getComputedStyle(bar);
      bar.remove();
      return [animationDuration, animationIterationCount, transitionDuration];
    });
  const still = ['1e-05s', '1', '1e-05s'];
  await expect(app.button('Settings')).toBeVisible();
  await open(page);
  expect(await moves()).toEqual(['5s', 'infinite', '5s']);
  await page.emulateMedia({ reducedMotion: 'reduce' });
  expect(await moves()).toEqual(still);
  await page.emulateMedia({ reducedMotion: 'no-preference' });
  await choose(page, 'Motion', 'Always still');
  expect(await moves()).toEqual(still);
});

test('zone, dates, numbers and what a query begins with are seen where they belong', async ({
  app,
  page,
}) => {
  await app.openSample();
  await app.openDataset('demo/wits');
  await app.run();
  const time = app.column('timestamp').first();
  const header = app.grid().getByRole('columnheader', { name: /^timestamp/ });
  await expect(time).toHaveText('2026-11-20 00:00:00');
  await open(page);
  await choose(page, 'Times in answers', 'Local (America/Chicago)');
  await expect(header).toContainText('America/Chicago');
  await expect(time).toHaveText('2026-11-19 18:00:00');
  await choose(page, 'Dates', 'As in your region');
  await expect(app.answer.getByText('1,000 records').first()).toBeVisible();
  await choose(page, 'Numbers', '1234567.8');
  await expect(app.answer.getByText('1000 records').first()).toBeVisible();

  const limit = panelOf(page).getByRole('textbox', { name: 'Limit' });
  await limit.fill('0');
  await expect(panelOf(page).getByText('Give a number from 1 to 10,000.')).toBeVisible();
  await limit.fill('25');
  await panelOf(page).getByRole('checkbox', { name: 'Count first' }).press('Space');
  await app.button('Close the settings').click();
  await app.openDataset('demo/wits');
  await expect(page.getByRole('textbox', { name: 'Limit' })).toHaveValue('25');
  await app.run();
  await expect(app.answer.getByText('25 records').first()).toBeVisible();
  await expect(page.getByRole('status').filter({ hasText: /records match/ })).toBeVisible();
  await expect(app.column('timestamp').first()).toHaveText('2026-11-19 18:00:00');
});

test('CSV is offered as it was set', async ({ app, page }) => {
  await open(page);
  await choose(page, 'Separator', 'Vertical bar');
  await page.keyboard.press('Escape');
  await app.openSample();
  await app.openDataset('demo/wits');
  await app.button('Export').click();
  await expect(page.getByRole('radio', { name: 'As in the settings' })).toBeChecked();
  const download = page.waitForEvent('download');
  await app.button('Start export').click();
  await expect(app.jobs).toContainText('done');
  await app.jobs.getByRole('link', { name: /^Download wits .*\.csv$/ }).click();
  const stream = await (await download).createReadStream();
  let first = '';
  for await (const chunk of stream) {
    first = String(chunk).split('\r\n')[0] ?? '';
    break;
  }
  expect(first).toContain('|');
  expect(first).not.toContain(',');
});

test('commands are given other keys by pressing them, and everything shows the new ones', async ({
  app,
  page,
}) => {
  await app.openSample();
  await app.openDataset('demo/wits');
  const panel = await open(page);
  await panel.getByRole('searchbox').fill('ctrl+s');
  await keysOf(page, 'Save the query').press('Enter');
  const catcher = panel.getByRole('textbox', { name: 'New keys of “Save the query”' });
  await expect(catcher).toBeFocused();

  // Keys that type, or that somebody else keeps, are refused with the reason; half of them is not yet anything.
  for (const [keys, reason] of [
    ['j', 'Keys that type need Ctrl or Alt'],
    ['Control+t', 'The browser keeps these keys'],
    ['Control+c', 'These keys belong to typing'],
  ] as const) {
    await catcher.press(keys);
    await expect(panel.getByRole('status').filter({ hasText: reason })).toBeVisible();
  }
  expect(await findings(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await expect(keysOf(page, 'Save the query')).toBeFocused();

  await page.keyboard.press('Enter');
  await catcher.press('Control+j');
  await expect(
    panel.getByRole('status').filter({ hasText: '“Save the query” is now on Ctrl+J.' }),
  ).toBeVisible();
  await expect(keysOf(page, 'Save the query')).toHaveCount(0);
  await page.keyboard.press('Escape');
  await app.button('Close the settings').click();
  await page.keyboard.press('Control+j');
  await expect(page.getByRole('dialog', { name: 'Save the query' })).toBeVisible();
  await page.keyboard.press('Escape');
  await page.keyboard.press('Control+k');
  await page.keyboard.type('save the query');
  await expect(page.getByRole('menuitem', { name: /^Save the query/ })).toContainText('Ctrl+J');
  // The first empties what is sought.
  await page.keyboard.press('Escape');
  await page.keyboard.press('Escape');
  await page.keyboard.press('F1');
  await page.getByRole('button', { name: 'Keyboard', exact: true }).click();
  await expect(page.getByRole('row', { name: 'Ctrl+J Save the query' })).toBeVisible();
});

test('keys of another command are taken over, and all go back', async ({ app, page }) => {
  const panel = await open(page);
  await keysOf(page, 'Show or hide the guide').click();
  await page.keyboard.press('Control+k');
  await expect(panel.getByText('Ctrl+K belongs to “Show all commands”.')).toBeVisible();
  expect(await findings(page)).toEqual([]);
  await panel.getByRole('button', { name: 'Take it over' }).press('Enter');
  await expect(keysOf(page, 'Show or hide the guide')).toHaveText('Ctrl+K');
  await expect(keysOf(page, 'Show all commands')).toHaveText('Ctrl+Shift+P');
  await expect(app.button('Commands')).toHaveAttribute('aria-keyshortcuts', 'Control+Shift+P');

  // They are kept: after a reload the new keys open the guide, in whose place the settings were.
  await page.reload();
  await expect(page.getByRole('heading', { name: 'Wellbench' })).toBeVisible();
  await page.keyboard.press('Control+k');
  await expect(page.getByRole('complementary', { name: 'Help' })).toBeVisible();
  await page.keyboard.press('Control+,');
  await expect(page.getByRole('complementary', { name: 'Help' })).toHaveCount(0);
  await panel.getByRole('button', { name: 'Reset Show or hide the guide' }).click();
  await expect(keysOf(page, 'Show or hide the guide')).toHaveText('F1');
  await keysOf(page, 'Show the list of shortcuts').click();
  await page.keyboard.press('Control+Shift+Y');
  await keysOf(page, 'Show the list of shortcuts').click();
  await page.keyboard.press('Backspace');
  await expect(keysOf(page, 'Show the list of shortcuts')).toHaveText('no keys');
  await panel.getByRole('button', { name: 'Reset everything' }).click();
  await expect(keysOf(page, 'Show all commands')).toHaveText('Ctrl+KCtrl+Shift+P');
  await expect(panel.getByRole('button', { name: 'Undo' })).toBeVisible();
});

test('what one window changes the others show', async ({ host, page, context, app }) => {
  const other = await context.newPage();
  await other.goto(host.url.split('?')[0]?.split('#')[0] ?? '');
  await expect(other.getByRole('heading', { name: 'Wellbench' })).toBeVisible();
  await app.button('Settings').click();
  await choose(page, 'Theme', 'Dark');
  await expect(other.locator('html')).toHaveAttribute('data-theme', 'dark');
});
