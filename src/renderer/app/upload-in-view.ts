import { useSyncExternalStore } from 'react';
import type { UploadTabState } from '../features/upload/upload-state.ts';
import { useSessionState } from '../contexts.ts';

/** Whether the active tab is an upload, and `holds` is true of its state. */
export function useUploadInView(holds: (state: UploadTabState) => boolean): boolean {
  const active = useSessionState('tabs', ({ tabs, active: id }) => tabs.find((tab) => tab.id === id));
  const store = active?.kind === 'upload' ? active.model.store : null;
  return useSyncExternalStore(
    (changed) => store?.subscribe(changed) ?? (() => undefined),
    () => store !== null && holds(store.getState()),
  );
}
