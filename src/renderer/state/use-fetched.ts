import { useCallback, useEffect, useState } from 'react';
import { toAppError } from '../../shared/errors/errors.ts';
import { failed, full, loading, type Loadable } from './loadable.ts';

export interface Fetched<T> {
  readonly part: Loadable<T>;
  readonly again: () => void;
}

/**
 * A part of the window that is fetched when it is first shown, so that what stands around it is there before. React's own
 * \`lazy\` holds such a part back for 300 ms once it has shown that something is missing.
 * @param fetch the same function at each drawing
 */
export function useFetched<T>(fetch: () => Promise<T>): Fetched<T> {
  const [part, setPart] = useState<Loadable<T>>(loading);
  const ask = useCallback(
    () =>
      fetch().then(
        (value) => setPart(full(value)),
        (error: unknown) => setPart(failed(toAppError(error))),
      ),
    [fetch],
  );
  useEffect(() => void ask(), [ask]);
  return {
    part,
    again() {
      setPart(loading);
      void ask();
    },
  };
}
