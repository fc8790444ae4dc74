import type { StoreApi } from 'zustand/vanilla';
import type { Api } from '../../api/api.ts';
import { asListed, hasAssetId, scopeOf, type ScopedWell } from './scope.ts';
import { mostChosen, type WellsActions, type WellsState } from './wells-state.ts';

/** So many wells that were chosen are remembered. */
const mostRecent = 30;

export interface ChoiceNeeds {
  readonly api: Pick<Api, 'wells'>;
  readonly store: StoreApi<WellsState>;
  readonly connection: () => string;
  /** Looks for the wells again. */
  readonly find: () => void;
}

interface Choice extends Pick<
  WellsActions,
  'choose' | 'chooseWells' | 'restore' | 'drop' | 'dropAll' | 'pin' | 'tell'
> {
  /** The chosen wells become what the list says of them now. */
  readonly refresh: () => void;
}

/** Which wells are chosen, and what a person has marked in them. */
export function createChoice({ api, store, connection, find }: ChoiceNeeds): Choice {
  const mark = (marks: Parameters<Api['wells']['mark']>[0]['marks']) =>
    // Marks are a convenience: what can't be kept is only forgotten with the window.
    void api.wells.mark({ connection: connection(), marks }).catch(() => undefined);
  const remember = (wells: readonly ScopedWell[]) => {
    if (wells.length === 0 || wells.length > mostRecent) return;
    const recent = [...new Set([...scopeOf(wells), ...store.getState().recent])].slice(0, mostRecent);
    store.setState({ recent });
    mark({ recent });
  };
  const setChosen = (wanted: readonly ScopedWell[]) => {
    const chosen = wanted.slice(0, mostChosen);
    const before = new Set(store.getState().chosen.map(({ platformId }) => platformId));
    store.setState({ chosen });
    remember(chosen.filter(({ platformId }) => !before.has(platformId)));
    if (store.getState().view === 'chosen') find();
  };

  const refresh = () => {
    // Without the list they stay as they were.
    store.setState(({ chosen, list }) =>
      list.status === 'loaded' ? { chosen: asListed(chosen, list.value) } : {},
    );
  };

  return {
    refresh,
    choose(add, remove = new Set()) {
      const kept = store.getState().chosen.filter(({ platformId }) => !remove.has(platformId));
      const before = new Set(kept.map(({ platformId }) => platformId));
      setChosen([...kept, ...add.filter(hasAssetId).filter(({ platformId }) => !before.has(platformId))]);
    },
    chooseWells(wells) {
      const once = new Map(wells.filter(hasAssetId).map((well) => [well.platformId, well]));
      setChosen([...once.values()]);
    },
    restore(chosen) {
      store.setState({ chosen });
      refresh();
      if (store.getState().view === 'chosen') find();
    },
    drop: (platformId) => setChosen(store.getState().chosen.filter((well) => well.platformId !== platformId)),
    dropAll: () => setChosen([]),
    pin({ assetId }, pinned) {
      const all = new Set(store.getState().pinned);
      if (pinned) all.add(assetId);
      else all.delete(assetId);
      store.setState({ pinned: all });
      mark({ pinned: [...all] });
      if (store.getState().view === 'pinned') find();
    },
    tell(where, fields) {
      store.setState({ [where]: fields });
      mark({ [where]: [...fields] });
    },
  };
}
