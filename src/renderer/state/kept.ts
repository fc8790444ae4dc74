import type { CatalogueEvent } from '../../shared/catalogue/catalogue.ts';
import type { AppError } from '../../shared/errors/errors.ts';

/** How far a list that is shown can be trusted. */
export interface Freshness {
  /** When the service was asked for what is shown, ISO 8601; null: not all of it has come yet. */
  readonly asOf: string | null;
  /** Whether the service is being asked now. */
  readonly asking: boolean;
  /** Whether what is shown was kept on this machine and the service has not said yet that it still holds. */
  readonly stale: boolean;
  /** Why the service could not say. */
  readonly error: AppError | null;
}

export const unasked: Freshness = { asOf: null, asking: false, stale: false, error: null };

/** A list as it comes from the catalogue. */
export interface Coming<T> {
  readonly items: readonly T[];
  readonly freshness: Freshness;
  /** What the service has said so far, beside a kept list that is shown until all of it is there. */
  readonly beside: readonly T[] | null;
}

export const asked: Coming<never> = {
  items: [],
  freshness: { ...unasked, asking: true },
  beside: null,
};

/** A list after one more event. Items are only ever added at the end, or replaced as a whole. */
export function heard<T>(list: Coming<T>, event: CatalogueEvent<T>): Coming<T> {
  const { items, freshness, beside } = list;
  switch (event.kind) {
    case 'items':
      if (event.source === 'service' && freshness.stale)
        return { ...list, beside: [...(beside ?? []), ...event.items] };
      return { ...list, items: [...items, ...event.items] };
    case 'whole': {
      const { asOf } = event;
      if (event.source === 'kept') return { ...list, freshness: { ...freshness, asOf, stale: true } };
      // A kept list that is empty now is replaced by nothing.
      const now = freshness.stale ? (beside ?? []) : items;
      return { items: now, beside: null, freshness: { asOf, asking: false, stale: false, error: null } };
    }
    case 'same':
      return { ...list, freshness: { asOf: event.asOf, asking: false, stale: false, error: null } };
    case 'damaged':
      return { ...list, items: [], beside: null };
  }
}

/** A list whose stream broke off: what came stands. */
export function brokenOff<T>(list: Coming<T>, error: AppError | null): Coming<T> {
  return { ...list, beside: null, freshness: { ...list.freshness, asking: false, error } };
}
