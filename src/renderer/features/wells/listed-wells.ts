import type { Well } from '../../../shared/wells/wells.ts';
import type { Wells } from './wells.ts';
import { listedWells } from './wells-state.ts';

/**
 * The listed wells with these asset ids. If some are missing, it waits until the list is complete or has
 * failed: after a reload, the list may still be loading.
 */
export async function waitForListedWells(
  { store }: Pick<Wells, 'store'>,
  assets: readonly number[],
): Promise<readonly Well[]> {
  for (;;) {
    const state = store.getState();
    const wells = listedWells(state).wellsBy('assetId', assets);
    const isComing = state.freshness.isLoading || state.list.status === 'idle';
    const isComplete = assets.every((asset) => wells.some(({ assetId }) => assetId === asset));
    if (!isComing || isComplete) return wells;
    await new Promise<void>((resolve) => {
      const stop = store.subscribe((now, before) => {
        if (now.list === before.list && now.freshness === before.freshness) return;
        stop();
        resolve();
      });
    });
  }
}
