import { formatCalculated } from '../../src/renderer/format/numbers.ts';
import { words } from '../../src/renderer/words/words.ts';
import { any, anyCount, like, oneOf, startingLike } from '../support/wording.ts';
import { addressOf, expect, test } from './support/fixtures.ts';

test('all matching records can be scrolled to the end and back; a copy or a file names its rows', async ({
  app,
  demo,
  page,
}) => {
  await app.connect(addressOf(demo));
  await app.openDataset('demo/wits');
  await app.typeQuery('{}');
  await app.run();
  const menu = page.getByRole('menu', { name: words.results.copying.label });
  const open = async () => {
    await app.button(words.results.copying.label).click();
    return menu.getByRole('group').allInnerTexts();
  };
  const csv = { name: words.results.copying.saveFormats.csv };
  expect((await open())[0]).toContain('1,000 loaded rows\n');
  const downloading = page.waitForEvent('download');
  await menu.getByRole('menuitem', csv).click();
  const part = words.results.partName({ selected: false, count: 1000, gaps: 0 });
  expect((await downloading).suggestedFilename()).toMatch(like(`wits ${any}, ${part}.csv`));

  await app.button(words.results.showAll).click();
  const status = app.answer.getByRole('status').first();
  // More than the limit of the first result, and no placeholders of pending rows.
  await expect(status).toHaveText(startingLike(words.results.records(anyCount)));
  const rows = /[\d,]+/.exec(await status.innerText())?.[0] ?? '';
  const count = Number(rows.replaceAll(',', ''));
  expect(count).toBeGreaterThan(3000);
  const size = /[\d.]+ [kM]B/.exec((await status.textContent()) ?? '')?.[0] ?? 'no size';
  expect(size).not.toBe('no size');
  const newest = await app.column('timestamp').first().innerText();
  await app.column('timestamp').first().click();

  // A page that can't be loaded says why, and is requested again.
  demo.faults.require_scope = true;
  await page.keyboard.press('ControlOrMeta+ArrowDown');
  // The shown record has an alert of its own.
  const problem = app.answer.locator('.notices').getByRole('alert');
  await expect(problem).toContainText(words.results.failedRows);
  demo.faults.require_scope = false;
  await problem.getByRole('button', { name: words.tryAgain }).click();
  await expect(problem).toHaveCount(0);

  const last = page.locator(`[row-index="${count - 1}"] [col-id=timestamp]`);
  await expect(last).toHaveText(/^\d/);
  expect((await last.innerText()) < newest).toBe(true);
  // The size is that of all received pages.
  await expect(status).not.toContainText(size);

  const [loaded = '', matching = ''] = await open();
  expect(loaded).toMatch(
    oneOf(...[1, anyCount].map((gaps) => startingLike(words.results.copying.loaded(anyCount, count, gaps)))),
  );
  expect(matching).toContain(`${words.results.copying.matching(count)}\n`);
  // Rows with gaps are not saved as a file: the export below has all of them.
  await expect(menu.getByRole('menuitem', csv)).toHaveCount(0);
  await page.keyboard.press('Escape');

  await test.step('find shows which rows it searched, and can search the others', async () => {
    await page.getByRole('searchbox', { name: words.results.find.label }).fill('no such text');
    await expect(app.answer.getByText(like(words.results.find.hits(0, anyCount)))).toBeVisible();
    await app.button(words.results.find.loadAll).click();
    await expect(app.answer.getByText(words.results.find.hits(0, null), { exact: true })).toBeVisible();
    expect((await open())[0]).toContain(`${words.results.copying.all(count)}\n`);
    await page.keyboard.press('Escape');
  });

  await test.step('back to the first row', async () => {
    await last.focus();
    await page.keyboard.press('ControlOrMeta+ArrowUp');
    await expect(page.locator('[row-index="0"] [col-id=timestamp]')).toHaveText(newest);
  });

  await test.step('cells are selected by mouse and keyboard, summed, copied, and cleared', async () => {
    const at = (row: number) => page.locator(`[row-index="${row}"] [col-id="data.hole_depth"]`);
    // Copies have no separators.
    const values = await Promise.all(
      [0, 1, 2].map(async (row) => String(Number((await at(row).innerText()).replaceAll(',', '')))),
    );
    const status = app.answer.locator('.selection-status');
    await at(0).hover();
    await page.mouse.down();
    await at(1).hover();
    await page.mouse.up();
    await expect(status).toContainText(words.results.selection.cells(2, 1));
    await page.keyboard.press('Shift+ArrowDown');
    await expect(status).toContainText(words.results.selection.cells(3, 1));
    await expect(app.answer.locator('[role=gridcell][aria-selected=true]')).toHaveCount(3);
    await expect(status).toContainText(
      words.results.selection.max(formatCalculated(Math.max(...values.map(Number)))),
    );
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.keyboard.press('ControlOrMeta+c');
    await expect
      .poll(() => page.evaluate(() => navigator.clipboard.readText()))
      .toBe(`${values.join('\n')}\n`);
    // Browsers change HTML that is copied; the types of cells remain.
    const html = await page.evaluate<string>(
      `navigator.clipboard.read({ unsanitized: ['text/html'] }).then(async ([item]) => (await item.getType('text/html')).text())`,
    );
    expect(html).toContain(String.raw`.text{mso-number-format:"\@"}`);
    expect(html).toContain(`<td sdnum="1033;">${values[0] ?? ''}</td>`);
    await page.screenshot({ path: test.info().outputPath('selection.png') });
    await page.keyboard.press('Escape');
    await expect(status).toHaveCount(0);
    await page.locator('.ag-header-cell[col-id="#"]').focus();
    await page.keyboard.press('ArrowDown');
    await expect(page.locator('[row-index="0"] [col-id=timestamp]')).toBeFocused();
    await page.locator('[row-index="1"] [col-id="#"]').click();
    await page.locator('[row-index="3"] [col-id="#"]').click({ modifiers: ['Shift'] });
    await expect(status).toContainText(words.results.selection.cells(3, null));
    await page.locator('[row-index="5"] [col-id="#"]').click({ modifiers: ['ControlOrMeta'] });
    await expect(status).toContainText(words.results.selection.cells(4, null));
    expect((await open())[0]).toContain(words.results.copying.selected(4, null));
    await page.keyboard.press('Escape');
    await page.keyboard.press('ControlOrMeta+f');
    await expect(page.getByRole('searchbox', { name: words.results.find.label })).toBeFocused();
  });

  await test.step('with a record shown, arrow keys show the next one; its row can be clicked again', async () => {
    const record = page.getByRole('region', { name: words.record.region });
    const row = page.locator('[row-index="1"] [col-id=timestamp]');
    await row.dblclick();
    await expect(record.getByRole('heading')).toContainText(words.record.number(2));
    await expect(record).toContainText(words.record.time(await row.innerText(), 'UTC'));
    await page.keyboard.press('ArrowDown');
    await expect(record.getByRole('heading')).toContainText(words.record.number(3));
    await record.getByRole('button', { name: words.record.close }).click();
    await page.locator('[row-index="2"] [col-id=timestamp]').dblclick();
    await expect(record).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(record).toHaveCount(0);
  });

  await test.step('a text is found, and Enter in the box shows the next one; hovering shows the raw milliseconds', async () => {
    await page.getByRole('searchbox', { name: words.results.find.label }).fill(newest);
    await expect(app.answer.getByText(like(words.results.find.hits(anyCount, null)))).toBeVisible();
    await page.keyboard.press('Enter');
    const hit = page.locator('[role=gridcell].cell-picked');
    await expect(hit).toHaveText(newest);
    await expect(page.getByRole('searchbox', { name: words.results.find.label })).toBeFocused();
    await hit.hover();
    await expect(page.locator('.ag-cell-tooltip')).toHaveText(/ms$/);
  });
});
