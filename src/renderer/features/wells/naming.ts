import type { StoreApi } from 'zustand/vanilla';
import type { WellThread } from './list/client.ts';
import type { WellsState } from './wells-state.ts';

export interface NamingNeeds {
  readonly store: StoreApi<WellsState>;
  readonly thread: Pick<WellThread, 'wells'>;
}

/** Names of wells for whoever has only their asset ids, such as a plot: looked up together, each once. */
export function createNaming({ store, thread }: NamingNeeds) {
  let asked = new Set<number>();
  let wanted = new Set<number>();

  const lookUp = () => {
    const ids = [...wanted];
    wanted = new Set();
    thread.wells('assetId', ids).then(
      (wells) => {
        if (wells.length === 0) return;
        const found = wells.flatMap(({ assetId, name }): [number, string][] =>
          assetId === null ? [] : [[assetId, name]],
        );
        store.setState(({ names }) => ({ names: new Map([...names, ...found]) }));
      },
      () => undefined,
    );
  };
  const want = (asset: number) => {
    if (asked.has(asset)) return;
    asked.add(asset);
    // Those that are wanted in one go are one question.
    if (wanted.size === 0) queueMicrotask(lookUp);
    wanted.add(asset);
  };

  return {
    want,
    /** Other wells are listed: names are looked up anew. */
    forget() {
      const before = asked;
      asked = new Set();
      for (const asset of before) want(asset);
    },
  };
}
