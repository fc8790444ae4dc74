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
 * A part of the window that is loaded when it is first shown. A failure appears in its place, with a retry button.
 * React's `lazy` delays such a part by 300 ms.
 */
export function LazyPart<T>({ fetch, waiting = null, children }: LazyPartProps<T>) {
  const [content, setContent] = useState<Loadable<T>>(loading);
  const run = useCallback(
    () =>
      void fetch().then(
        (value) => setContent(loaded(value)),
        (error: unknown) => setContent(failed(toAppError(error))),
      ),
    [fetch],
  );
  useEffect(run, [run]);
  const retry = () => {
    setContent(loading);
    run();
  };
  if (content.status === 'failed') return <Failed error={content.error} onRetry={retry} />;
  return content.status === 'loaded' ? children(content.value) : waiting;
}
