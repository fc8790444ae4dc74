import type { CatalogueEvent } from '../../shared/catalogue/catalogue.ts';

/** While a list comes from a service, what is seen of it grows at most this often, in milliseconds. */
const growsEvery = 1000;

/**
 * Says after which events a list that comes in is to be shown: searching, sorting and drawing it with each part of tens
 * of thousands costs more than all of them. What was kept comes in one go: its beginning is shown at once, and then all
 * of it. A stream that breaks off is to be shown by whoever hears that.
 */
export function createPace(
  now: () => number,
): (event: Pick<CatalogueEvent<unknown>, 'kind'> & { readonly source?: 'kept' | 'service' }) => boolean {
  let shownAt = -Infinity;
  return ({ kind, source }) => {
    if (kind === 'items' && now() - shownAt < (source === 'kept' ? Infinity : growsEvery)) return false;
    shownAt = now();
    return true;
  };
}
