import { useDeferredValue } from 'react';

/** The items that fill the view, and then all of them: drawing the others delays neither the first ones nor input. */
export function useFirstItems<Item>(items: readonly Item[], count: number): readonly Item[] {
  const isWhole = useDeferredValue(true, false);
  return isWhole ? items : items.slice(0, count);
}
