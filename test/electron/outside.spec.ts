import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { linkTo } from '../../src/shared/query-link.ts';
import { questionText } from '../../src/shared/question.ts';
import { savedToText } from '../../src/shared/saved-file.ts';
import type { Desktop } from '../support/electron/desktop.ts';
import { expect, openedWindow, test } from './fixtures.ts';

const query = {
  name: 'Fast drilling',
  folder: '',
  provider: 'demo',
  dataset: 'wits',
  question: questionText.parse({ find: { query: '{ asset_id: 5005, "data.rop": { $gt: 50 } }' } }),
};

/** Chooses something from the menu, by the words of its path. */
const choose = (desktop: Desktop, ...path: string[]): Promise<void> =>
  desktop.evaluate(({ Menu }, words) => {
    let items = Menu.getApplicationMenu()?.items ?? [];
    for (const [at, word] of words.entries()) {
      const item = items.find(({ label }) => label.replaceAll('&', '') === word);
      if (!item) throw new Error(`There is no ${word} among ${items.map(({ label }) => label).join(', ')}`);
      if (at === words.length - 1) item.click();
      items = item.submenu?.items ?? [];
    }
  }, path);

/** What each window shows. */
const texts = (desktop: Desktop): Promise<string[]> =>
  desktop.evaluate(async ({ BrowserWindow }) =>
    Promise.all(
      BrowserWindow.getAllWindows().map(async ({ webContents }) =>
        String(await webContents.executeJavaScript('document.body?.innerText ?? ""')),
      ),
    ),
  );

test('a file and a link from outside are shown, and run only when the person says so', async ({
  launch,
  folder,
}) => {
  const file = join(folder, 'from a colleague.wellbench');
  await writeFile(file, savedToText([query, { ...query, name: 'Another' }], []));
  const desktop = await launch({ args: [file] });
  const app = await openedWindow(desktop);
  const outside = app.page.getByRole('complementary', { name: 'Opened from outside' });

  await test.step('the file of the first start, before there is a connection', async () => {
    await expect(outside).toContainText('from a colleague.wellbench holds 2 saved queries.');
    await expect(outside.getByText('"data.rop": { $gt: 50 }')).toHaveCount(2);
    await expect(outside).toContainText('Open a connection to look at it there.');
    await outside.getByRole('button', { name: 'Add to my saved queries' }).click();
    await expect(outside).toContainText('2 queries imported.');
    const saved = await readFile(join(folder, 'data', 'saved.json'), 'utf8');
    expect(saved).toContain('Another');
    await outside.getByRole('button', { name: 'Close', exact: true }).click();
    await expect(outside).toBeHidden();
  });

  await test.step('a link, handed over by a second start', async () => {
    await app.openSample();
    expect(await desktop.second([linkTo(query) ?? ''])).toBe(0);
    await expect(outside).toContainText('Nobody knows who made it');
    expect(await app.page.getByRole('tab').count()).toBe(0);
    await outside.getByRole('button', { name: 'Open Fast drilling in a new tab' }).click();
    await expect(app.page.getByRole('tab', { name: 'Fast drilling' })).toBeVisible();
    await expect(outside).toBeHidden();
    await expect(app.button('Run')).toBeEnabled();
    await expect(app.answer).toContainText('Run the query to see its records');
  });

  await test.step('a link that is none of ours says so', async () => {
    expect(await desktop.second(['wellbench://run?everything'])).toBe(0);
    await expect(outside.getByRole('alert')).toContainText('not of the form of our links');
  });

  await test.step('what was opened is in the menu, and diagnostics go to the clipboard', async () => {
    await choose(desktop, 'File', 'Open recent', `from a colleague.wellbench (${folder})`);
    await expect(outside).toContainText('from a colleague.wellbench holds 2 saved queries.');
    await choose(desktop, 'Help', 'Copy diagnostics');
    const copied = () => desktop.evaluate(({ clipboard }) => clipboard.readText());
    await expect.poll(copied).toContain('Connections: 1 sample');
    expect(await copied()).not.toContain(folder);
  });
});

test('several windows have their own page, and are there again after quitting', async ({ launch }) => {
  const first = await launch();
  await openedWindow(first);
  await choose(first, 'File', 'New window');
  const started = /Open the sample workspace/;
  await expect
    .poll(() => texts(first))
    .toEqual([expect.stringMatching(started), expect.stringMatching(started)]);
  const bounds = (desktop: Desktop) =>
    desktop.evaluate(({ BrowserWindow }) =>
      BrowserWindow.getAllWindows().map((window) => window.getNormalBounds()),
    );
  const before = await bounds(first);
  expect(await first.quit()).toBe(0);
  const second = await launch();
  await expect
    .poll(() => texts(second))
    .toEqual([expect.stringMatching(started), expect.stringMatching(started)]);
  expect((await bounds(second)).map(({ width }) => width)).toEqual(before.map(({ width }) => width));
});
