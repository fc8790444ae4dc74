import type { Well } from '../../shared/wells/wells.ts';
import type { Wells } from '../features/wells/wells-state.ts';

/**
 * The listed wells with these asset ids. Where some are missing it waits until the list has come whole, or can't be
 * had: a page that was loaded again asks before the list is there.
 * @throws AppError where the list is lost
 */
export async function listedWells(
  { store, actions }: Pick<Wells, 'store' | 'actions'>,
  assets: readonly number[],
): Promise<readonly Well[]> {
  const isComing = () => {
    const { list, freshness } = store.getState();
    return freshness.asking || list.face === 'idle';
  };
  for (;;) {
    const last = !isComing();
    const found = await actions.wells('assetId', assets);
    const known = new Set<number | null>(found.map(({ assetId }) => assetId));
    if (last || assets.every((asset) => known.has(asset))) return found;
    await new Promise<void>((resolve) => {
      const stop = store.subscribe((now, before) => {
        if (now.list === before.list && now.freshness === before.freshness) return;
        stop();
        resolve();
      });
    });
  }
}
