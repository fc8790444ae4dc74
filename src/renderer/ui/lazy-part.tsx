import type { ReactNode } from 'react';
import { useLazyContent } from '../state/use-lazy-content.ts';
import { Failed } from './view-states.tsx';

export interface LazyPartProps<T> {
  /** Must be the same function on each render. */
  readonly fetch: () => Promise<T>;
  /** Shown while the content loads. */
  readonly waiting?: ReactNode;
  readonly children: (value: T) => ReactNode;
}

/**
 * A part of the window that is loaded when it is first shown. A failure appears in its place, with a retry
 * button.
 */
export function LazyPart<T>({ fetch, waiting = null, children }: LazyPartProps<T>) {
  const { content, reload } = useLazyContent(fetch);
  if (content.status === 'failed') return <Failed error={content.error} onRetry={reload} />;
  return content.status === 'loaded' ? children(content.value) : waiting;
}
