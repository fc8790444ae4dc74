import { readFile } from 'node:fs/promises';
import { pathToFileURL } from 'node:url';
import type { Page } from '@playwright/test';
import { notesWords } from '../../src/renderer/words/notes.ts';
import { plotWords } from '../../src/renderer/words/plot.ts';
import { reportWords as w } from '../../src/renderer/words/report.ts';
import { words } from '../../src/renderer/words/words.ts';
import { startingLike } from '../support/wording.ts';
import { check } from './support/app.ts';
import { findings } from './support/findings.ts';
import { addressOf, expect, test } from './support/fixtures.ts';
import { addNote } from './support/notes.ts';

const folder = 'Morning';

/** Saves the query in view. */
async function saveAs(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: words.saved.saveQuery }).click();
  const dialog = page.getByRole('dialog', { name: words.saved.saveHeading });
  await dialog.getByLabel(words.saved.name).fill(name);
  await dialog.getByRole('combobox', { name: words.saved.folder }).fill(folder);
  await dialog.getByRole('combobox', { name: words.saved.folder }).press('Tab');
  await dialog.getByRole('button', { name: words.saved.save, exact: true }).click();
  await expect(dialog).not.toBeVisible();
}

/** The number of pixels of a picture that are neither white nor gray. */
const coloredPixels = (page: Page): Promise<number> =>
  page.locator('.report-page img').evaluate(async (image) => {
    if (!(image instanceof HTMLImageElement)) return 0;
    await image.decode();
    const canvas = document.createElement('canvas');
    canvas.width = image.naturalWidth;
    canvas.height = image.naturalHeight;
    const pen = canvas.getContext('2d', { willReadFrequently: true });
    pen?.drawImage(image, 0, 0);
    const { data = [] } = pen?.getImageData(0, 0, canvas.width, canvas.height) ?? {};
    let count = 0;
    for (let at = 0; at < data.length; at += 4) {
      const rgb = data.slice(at, at + 3);
      if (Math.max(...rgb) - Math.min(...rgb) > 60) count += 1;
    }
    return count;
  });

test('a folder of saved queries is a report: read for the wells of its tab, saved as one HTML file, and printed', async ({
  app,
  demo,
  page,
}, testInfo) => {
  await page.addInitScript(() => {
    window.print = () => undefined;
    const { fillText } = CanvasRenderingContext2D.prototype;
    CanvasRenderingContext2D.prototype.fillText = function (...text) {
      // Pictures of a report aren't drawn in a plot of the page.
      if (!this.canvas.closest('.plot-view')) document.body.dataset['drawn'] += `\n${text[0]}`;
      fillText.apply(this, text);
    };
  });
  await page.reload();
  await app.connect(addressOf(demo));
  await app.well(/^Ridge A-101H/).click();
  await app.openDataset('demo/wits');
  await app.run();
  await saveAs(page, '10 Last records');
  await check(page.getByRole('radio', { name: words.results.views.plot }));
  await expect(page.getByRole('table', { name: plotWords.values })).toBeVisible();
  await addNote(page, 'stuck pipe');
  await saveAs(page, '2 Drilling');

  await app.showSection('saved');
  const list = page.getByRole('grid', { name: words.saved.heading });
  await list.getByRole('row', { name: startingLike(`${words.saved.folder} ${folder}`) }).hover();
  await list.getByRole('button', { name: words.saved.menu(folder) }).click();
  await page.getByRole('menuitem', { name: w.open }).click();

  const report = page.locator('.report-page');
  await expect(page.getByRole('status').filter({ hasText: w.progress(2, 2) })).toBeVisible();
  await expect(report.getByRole('heading', { level: 2 })).toHaveText([
    '2 Drilling',
    '10 Last records',
    notesWords.heading,
  ]);
  expect(await findings(page)).toEqual([]);
  await expect(page.locator('body')).toHaveAttribute('data-drawn', /^stuck pipe$/m);
  await page.getByRole('textbox', { name: w.note }).fill('Tight hole <b>at</b> 9,120 ft');

  const downloading = page.waitForEvent('download');
  await app.button(w.saveHtml).click();
  const download = await downloading;
  const day = new Date().toISOString().slice(0, 10);
  expect(download.suggestedFilename()).toBe(`${folder} Ridge A-101H ${day}.html`);
  const path = testInfo.outputPath('report.html');
  await download.saveAs(path);
  expect(await readFile(path, 'utf8')).not.toMatch(/<script|https?:\/\/|light-dark/);

  const file = await page.context().newPage();
  const requests: string[] = [];
  file.on('request', (request) => requests.push(request.url()));
  await file.goto(pathToFileURL(path).href);
  expect(await coloredPixels(file)).toBeGreaterThan(500);
  await expect(file.locator('.report-page table').getByRole('row')).toHaveCount(51);
  await expect(file.getByText('Tight hole <b>at</b> 9,120 ft')).toBeVisible();
  expect(requests.filter((url) => !/^(file|data):/.test(url))).toEqual([]);
  await file.close();

  await app.button(w.print).click();
  const printed = page.locator('body > article');
  await expect(printed).toBeAttached();
  await page.emulateMedia({ media: 'print' });
  await expect(printed.locator('img')).toBeVisible();
  await page.evaluate(() => window.dispatchEvent(new Event('afterprint')));
  await expect(printed).not.toBeAttached();
});
