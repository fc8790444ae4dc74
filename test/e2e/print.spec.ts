import { plotWords } from '../../src/renderer/words/plot.ts';
import { words } from '../../src/renderer/words/words.ts';
import { addressOf, expect, test } from './support/fixtures.ts';

const w = plotWords.page;

test('plots are printed as pages with a note, values, and source, and nothing else of the window', async ({
  app,
  demo,
  page,
}) => {
  await page.addInitScript(() => {
    window.print = () => undefined;
  });
  await page.reload();
  await app.connect(addressOf(demo));
  const article = page.locator('body > article');
  for (const [dataset, isWide] of [
    ['demo/wits', true],
    ['demo/drilling.wits.depth', false],
  ] as const) {
    await app.openDataset(dataset);
    await app.run();
    await page.getByRole('radio', { name: words.results.views.plot }).check({ force: true });
    await expect(
      page.getByRole('table', { name: plotWords.values }).getByRole('rowheader').first(),
    ).toBeVisible();
    await app.button(plotWords.picture).or(app.button(plotWords.more)).first().click();
    await page.getByRole('menuitem', { name: w.button }).click();
    await page.getByLabel(w.note).fill(`Note on\n${dataset}`);
    await app.button(w.print).click();
    await expect(article).toBeAttached();
    await page.emulateMedia({ media: 'print' });
    await expect(article).toBeVisible();
    await expect(article.getByRole('table', { includeHidden: true })).toContainText(plotWords.highest);
    await expect(article).toContainText(`Note on\n${dataset}`);
    await expect(article).toHaveCSS('page', isWide ? 'wide' : 'auto');
    // Only the page is on paper.
    expect(
      await page
        .locator('body')
        .evaluate(({ children }) =>
          [...children]
            .filter((child) => child.getClientRects().length > 0)
            .map(({ localName }) => localName),
        ),
    ).toEqual(['article']);
    await page.emulateMedia({ media: 'screen' });
    await page.evaluate(() => window.dispatchEvent(new Event('afterprint')));
    await expect(article).not.toBeAttached();
  }
});
