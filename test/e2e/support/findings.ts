import { AxeBuilder } from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';

/** A popover lies outside the landmarks, over a window that is inert for as long. */
export const popover = ['region'];

/**
 * While the list of a combo box is open the rest of the window is hidden from a screen reader, but not inert: the
 * first Tab closes the list.
 */
export const openList = [...popover, 'aria-hidden-focus', 'page-has-heading-one'];

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
    .analyze();
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, html }) => `${id}: ${target.join(' ')} ${html}`),
  );
}

/**
 * What axe finds wrong, one line for each.
 * @param besides names rules that do not hold here
 * @param within the part of the window that is looked at; absent: all of it
 */
export const findings = (page: Page, besides: string[] = [], within?: string): Promise<string[]> =>
  look(page, tags, besides, within, []);

/**
 * Rows behind the first few of a list, in whose looks all are drawn. In one look each of them is looked at ({@link findings});
 * in the other two that took minutes.
 */
const alike = ['.ag-row:nth-child(n + 5)', '.pick:nth-child(n + 7)'];

/**
 * What can't be told from what lies under it, one line for each: what changes with the theme and the contrast. Of rows
 * that are drawn alike it looks at a few.
 */
export const contrastFindings = (page: Page, within?: string): Promise<string[]> =>
  look(page, ['color-contrast'], [], within, alike);

/** Beside light, in which all is looked at: what changes with them is the colours. */
const looks = [
  { colorScheme: 'dark', contrast: 'no-preference' },
  { colorScheme: 'light', contrast: 'more' },
] as const;
const light = { colorScheme: 'light', contrast: 'no-preference' } as const;

/**
 * Nothing is wrong, in light and in dark, with more contrast or without.
 * @param besides names rules that do not hold here
 * @param within the part of the window that is looked at; absent: all of it
 */
export async function expectNoFindings(page: Page, besides: string[] = [], within?: string): Promise<void> {
  expect(await findings(page, besides, within)).toEqual([]);
  for (const each of looks) {
    await page.emulateMedia(each);
    // A theme is drawn a moment after it is chosen, and looking takes long where the machine is busy.
    const message = `${each.colorScheme}, contrast: ${each.contrast}`;
    await expect.poll(() => contrastFindings(page, within), { message, timeout: 90_000 }).toEqual([]);
  }
  await page.emulateMedia(light);
}
