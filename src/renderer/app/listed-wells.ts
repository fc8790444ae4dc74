import type { Well } from '../../shared/wells/wells.ts';
import { listedWells, type Wells } from '../features/wells/wells-state.ts';

/**
 * The listed wells with these asset ids. Where some are missing it waits until the list has come whole, or can't be
 * had: a page that was loaded again asks before the list is there.
 */
export async function awaitListedWells(
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
