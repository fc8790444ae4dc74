import type { Locator, Page } from '@playwright/test';
import { words } from '../../src/renderer/words/words.ts';
import { findings } from './support/findings.ts';
import { expect, test } from './support/fixtures.ts';

const w = words.settings;

/** An element's style, as the browser computes it. */
const look = (element: Locator, property: string): Promise<string> =>
  element.evaluate((found, name) => getComputedStyle(found).getPropertyValue(name), property);

/** The system's color of this name, as the browser computes it. */
const system = (page: Page, name: string): Promise<string> =>
  page.evaluate((color) => {
    const probe = document.createElement('span');
    probe.style.color = color;
    document.body.append(probe);
    const computed = getComputedStyle(probe).color;
    probe.remove();
    return computed;
  }, name);

test.use({ contextOptions: { forcedColors: 'active', reducedMotion: 'reduce' } });

test('the colors, the contrast, and the calm that the system or the user asks for are kept', async ({
  app,
  page,
}) => {
  test.setTimeout(120_000);
  await app.openSample();
  const canvas = await system(page, 'Canvas');
  const highlight = await system(page, 'Highlight');
  const ink = await system(page, 'CanvasText');
  expect(new Set([canvas, highlight, ink]).size).toBe(3);

  await test.step('a selected well has a mark that other wells lack', async () => {
    const [chosen, other] = [app.wells.getByRole('row').nth(0), app.wells.getByRole('row').nth(1)];
    await chosen.click();
    await expect(chosen.locator('.pick-box svg')).toBeVisible();
    await expect(other.locator('.pick-box svg')).toBeHidden();
    expect(await look(chosen, 'border-inline-start-color')).toBe(highlight);
    expect(await look(chosen, 'border-inline-start-width')).not.toBe('0px');
  });

  await test.step('the focus has an outline', async () => {
    await page.getByRole('searchbox', { name: words.wells.search }).focus();
    await page.keyboard.press('Tab');
    const focused = page.locator(':focus');
    expect(await look(focused, 'outline-style')).toBe('solid');
    expect(await look(focused, 'outline-color')).toBe(highlight);
    expect(Number.parseFloat(await look(focused, 'outline-width'))).toBeGreaterThanOrEqual(3);
  });

  await app.openDataset('demo/wits');
  await test.step('the editor uses the colors of the system', async () => {
    expect(await look(page.locator('.monaco-editor').first(), 'background-color')).toBe(canvas);
    await expect.poll(() => look(page.locator('.view-line span span').first(), 'color')).toBe(ink);
  });

  await test.step('the mode and the tab in view are marked by more than their position', async () => {
    const mode = page
      .getByRole('radio', { name: words.query.modes.find, exact: true })
      .locator('xpath=ancestor::label');
    expect(await look(mode, 'background-color')).toBe(highlight);
    await app.button(words.tabs.new).click();
    const tabs = page.getByRole('tablist', { name: words.tabs.label });
    const [shown, other] = [
      tabs.getByRole('tab', { selected: true }),
      tabs.getByRole('tab', { selected: false }),
    ];
    expect(await look(shown, 'background-color')).toBe(highlight);
    expect(await look(other, 'background-color')).not.toBe(highlight);
  });

  await app.run();
  await test.step('the focused cell is marked', async () => {
    const cell = app.column('timestamp').nth(2);
    await cell.click();
    expect(await look(cell, 'border-top-color')).toBe(highlight);
    expect(await look(app.column('timestamp').nth(4), 'border-top-color')).not.toBe(highlight);
  });

  await test.step('lines of a plot are distinct, and so is the next menu item', async () => {
    await app.answer.getByText(words.results.views.plot, { exact: true }).click();
    const lines = app.answer.locator('.chart canvas').first();
    await expect(lines).toBeVisible();
    const colors = () =>
      lines.evaluate((canvasOf: HTMLCanvasElement) => {
        const context = canvasOf.getContext('2d');
        const data = context?.getImageData(0, 0, canvasOf.width, canvasOf.height).data ?? [];
        const seen = new Map<string, number>();
        for (let at = 0; at < data.length; at += 4)
          if (data[at + 3] === 255) {
            const name = `rgb(${data[at]}, ${data[at + 1]}, ${data[at + 2]})`;
            seen.set(name, (seen.get(name) ?? 0) + 1);
          }
        return [...seen].filter(([, count]) => count > 200).map(([name]) => name);
      });
    const series = await page.evaluate(() => {
      const probe = document.createElement('span');
      probe.style.cssText = 'forced-color-adjust: none; color: var(--series-1)';
      document.body.append(probe);
      const { color } = getComputedStyle(probe);
      probe.remove();
      return color;
    });
    expect(series).not.toBe(ink);
    await expect.poll(colors).toContain(series);

    await app.button(words.theme.label).click();
    const item = page.getByRole('menu').locator(':focus');
    await expect(item).toHaveAttribute('data-focused');
    expect(await look(item, 'background-color')).toBe(highlight);
    await page.keyboard.press('Escape');
  });
  expect(await findings(page)).toEqual([]);

  await test.step('with more contrast, secondary text and lines are stronger, in editor and grid too', async () => {
    await page.emulateMedia({ forcedColors: 'none', contrast: 'more' });
    await app.answer.getByText(words.results.views.table, { exact: true }).click();
    const [black, strong] = ['rgb(0, 0, 0)', 'rgb(60, 65, 72)'];
    expect(await look(page.locator('body'), 'color')).toBe(black);
    expect(await look(app.column('timestamp').first(), 'color')).toBe(black);
    await expect.poll(() => look(page.locator('.monaco-editor').first(), 'color')).toBe(black);
    expect(await look(app.button(words.query.count), 'border-top-color')).toBe(strong);
    expect(await look(app.wells.getByRole('row').first(), 'box-shadow')).toContain('inset');
    expect(await findings(page)).toEqual([]);
  });

  await test.step('animations are off if the system or the user requests it', async () => {
    await page.emulateMedia({
      forcedColors: 'none',
      contrast: 'no-preference',
      reducedMotion: 'no-preference',
    });
    const moves = (): Promise<string[]> =>
      page.evaluate(() => {
        const bar = document.body.appendChild(document.createElement('i'));
        bar.setAttribute('style', 'animation: bar-travels 5s infinite; transition: all 5s');
        const { animationDuration, animationIterationCount, transitionDuration } = getComputedStyle(bar);
        bar.remove();
        return [animationDuration, animationIterationCount, transitionDuration];
      });
    const still = ['1e-05s', '1', '1e-05s'];
    await app.button(w.open).click();
    const panel = page.getByRole('complementary', { name: w.region });
    expect(await moves()).toEqual(['5s', 'infinite', '5s']);
    await page.emulateMedia({ reducedMotion: 'reduce' });
    expect(await moves()).toEqual(still);
    await page.emulateMedia({ reducedMotion: 'no-preference' });
    await panel.getByRole('button', { name: new RegExp(`${w.names.motion.name}$`) }).click();
    await page.getByRole('option', { name: w.options.motion.still }).click();
    // Another setting was changed before, for all tests.
    await expect(panel.getByText(w.changed, { exact: true })).toHaveCount(2);
    expect(await moves()).toEqual(still);
  });
});
