import { useEffect, useState } from 'react';
import { loading, type Loadable } from './loadable.ts';
import { Resource, useResource } from './resource.ts';

/**
 * What a component loads while it is shown, and again for another function.
 * @param load a new function for something else; null: nothing
 */
export function useLoaded<T>(load: ((signal: AbortSignal) => Promise<T>) | null): Loadable<T> {
  const [resource] = useState(
    () => new Resource((call: (signal: AbortSignal) => Promise<T>, signal) => call(signal)),
  );
  const answer = useResource(resource, load);
  // What earlier functions loaded isn't read again.
  useEffect(() => () => void (load && resource.forget(load)), [resource, load]);
  return answer.status === 'idle' && load !== null ? loading : answer;
}
