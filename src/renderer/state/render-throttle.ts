import type { CatalogueEvent } from '../../shared/contract/catalogue.ts';

/** The minimum interval between two renders of a list that is loading, in milliseconds. */
const minIntervalMs = 1000;

/**
 * Decides after which events a list that is loading is rendered: filtering, sorting, and rendering tens of
 * thousands of items with each event costs more than loading them. A stored list is rendered at its first and
 * its last event. Callers render a list whose stream broke off themselves.
 */
export function createRenderThrottle(
  now: () => number,
): (event: Pick<CatalogueEvent<unknown>, 'kind'> & { readonly source?: 'kept' | 'service' }) => boolean {
  let shownAt = -Infinity;
  return ({ kind, source }) => {
    if (kind === 'items' && now() - shownAt < (source === 'kept' ? Infinity : minIntervalMs)) return false;
    shownAt = now();
    return true;
  };
}
