import type { ReactNode } from 'react';
import { useFetched } from '../state/use-fetched.ts';
import { Failed } from './faces.tsx';

export interface FetchedPartProps<T> {
  /** The same function at each drawing. */
  readonly fetch: () => Promise<T>;
  /** What stands there meanwhile. */
  readonly waiting?: ReactNode;
  readonly children: (fetched: T) => ReactNode;
}

/** A part of the window that is fetched when it is first shown; what went wrong stands in its place, and can be tried again. */
export function FetchedPart<T>({ fetch, waiting = null, children }: FetchedPartProps<T>) {
  const { part, again } = useFetched(fetch);
  if (part.face === 'failed') return <Failed error={part.error} onRetry={again} />;
  return part.face === 'full' ? children(part.value) : waiting;
}
