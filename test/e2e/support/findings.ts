import { AxeBuilder } from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';

/** A popover is outside the landmarks, and makes the window inert while it is open. */
export const popover = ['region'];

const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/**
 * Runs axe in the page itself: its other mode copies results to an empty page, which takes several times as long
 * and moves the focus. Results stay in the page, which reports only the positions of findings.
 */
async function look(
  page: Page,
  runOnly: string[],
  besides: readonly string[],
  within: string | undefined,
  without: readonly string[],
) {
  // A popover opens a moment after the press.
  if (within !== undefined) await expect(page.locator(within)).not.toHaveCount(0);
  const isThere = await page.evaluate(() => 'axe' in window);
  const builder = new AxeBuilder({ page, ...(isThere ? { axeSource: 'void 0' } : {}) }).setLegacyMode();
  if (within !== undefined) builder.include(within);
  for (const part of without) builder.exclude(part);
  const { violations } = await builder
    .options({ runOnly, resultTypes: ['violations'] })
    .disableRules([...besides])
    // The component library's own announcements, labeled by their text while they are announced.
    .exclude('[data-live-announcer]')
    // A tooltip is outside the landmarks, next to its button.
    .exclude('[data-overlay-container]:has(> [role=tooltip])')
    // The grid draws only visible headings: the row of group headings is empty while no group is in view.
    .exclude('.ag-header-row-group:not(:has([role=columnheader]))')
    .analyze();
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, html }) => `${id}: ${target.join(' ')} ${html}`),
  );
}

/** Rows after the first few of a list, which have the same structure. */
const alike = ['.ag-row:nth-child(n + 5)', '.pick:nth-child(n + 7)'];

/**
 * What axe reports about the structure, one line each. It checks a few of the rows with equal structure. Contrast is
 * computed from the tokens (test/renderer/styles/contrast.test.ts).
 * @param besides names rules that do not apply here
 * @param within the part of the window to check; absent: all of it
 */
export const findings = (page: Page, besides: string[] = [], within?: string): Promise<string[]> =>
  look(page, tags, [...besides, 'color-contrast'], within, alike);
