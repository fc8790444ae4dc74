import type { CatalogueEvent } from '../../shared/contract/catalogue.ts';
import type { AppError } from '../../shared/errors/errors.ts';

/** How current a displayed list is. */
export interface Freshness {
  /** When the service sent the list, ISO 8601; null: the list is not complete yet. */
  readonly asOf: string | null;
  /** Whether a request is running. */
  readonly isLoading: boolean;
  /** Whether the list comes from the local store and the service has not confirmed it yet. */
  readonly isStale: boolean;
  /** Why the service could not confirm or send the list. */
  readonly error: AppError | null;
}

export const notLoaded: Freshness = { asOf: null, isLoading: false, isStale: false, error: null };

/** A list that arrives in parts from the catalogue. */
export interface StreamedList<T> {
  readonly items: readonly T[];
  readonly freshness: Freshness;
  /** What the service has sent, collected until it can replace the stored list as a whole. */
  readonly replacement: readonly T[] | null;
}

export const emptyLoadingList: StreamedList<never> = {
  items: [],
  freshness: { ...notLoaded, isLoading: true },
  replacement: null,
};

/** The list after an event. Items are only appended, or replaced as a whole. */
export function applyEvent<T>(list: StreamedList<T>, event: CatalogueEvent<T>): StreamedList<T> {
  const { items, freshness, replacement } = list;
  switch (event.kind) {
    case 'items':
      if (event.source === 'service' && freshness.isStale)
        return { ...list, replacement: [...(replacement ?? []), ...event.items] };
      return { ...list, items: [...items, ...event.items] };
    case 'whole': {
      const { asOf } = event;
      if (event.source === 'kept') return { ...list, freshness: { ...freshness, asOf, isStale: true } };
      // An empty replacement replaces a stored list too.
      const now = freshness.isStale ? (replacement ?? []) : items;
      return {
        items: now,
        replacement: null,
        freshness: { asOf, isLoading: false, isStale: false, error: null },
      };
    }
    case 'same':
      return { ...list, freshness: { asOf: event.asOf, isLoading: false, isStale: false, error: null } };
    case 'damaged':
      return { ...list, items: [], replacement: null };
  }
}

/** The list after its stream ended early. Items that arrived stay. */
export function interruptList<T>(list: StreamedList<T>, error: AppError | null): StreamedList<T> {
  return { ...list, replacement: null, freshness: { ...list.freshness, isLoading: false, error } };
}
