import { plotWords } from '../../src/renderer/words/plot.ts';
import { words } from '../../src/renderer/words/words.ts';
import { check } from './support/app.ts';
import { addressOf, expect, test } from './support/fixtures.ts';

const w = plotWords.page;

test('plots are printed as pages with a note, values, and source, and nothing else of the window; the section of two wells has its plan, on one page of A4 and of Letter', async ({
  app,
  demo,
  page,
}) => {
  const stations = [5003, 5004].flatMap((asset_id, well) =>
    Array.from({ length: 20 }, (_, at) => ({
      asset_id,
      log_identifier: 'MWD',
      measured_depth: 100 * at,
      data: {
        tvd: 95 * at,
        north: (1 - 2 * well) * at * at,
        east: 5 * at * (well + 1),
        vertical_section: at * at,
      },
    })),
  );
  demo.change('demo/wits.summary-1ft', { remove: {}, insert: stations.toReversed() });
  await page.evaluate(() => {
    window.print = () => undefined;
  });
  await app.connect(addressOf(demo));
  const article = page.locator('body > article');
  for (const [dataset, isWide] of [
    ['demo/wits', true],
    ['demo/drilling.wits.depth', false],
  ] as const) {
    await app.openDataset(dataset);
    await app.run();
    await check(page.getByRole('radio', { name: words.results.views.plot }));
    await expect(
      page.getByRole('table', { name: plotWords.values }).getByRole('rowheader').first(),
    ).toBeVisible();
    await app.button(plotWords.picture).or(app.button(plotWords.more)).first().click();
    await page.getByRole('menuitem', { name: w.button }).click();
    await page.getByRole('textbox', { name: w.note, exact: true }).fill(`Note on\n${dataset}`);
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

  await test.step('the section of two wells, with its plan', async () => {
    await app.openDataset('demo/wits.summary-1ft');
    await app.run();
    await check(page.getByRole('radio', { name: words.results.views.plot }));
    await expect(page.getByRole('application')).toHaveCount(2);
    for (const format of ['A4', 'Letter']) {
      await app.button(plotWords.picture).or(app.button(plotWords.more)).first().click();
      await page.getByRole('menuitem', { name: w.button }).click();
      await page.getByRole('textbox', { name: w.note, exact: true }).fill('Two lines\nof a note');
      await app.button(w.print).click();
      await expect(article).toBeAttached();
      // The colors of the wells are at both sides of the picture: the section alone would be in its middle.
      const colored = await article.locator('img').evaluate(async (image) => {
        if (!(image instanceof HTMLImageElement)) return [];
        await image.decode();
        const canvas = document.createElement('canvas');
        canvas.width = image.naturalWidth;
        canvas.height = image.naturalHeight;
        const pen = canvas.getContext('2d', { willReadFrequently: true });
        pen?.drawImage(image, 0, 0);
        return [0, 0.6].map((left) => {
          const [x, width] = [Math.floor(left * canvas.width), Math.floor(0.4 * canvas.width)];
          const { data = [] } = pen?.getImageData(x, 0, width, Math.floor(canvas.height * 0.85)) ?? {};
          const colors = new Set<string>();
          for (let at = 0; at < data.length; at += 4) {
            const rgb = data.slice(at, at + 3);
            if (Math.max(...rgb) - Math.min(...rgb) > 100) colors.add(rgb.join(' '));
          }
          return colors.size;
        });
      });
      expect(colored.every((colors) => colors >= 2)).toBe(true);
      const pdf = await page.pdf({ format });
      expect(pdf.toString('latin1').match(/\/Type\s*\/Page\b/g)).toHaveLength(1);
      await page.evaluate(() => window.dispatchEvent(new Event('afterprint')));
      await expect(article).not.toBeAttached();
    }
  });
});
