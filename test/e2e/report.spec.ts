import { readFile } from 'node:fs/promises';
import { pathToFileURL } from 'node:url';
import type { Page } from '@playwright/test';
import { notesWords } from '../../src/renderer/words/notes.ts';
import { plotWords } from '../../src/renderer/words/plot.ts';
import { reportWords as w } from '../../src/renderer/words/report.ts';
import { words } from '../../src/renderer/words/words.ts';
import { including, startingLike } from '../support/wording.ts';
import { check } from './support/app.ts';
import { findings } from './support/findings.ts';
import { addressOf, expect, test } from './support/fixtures.ts';

const folder = 'Morning';

/** The plot in view. */
const plot = (page: Page) => page.getByRole('region', { name: plotWords.region, exact: true });

/** Adds a note on the range in view. */
async function addNote(page: Page, text: string): Promise<void> {
  await plot(page)
    .getByRole('button', { name: including(notesWords.heading) })
    .click();
  await page.getByRole('button', { name: notesWords.add }).click();
  const form = page.getByRole('dialog', { name: notesWords.new });
  await form.getByLabel(notesWords.text).fill(text);
  expect(await findings(page, [], '.popup')).toEqual([]);
  await form.getByRole('button', { name: notesWords.save }).click();
  await expect(page.getByRole('dialog', { name: notesWords.heading })).toContainText(text);
  expect(await findings(page, [], '.popup')).toEqual([]);
  await page.keyboard.press('Escape');
}

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

test('a note on what is in view is drawn in the plots of its well, and listed with the well; a folder of saved queries is a report: read for the wells of its tab, saved as one HTML file, and printed', async ({
  app,
  demo,
  page,
}, testInfo) => {
  await page.evaluate(() => {
    window.print = () => undefined;
    const { fillText } = CanvasRenderingContext2D.prototype;
    CanvasRenderingContext2D.prototype.fillText = function (...text) {
      // Pictures of a report aren't drawn in a plot of the page.
      if (!this.canvas.closest('.plot-view')) document.body.dataset['drawn'] += `\n${text[0]}`;
      fillText.apply(this, text);
    };
  });
  await app.connect(addressOf(demo));
  await app.well(/^Ridge A-101H/).click();
  await app.openDataset('demo/wits');
  await app.run();
  await saveAs(page, '10 Last records');
  await check(page.getByRole('radio', { name: words.results.views.plot }));
  const drawing = plot(page).getByRole('application');
  const read = plot(page)
    .getByRole('table', { name: plotWords.values })
    .getByRole('row')
    .filter({ has: page.getByRole('rowheader', { name: notesWords.heading }) });
  const heading = plot(page).getByRole('heading');
  await expect(heading).toHaveText(/\d to \d/);
  const whole = await heading.innerText();
  // A key that goes to the plot while it is being drawn is lost.
  await expect(async () => {
    await drawing.focus();
    await page.keyboard.press('End');
    await page.keyboard.press('+');
    await expect(heading).not.toHaveText(whole, { timeout: 2000 });
  }).toPass();
  const range = await heading.innerText();
  const from = /\d{4}-\d\d-\d\d \d\d:\d\d/.exec(range)?.[0] ?? '';
  await addNote(page, 'stuck pipe');
  // A key that went to the plot before the note was drawn is pressed again.
  const readsNote = (isThere: boolean) =>
    expect(async () => {
      await drawing.focus();
      await page.keyboard.press('ArrowLeft');
      const now = plot(page).locator('.readout-now').filter({ hasText: /\d/ });
      await expect(now.first()).toBeVisible({ timeout: 2000 });
      await expect(read.filter({ hasText: 'stuck pipe' })).toHaveCount(isThere ? 1 : 0, { timeout: 2000 });
    }).toPass();
  await readsNote(true);
  const overlays = plot(page).getByRole('button', { name: plotWords.overlays.button(0) });
  await overlays.click();
  const shown = page.getByRole('checkbox', { name: notesWords.heading });
  await shown.uncheck({ force: true });
  await page.keyboard.press('Escape');
  await readsNote(false);
  await overlays.click();
  await check(shown);
  await page.keyboard.press('Escape');
  await readsNote(true);
  // A popup that closes gives the focus back late.
  await expect(async () => {
    await drawing.focus();
    await page.keyboard.press('0');
    await expect(heading).toHaveText(whole, { timeout: 2000 });
    await page.keyboard.press('Home');
    await expect(read).not.toContainText('stuck pipe', { timeout: 2000 });
  }).toPass();
  expect(await findings(page, [], '.plot-view')).toEqual([]);

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
  await page.emulateMedia({ media: 'screen' });

  await page.reload();
  await app.button(words.wells.details('Ridge A-101H')).click();
  const listed = page.getByRole('list', { name: notesWords.of('Ridge A-101H') });
  await expect(listed).toContainText('stuck pipe');
  await expect(listed).toContainText(from);
});
