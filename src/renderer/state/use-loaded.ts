import { useEffect, useState } from 'react';
import { toAppError } from '../../shared/errors/errors.ts';
import { failed, idle, loaded, loading, type Loadable } from './loadable.ts';

/**
 * What a component loads while it is shown, and again for another function.
 * @param load a new function for something else; null: nothing
 */
export function useLoaded<T>(load: ((signal: AbortSignal) => Promise<T>) | null): Loadable<T> {
  const [last, setLast] = useState<{ readonly of: typeof load; readonly value: Loadable<T> } | null>(null);
  useEffect(() => {
    if (load === null) return undefined;
    const leave = new AbortController();
    const show = (value: Loadable<T>) => leave.signal.aborted || setLast({ of: load, value });
    load(leave.signal).then(
      (value) => show(loaded(value)),
      (error: unknown) => show(failed(toAppError(error))),
    );
    return () => leave.abort();
  }, [load]);
  if (load === null) return idle;
  return last?.of === load ? last.value : loading;
}
