import { useSyncExternalStore } from 'react';
import { useSessionState } from '../../contexts.ts';
import { activeTab } from '../tabs/tabs.ts';
import { uploadKind } from './upload-kind.ts';
import type { UploadTabState } from './upload-state.ts';

/** Whether the active tab is an upload whose state passes a test. */
export function useUploadInView(test: (state: UploadTabState) => boolean): boolean {
  const store = uploadKind.of(useSessionState('tabs', activeTab))?.store;
  return useSyncExternalStore(
    (changed) => store?.subscribe(changed) ?? (() => undefined),
    () => store !== undefined && test(store.getState()),
  );
}
