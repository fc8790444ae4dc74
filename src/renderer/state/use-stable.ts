import { useState } from 'react';

/** Whether two values have the same content. */
export const isSameJson = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

/** The value of the last time while it is the same by a comparison, so that what depends on it stays as it is. */
export function useStable<T>(value: T, isSame: (last: T, value: T) => boolean): T {
  const [last, setLast] = useState(value);
  if (last === value || isSame(last, value)) return last;
  setLast(value);
  return value;
}
