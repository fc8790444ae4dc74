import { useCallback, useEffect, useState } from 'react';
import { toAppError } from '../../shared/errors/errors.ts';
import { failed, loaded, loading, type Loadable } from './loadable.ts';

export interface LazyContent<T> {
  readonly content: Loadable<T>;
  readonly reload: () => void;
}

/**
 * Loads a part of the window when it is first shown. Unlike React's `lazy`, which delays such a part by 300
 * ms.
 * @param fetch must be the same function on each render
 */
export function useLazyContent<T>(fetch: () => Promise<T>): LazyContent<T> {
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
