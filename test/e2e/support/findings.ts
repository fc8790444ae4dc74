import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from '@playwright/test';

/** A popover lies outside the landmarks, over a window that is inert for as long. */
export const popover = ['region'];

/**
 * While the list of a combo box is open the rest of the window is hidden from a screen reader, but not inert: the
 * first Tab closes the list.
 */
export const openList = [...popover, 'aria-hidden-focus', 'page-has-heading-one'];

/**
 * What axe finds wrong, one line for each.
 * @param besides names rules that do not hold here
 * @param within the part of the window that is looked at; absent: all of it
 */
export async function findings(page: Page, besides: string[] = [], within?: string): Promise<string[]> {
  const builder = new AxeBuilder({ page });
  if (within !== undefined) builder.include(within);
  const { violations } = await builder
    .disableRules(besides)
    // The component library's own announcements: labelled by what is being said, for as long as it is being said.
    .exclude('[data-live-announcer]')
    .withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'])
    .analyze();
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, html }) => `${id}: ${target.join(' ')} ${html}`),
  );
}

/** What can't be told from what lies under it, one line for each: what changes with the theme and the contrast. */
export async function contrastFindings(page: Page): Promise<string[]> {
  const { violations } = await new AxeBuilder({ page })
    .exclude('[data-live-announcer]')
    .withRules(['color-contrast'])
    .analyze();
  return violations.flatMap(({ nodes }) => nodes.map(({ target, html }) => `${target.join(' ')} ${html}`));
}
