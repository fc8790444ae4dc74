import { useEffect, useEffectEvent } from 'react';
import type { ViewCall } from './view-call.ts';

/** Carries out calls of commands while the component is mounted. */
export function useViewCall<T>({ mount }: ViewCall<T>, act: (value: T) => void): void {
  const onCall = useEffectEvent(act);
  useEffect(() => mount((value) => onCall(value)), [mount]);
}
