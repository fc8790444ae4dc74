import { useEffect, useEffectEvent } from 'react';

/** What a part of a view does when a command calls it, such as taking the focus. */
export interface ViewCall<T> {
  /** Carries out calls until the returned function is called. */
  readonly mount: (act: (value: T) => void) => () => void;
  /** Does nothing, now or later, while the part isn't mounted. @returns whether it was */
  readonly call: (value: T) => boolean;
}

export function createViewCall<T>(): ViewCall<T> {
  let mounted: ((value: T) => void) | null = null;
  return {
    mount(act) {
      mounted = act;
      return () => {
        if (mounted === act) mounted = null;
      };
    },
    call(value) {
      mounted?.(value);
      return mounted !== null;
    },
  };
}

export function useViewCall<T>({ mount }: ViewCall<T>, act: (value: T) => void): void {
  const onCall = useEffectEvent(act);
  useEffect(() => mount((value) => onCall(value)), [mount]);
}
