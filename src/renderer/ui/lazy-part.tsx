import { type ReactNode, useCallback, useEffect, useState } from 'react';
import { Failed } from './view-states.tsx';
import { toAppError } from '../../shared/errors/errors.ts';
import { failed, loaded, loading, type Loadable } from '../state/loadable.ts';

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

interface LazyContent<T> {
  readonly content: Loadable<T>;
  readonly reload: () => void;
}

/**
 * Loads a part of the window when it is first shown. Unlike React's `lazy`, which delays such a part by 300
 * ms.
 * @param fetch must be the same function on each render
 */
function useLazyContent<T>(fetch: () => Promise<T>): LazyContent<T> {
  const [content, setPart] = useState<Loadable<T>>(loading);
  const run = useCallback(
    () =>
      fetch().then(
        (value) => setPart(loaded(value)),
        (error: unknown) => setPart(failed(toAppError(error))),
      ),
    [fetch],
  );
  useEffect(() => void run(), [run]);
  return {
    content,
    reload() {
      setPart(loading);
      void run();
    },
  };
}
