import { AxeBuilder } from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';

/** A popover lies outside the landmarks, over a window that is inert for as long. */
export const popover = ['region'];

const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/**
 * What is looked at with axe, in the page itself: its other way carries what it saw to an empty page, which takes several
 * times as long and takes the focus. It stays in the page, and says where only of what it finds wrong.
 */
async function look(
  page: Page,
  runOnly: string[],
  besides: readonly string[],
  within: string | undefined,
  without: readonly string[],
) {
  // What opens on a press comes a moment after it.
  if (within !== undefined) await expect(page.locator(within)).not.toHaveCount(0);
  const isThere = await page.evaluate(() => 'axe' in window);
  const builder = new AxeBuilder({ page, ...(isThere ? { axeSource: 'void 0' } : {}) }).setLegacyMode();
  if (within !== undefined) builder.include(within);
  for (const part of without) builder.exclude(part);
  const { violations } = await builder
    .options({ runOnly, resultTypes: ['violations'] })
    .disableRules([...besides])
    // The component library's own announcements: labelled by what is being said, for as long as it is being said.
    .exclude('[data-live-announcer]')
    // A tooltip stands outside the landmarks, by the button that it describes.
    .exclude('[data-overlay-container]:has(> [role=tooltip])')
    // The grid draws headings in view only: the row of group headings has none while no group is in view.
    .exclude('.ag-header-row-group:not(:has([role=columnheader]))')
    .analyze();
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, html }) => `${id}: ${target.join(' ')} ${html}`),
  );
}

/** Rows behind the first few of a list, which are built alike. */
const alike = ['.ag-row:nth-child(n + 5)', '.pick:nth-child(n + 7)'];

/**
 * What axe finds wrong in the structure, one line for each. Of rows that are built alike it looks at a few. Contrast is
 * computed from the tokens (test/renderer/styles/contrast.test.ts).
 * @param besides names rules that do not hold here
 * @param within the part of the window that is looked at; absent: all of it
 */
export const findings = (page: Page, besides: string[] = [], within?: string): Promise<string[]> =>
  look(page, tags, [...besides, 'color-contrast'], within, alike);
