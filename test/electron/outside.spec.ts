import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { words } from '../../src/renderer/words/words.ts';
import { linkTo, queryFromLink, savedToText } from '../../src/shared/saved/sharing.ts';
import { questionText } from '../../src/shared/query/question.ts';
import type { Desktop } from '../support/electron/desktop.ts';
import { refusalOf } from '../support/wording.ts';
import { expect, openedWindow, test } from './fixtures.ts';

const query = {
  name: 'Fast drilling',
  folder: '',
  provider: 'demo',
  dataset: 'wits',
  question: questionText.parse({ find: { query: '{ asset_id: 5005, "data.rop": { $gt: 50 } }' } }),
};

/** Selects a menu item, by its id. */
const choose = (desktop: Desktop, item: string): Promise<void> =>
  desktop.evaluate(({ Menu }, id) => {
    const found = Menu.getApplicationMenu()?.getMenuItemById(id);
    if (!found) throw new Error(`The menu has no item ${id}.`);
    found.click();
  }, item);

test('a file and a link from outside are shown, and run only when the user confirms it', async ({
  launch,
  folder,
}) => {
  const file = join(folder, 'from a colleague.wellbench');
  await writeFile(file, savedToText([query, { ...query, name: 'Another' }], []));
  const desktop = await launch({ args: [file] });
  const app = await openedWindow(desktop);
  const outside = app.page.getByRole('complementary', { name: words.opened.region });

  await test.step('the file of the first start, before there is a connection', async () => {
    await expect(outside).toContainText(words.opened.fromFile('from a colleague.wellbench', 2));
    await expect(outside.getByText('"data.rop": { $gt: 50 }')).toHaveCount(2);
    await expect(outside).toContainText(words.opened.connectFirst);
    await outside.getByRole('button', { name: words.opened.keep }).click();
    await expect(outside).toContainText(words.saved.imported(2));
    const saved = await readFile(join(folder, 'data', 'saved.json'), 'utf8');
    expect(saved).toContain('Another');
    await outside.getByRole('button', { name: words.opened.close, exact: true }).click();
    await expect(outside).toBeHidden();
  });

  await test.step('a link, passed by a second start', async () => {
    await app.openSample();
    expect(await desktop.second([linkTo(query) ?? ''])).toBe(0);
    await expect(outside).toContainText(words.opened.fromLink);
    expect(await app.page.getByRole('tablist', { name: words.tabs.label }).getByRole('tab').count()).toBe(0);
    await outside.getByRole('button', { name: words.opened.openNamed('Fast drilling') }).click();
    await expect(app.page.getByRole('tab', { name: 'Fast drilling' })).toBeVisible();
    await expect(outside).toBeHidden();
    await expect(app.button(words.query.run)).toBeEnabled();
    await expect(app.answer).toContainText(words.results.idle);
  });

  await test.step('a link that isn’t Wellbench’s is reported', async () => {
    const address = 'wellbench://run?everything';
    expect(await desktop.second([address])).toBe(0);
    await expect(outside.getByRole('alert')).toContainText(refusalOf(() => queryFromLink(address)));
  });

  await test.step('recent items are in the menu, and diagnostics go to the clipboard', async () => {
    await choose(desktop, `openRecent ${file}`);
    await expect(outside).toContainText(words.opened.fromFile('from a colleague.wellbench', 2));
    await choose(desktop, 'copyDiagnostics');
    const copied = () => desktop.evaluate(({ clipboard }) => clipboard.readText());
    await expect.poll(copied).toContain('Connections: 1 sample');
    expect(await copied()).not.toContain(folder);
  });
});
