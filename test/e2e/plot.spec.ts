import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { startDemo } from '../../src/demo/index.ts';
import { plotWords } from '../../src/renderer/words/plot.ts';
import { plainName } from '../../src/shared/channels/plain-names.ts';
import { words } from '../../src/renderer/words/words.ts';
import { any, anyCount, including, like, startingLike } from '../support/wording.ts';
import { check } from './support/app.ts';
import { findings } from './support/findings.ts';
import { addressOf, expect, test } from './support/fixtures.ts';

const plot = (page: Page) => page.getByRole('region', { name: plotWords.region, exact: true });
const drawing = (page: Page) => plot(page).getByRole('application');
const values = (page: Page) => plot(page).getByRole('table', { name: plotWords.values });

async function downloaded(page: Page, act: () => Promise<void>): Promise<{ name: string; bytes: Buffer }> {
  const coming = page.waitForEvent('download');
  await act();
  const download = await coming;
  return { name: download.suggestedFilename(), bytes: await readFile(await download.path()) };
}

/** The number of pixels of a PNG, from its header. */
const sizeOf = (png: Buffer) => [png.readUInt32BE(16), png.readUInt32BE(20)];

test('records are plotted: fields by keyboard, zoom, cursor, picture, and data', async ({
  app,
  demo,
  page,
}) => {
  await app.connect(addressOf(demo));
  await app.openDataset('demo/wits');
  await page.getByLabel(words.query.limit).fill('3000');
  await app.run();
  await check(page.getByRole('radio', { name: words.results.views.plot }));
  await expect(values(page).getByRole('rowheader').first()).toContainText(plotWords.unit('ROP', 'ft/h'));

  await test.step('it shows all matching records in steps, and saves them under that name', async () => {
    await expect(plot(page)).toContainText(including(plotWords.whole.extremes('')));
    const csv = await downloaded(page, () => plot(page).getByRole('button', { name: plotWords.csv }).click());
    expect(csv.name).toContain(plotWords.whole.extremes(''));
    await app.button(plotWords.whole.showRows).click();
  });

  await test.step('it shows its share of the records, and loads the rest', async () => {
    await expect(plot(page).locator('..')).toContainText(plotWords.reach.limited(3_000));
    await app.button(plotWords.reach.load(null)).click();
    await expect(app.answer.getByRole('status').first()).toHaveText(
      startingLike(words.results.records(anyCount)),
    );
    await expect(app.answer).not.toContainText(including(plotWords.reach.loading(anyCount, anyCount)));
    await expect(plot(page)).toContainText(including(plotWords.drawnPoints(anyCount)));
  });

  await test.step('a field is dragged into it from its column header', async () => {
    await page.setViewportSize({ width: 1440, height: 900 });
    await check(page.getByRole('radio', { name: words.results.views.both }));
    const head = app.answer.locator('.ag-header-cell[col-id="data.hole_depth"]');
    await expect(head).toBeInViewport();
    const [from, to] = [await head.boundingBox(), await drawing(page).boundingBox()];
    if (!from || !to) throw new Error('there is nothing to drag, or no plot');
    const target = page.getByRole('region', { name: words.results.views.plot, exact: true });
    await expect(target).toHaveCSS('outline-style', 'none');
    await page.mouse.move(from.x + 20, from.y + 10);
    await page.mouse.down();
    await page.mouse.move(from.x + 60, from.y + 40, { steps: 4 });
    // A drop target for a field is highlighted.
    await expect(target).toHaveCSS('outline-style', 'dashed');
    await page.mouse.move(to.x + 60, to.y + 40, { steps: 4 });
    await page.mouse.up();
    await expect(target).toHaveCSS('outline-style', 'none');
    const field = values(page)
      .getByRole('rowheader')
      .filter({ hasText: plotWords.unit(plainName('data.hole_depth'), 'ft') });
    await expect(field.first()).toBeVisible();
    await plot(page)
      .getByRole('button', { name: plotWords.fieldCount(3) })
      .click();
    await page
      .getByRole('dialog')
      .getByRole('button', { name: including(plainName('data.hole_depth')) })
      .click();
    await expect(field).toHaveCount(0);
    await page.keyboard.press('Escape');
    await expect(page.getByRole('dialog')).toHaveCount(0);
    await check(page.getByRole('radio', { name: words.results.views.plot }));
  });

  await test.step('it shows the zone of its times', async () => {
    const zone = page.getByRole('button', { name: including(words.results.zones.label) });
    await zone.click();
    await page.getByRole('option', { name: like(words.results.zones.local(any)) }).click();
    await expect(drawing(page)).toHaveAccessibleName(including('(America/Chicago)'));
    await zone.click();
    await page.getByRole('option', { name: words.results.zones.utc, exact: true }).click();
  });

  await test.step('a field is found and added by keyboard', async () => {
    await plot(page).getByRole('combobox', { name: plotWords.addField }).focus();
    await page.keyboard.type('hook');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await expect(values(page).getByRole('rowheader').filter({ hasText: 'Hook load' }).first()).toBeVisible();
  });

  await test.step('the cursor reads values, zoom shows less and all again', async () => {
    await drawing(page).focus();
    await page.keyboard.press('Home');
    const head = values(page).getByRole('columnheader').nth(1);
    await expect(head).toHaveText(/^\d{4}-\d\d-\d\d \d\d:/);
    const first = await head.innerText();
    await page.keyboard.press('Shift+ArrowRight');
    await expect(head).not.toHaveText(first);
    await expect(
      plot(page)
        .getByRole('status')
        .filter({ hasText: /ROP \(ft\/h\) [\d.,]+/ }),
    ).toBeAttached();
    const everything = (await values(page).textContent()) ?? '';
    await page.keyboard.press('+');
    await page.keyboard.press('+');
    await expect(plot(page).getByRole('button', { name: plotWords.reset })).toBeEnabled();
    await page.keyboard.press('0');
    await expect(plot(page).getByRole('button', { name: plotWords.reset })).toBeDisabled();
    await expect(values(page)).toHaveText(everything);
    const box = await drawing(page).boundingBox();
    if (!box) throw new Error('there is no drawing');
    // The end, where the active wells have their records.
    await page.mouse.move(box.x + box.width - 300, box.y + 60);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width - 60, box.y + 80, { steps: 3 });
    await page.mouse.up();
    await expect(plot(page).getByRole('button', { name: plotWords.reset })).toBeEnabled();
  });

  await test.step('the visible part is saved as a picture and as data', async () => {
    const picture = await downloaded(page, async () => {
      await plot(page).getByRole('button', { name: plotWords.picture }).click();
      await page.getByRole('menuitem', { name: plotWords.pictures.print }).click();
    });
    expect(picture.name).toBe('WITS-plot.png');
    expect(sizeOf(picture.bytes)[0]).toBe(2400);
    const csv = await downloaded(page, () => plot(page).getByRole('button', { name: plotWords.csv }).click());
    const lines = csv.bytes.toString('utf8').trimEnd().split('\r\n');
    expect(lines[0]).toMatch(/^(well,)?timestamp,data\.rop,data\.weight_on_bit,data\.hook_load$/);
    // Only the zoomed part.
    expect(lines.length).toBeGreaterThan(2);
    expect(lines.length).toBeLessThan(3001);
    expect(csv.bytes.toString('utf8')).not.toContain('-999.25');
  });

  await test.step('other plot types have no findings of axe', async () => {
    expect(await findings(page, [], '.plot-view')).toEqual([]);
    await check(page.getByRole('radio', { name: plotWords.kinds.tracks }));
    await expect(plot(page).getByRole('button', { name: including(plotWords.along.tracks) })).toContainText(
      plainName('data.hole_depth'),
    );
    const reset = plot(page).getByRole('button', { name: plotWords.reset });
    await drawing(page).focus();
    await page.keyboard.press('0');
    await expect(reset).toBeDisabled();
    await expect(plot(page).getByRole('button', { name: startingLike('ROP (ft/h), ') })).toBeVisible();
    const tracks = await drawing(page).boundingBox();
    if (!tracks) throw new Error('there is no drawing');
    // A drag down a track zooms along the depth.
    await page.mouse.move(tracks.x + 120, tracks.y + tracks.height * 0.4);
    await page.mouse.down();
    await page.mouse.move(tracks.x + 120, tracks.y + tracks.height * 0.7, { steps: 4 });
    await page.mouse.up();
    await expect(reset).toBeEnabled();
    await reset.click();
    expect(await findings(page, [], '.plot-view')).toEqual([]);
  });

  await test.step('the scale of a curve is edited by keyboard, and it moves into another track', async () => {
    const head = plot(page).getByRole('button', { name: startingLike('ROP (ft/h), ') });
    await expect(head).toContainText('500');
    await head.focus();
    await page.keyboard.press('Enter');
    const form = page.getByRole('dialog', { name: plotWords.scales.of('ROP (ft/h)') });
    await form.getByLabel(plotWords.scales.right).fill('1');
    await check(form.getByRole('checkbox', { name: plotWords.scales.log }));
    await expect(head).toHaveAccessibleName(
      startingLike(plotWords.scales.button('ROP (ft/h)', '500', '1', true)),
    );
    await form.getByLabel(plotWords.scales.left).fill('-3');
    await expect(form).toContainText(plotWords.scales.noLogarithm);
    expect(await findings(page, [], '.popup')).toEqual([]);
    await form.getByRole('button', { name: including(plotWords.scales.track) }).click();
    await page.getByRole('option', { name: startingLike('2: ') }).click();
    await page.keyboard.press('Escape');
    await expect(form).toHaveCount(0);
    await expect(head).toBeFocused();
    await expect(plot(page).locator('.track-head').filter({ hasText: 'ROP' })).toContainText('Weight on bit');
  });

  await test.step('tops of another dataset are drawn, and the one at the cursor is named', async () => {
    await plot(page)
      .getByRole('button', { name: plotWords.overlays.button(0) })
      .click();
    await check(page.getByRole('checkbox', { name: 'Formations' }));
    await expect(page.getByRole('button', { name: including(plotWords.overlays.from) })).toContainText('md');
    expect(await findings(page, [], '.popup')).toEqual([]);
    await page.keyboard.press('Escape');
    await drawing(page).focus();
    await page.keyboard.press('End');
    const tops = values(page)
      .getByRole('row')
      .filter({ has: page.getByRole('rowheader', { name: plainName('data.formation_name') }) });
    await expect(tops).toContainText(/Wolfcamp|Bone Spring|Canyon|Salado|Rustler/);
    await check(page.getByRole('radio', { name: plotWords.kinds.scatter }));
    // A new plot has no cursor: a key that went to the previous one is pressed again.
    await expect(async () => {
      await drawing(page).focus();
      await page.keyboard.press('ArrowRight');
      const now = values(page).locator('.readout-now').filter({ hasText: /\d/ });
      await expect(now.first()).toBeVisible({ timeout: 2000 });
    }).toPass();
  });

  await test.step('a crossplot has colors, logarithmic axes, histograms, and a regression with its equation', async () => {
    await plot(page).getByRole('button', { name: plotWords.crossplot.heading }).click();
    const form = page.getByRole('dialog', { name: plotWords.crossplot.heading });
    for (const flag of ['isLogX', 'hasRegression', 'hasHistograms'] as const)
      await check(form.getByRole('checkbox', { name: plotWords.crossplot[flag] }));
    await form.getByRole('button', { name: including(plotWords.crossplot.color) }).click();
    await page.getByRole('option', { name: including(plainName('data.hole_depth')) }).click();
    await page.keyboard.press('Escape');
    await expect(values(page)).toContainText(/y = \S+·log₁₀ x [+−] \S+, R² = [01]\.\d{4}/);
    await expect(values(page)).toContainText(
      plotWords.crossplot.coloredBy(plotWords.unit(plainName('data.hole_depth'), 'ft')),
    );
    expect(await findings(page, [], '.plot-view')).toEqual([]);
  });
});

