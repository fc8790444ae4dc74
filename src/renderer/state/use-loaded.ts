import { useEffect, useState } from 'react';
import { createLatestTask } from './latest-task.ts';
import { failed, idle, loaded, loading, type Loadable } from './loadable.ts';

/**
 * What a component loads while it is shown, and again for another function.
 * @param load a new function for something else; null: nothing
 */
export function useLoaded<T>(load: ((signal: AbortSignal) => Promise<T>) | null): Loadable<T> {
  const [last, setLast] = useState<{ readonly of: typeof load; readonly value: Loadable<T> } | null>(null);
  useEffect(() => {
    if (load === null) return undefined;
    const task = createLatestTask();
    void task.run(load, {
      onDone: (value) => setLast({ of: load, value: loaded(value) }),
      onFailed: (error) => setLast({ of: load, value: failed(error) }),
      onCanceled: () => undefined,
    });
    return task.drop;
  }, [load]);
  if (load === null) return idle;
  return last?.of === load ? last.value : loading;
}