// In each `npm test`: both side by side (test/renderer/window/both.test.tsx).
test(
  'a plot and the table next to it point at the same records; a zoom stays, and is written into the query; wells are overlaid, and two results are side by side',
  { tag: '@long' },
  async ({ app, page }) => {
    await page.setViewportSize({ width: 1440, height: 900 });
    await app.openSample();
    await app.well(/^Badger Creek A-117H/).click();
    await app.openDataset('demo/wits');
    await app.run();
    await check(page.getByRole('radio', { name: words.results.views.both }));
    const at = values(page).getByRole('columnheader').nth(1);
    const time = app.answer.locator('[role=gridcell][col-id=timestamp]');

    await test.step('the row under the pointer is at the cursor of the plot', async () => {
      await expect(plot(page).getByRole('heading')).toContainText('Badger Creek A-117H');
      await time.nth(3).hover();
      await expect(at).toHaveText((await time.nth(3).innerText()).slice(0, 19));
    });

    await test.step('a position of the plot is a row of the table, which scrolls to it on a click', async () => {
      const box = await drawing(page).boundingBox();
      if (!box) throw new Error('there is no drawing');
      await expect(app.answer.locator('[row-index="0"]').first()).toBeInViewport();
      await page.mouse.click(box.x + box.width / 2, box.y + box.height / 3);
      await expect(app.answer.locator('[row-index="0"]')).toHaveCount(0);
      const row = app.answer.locator('.row-pointed [col-id=timestamp]');
      // The cursor is between two records.
      await expect(row).toHaveText(startingLike((await at.innerText()).slice(0, 16)));
      await expect(row).toHaveAttribute('aria-selected', 'true');
    });

    await test.step('a zoom stays in the other view', async () => {
      await drawing(page).focus();
      await page.keyboard.press('+');
      await page.keyboard.press('+');
      const range = plot(page).getByRole('heading').locator('.plot-range');
      await expect(plot(page).getByRole('button', { name: plotWords.reset })).toBeEnabled();
      const zoomed = await range.innerText();
      await check(page.getByRole('radio', { name: words.results.views.table }));
      await check(page.getByRole('radio', { name: words.results.views.plot }));
      await expect(range).toHaveText(zoomed);
    });

    await test.step('it is written into the query', async () => {
      await plot(page).getByRole('button', { name: plotWords.rangeToQuery }).click();
      await expect.poll(() => app.query()).toMatch(/timestamp: \{ \$gte: ISODate\(.+\$lt: ISODate\(/);
      await expect(app.answer).toContainText(words.results.earlier.loaded);
    });

    const two = [{ name: 'Åsgard Sør 7-H' }, { name: 'Badger Creek D-120H' }];
    const title = words.tabs.query('WITS', 2, two);
    await test.step('wells are overlaid', async () => {
      await page.setViewportSize({ width: 1360, height: 860 });
      await app.showSection('wells');
      await app.button(words.wells.removeAll).click();
      for (const name of [/^Åsgard Sør 7-H/, /^Badger Creek D-120H/]) await app.well(name).click();
      await app.openDataset('demo/wits');
      await page.getByRole('textbox', { name: words.query.limit, exact: true }).fill('9000');
      await app.run();
      await check(page.getByRole('radio', { name: words.results.views.plot }));
      await expect(
        values(page).getByRole('rowheader').filter({ hasText: 'Badger Creek D-120H' }).first(),
      ).toBeVisible();
      await plot(page)
        .getByRole('button', { name: including(plotWords.align) })
        .click();
      await page.getByRole('option', { name: plotWords.aligns.elapsed }).click();
      await expect(drawing(page)).toHaveAccessibleName(including(plotWords.elapsed));
      await drawing(page).focus();
      await page.keyboard.press('Home');
      await expect(values(page).getByRole('columnheader').nth(1)).toHaveText('0:00:00');
    });

    await test.step('two results are side by side', async () => {
      await app.openDataset('demo/drilling.wits.depth');
      await page.getByRole('tab', { name: title, exact: true }).click({ button: 'right' });
      await page.getByRole('menuitem', { name: words.tabs.actions.tabBeside }).click();
      const region = page.getByRole('region', { name: words.tabs.beside(title) });
      await expect(region.getByRole('application')).toBeVisible();
      // With the focus in it, it is the active tab.
      const beside = page.locator('.tab-panel-right');
      await expect(
        page.getByRole('tabpanel', { name: words.tabs.query('Depth logs', 1, two) }),
      ).toBeVisible();
      // Actions that don't fit the narrow toolbar are in its menu.
      await beside.getByRole('button', { name: plotWords.more }).click();
      await page.getByRole('menuitem', { name: plotWords.zoomIn }).click();
      await beside.getByRole('button', { name: plotWords.more }).click();
      await page.getByRole('menuitem', { name: plotWords.reset }).click();
      // Both have a query and a result; their regions distinguish them.
      expect(await findings(page, ['landmark-unique'], '.tab-panels')).toEqual([]);
      await beside.getByRole('button', { name: words.tabs.alone }).click();
      await expect(beside).toHaveCount(0);
    });
  },
);

// In each `npm test`: live views (test/renderer/window/live.test.tsx).
test(
  'a live dataset pauses out of view, and stops on a rejection',
  { tag: '@long' },
  async ({ app, page }) => {
    const demo = await startDemo({ wells: 2, records: 1200, live: true });
    try {
      await app.connect(addressOf(demo));
      await app.openDataset('demo/wits');
      await app.run();
      await app.button(words.live.follow).click();
      const live = page.getByRole('region', { name: words.live.region, exact: true });
      await expect(live.getByRole('status').filter({ hasText: words.live.status.following })).toBeVisible();
      await expect(drawing(page)).toBeVisible();
      await live.getByRole('button', { name: including(words.live.pace) }).click();
      await page.getByRole('option', { name: words.live.every(2) }).click();
      await check(live.getByRole('radio', { name: words.results.views.table }));
      // The selected record stays selected while others arrive in front of it.
      const chosen = live.getByRole('row', { selected: true });
      await live.locator('[row-index="0"] [col-id=timestamp]').dblclick();
      const record = live.getByRole('region', { name: words.record.region });
      await expect(record.getByRole('row', { name: /^timestamp / })).toBeVisible();
      await expect(chosen).not.toHaveAttribute('row-index', '0');
      await expect(live).toContainText(/\d+ records · newest record .* · updated/);
      await record.getByRole('button', { name: words.record.close }).click();
      expect(await findings(page, [], '.live-tab')).toEqual([]);

      // A page that starts with this tab has its styles, too.
      await page.reload();
      await expect(live.locator('.live-bar')).toHaveCSS('display', 'flex');

      // From here on a query without a well is rejected; the user who returns to the tab sees it immediately.
      await page.getByRole('tab', { name: words.tabs.query('WITS', 1, []), exact: true }).click();
      demo.faults.require_scope = true;
      await page.getByRole('tab', { name: words.live.tab('WITS'), exact: true }).click();
      await expect(live.getByRole('alert')).toContainText(including(words.live.stoppedWhy(any)));
      await expect(live.getByRole('button', { name: words.live.resume })).toBeVisible();
    } finally {
      await demo.close();
    }
  },
);

test('a plot of all records and a table of some of them give a log the same name', async ({
  app,
  demo,
  page,
}) => {
  const ids = ['b00000000001', 'a00000000002'];
  const insert = ids.flatMap((log_identifier, log) =>
    Array.from({ length: 200 }, (_, at) => ({
      version: 1,
      asset_id: 5001,
      log_identifier,
      measured_depth: 100 + log * 5000 + at,
      data: { gamma_ray: at % 90 },
    })),
  );
  demo.change('demo/uploads.depth', { insert });
  await app.connect(addressOf(demo));
  await app.well(/^Ridge A-101H/).click();
  await app.openDataset('demo/uploads.depth');
  await page.getByLabel(words.query.limit).fill('50');
  await app.run();
  const names = [plotWords.log(1, '100–299'), plotWords.log(2, '5,100–5,299')];
  const cells = app.column('log_identifier');
  await expect(cells.first()).toHaveText(new RegExp(`^(?:${names.join('|')})$`));
  await check(page.getByRole('radio', { name: words.results.views.both }));
  for (const name of names)
    await expect(values(page).getByRole('rowheader', { name: including(` · ${name}, `) })).toBeVisible();
  expect(await findings(page, [], '.plot-view')).toEqual([]);
});
