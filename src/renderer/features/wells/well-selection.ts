import type { StoreApi } from 'zustand/vanilla';
import type { Api } from '../../api/api.ts';
import { refreshed, hasAssetId, scopeOf, type ScopedWell } from './scope.ts';
import { maxSelectedWells, type WellsActions, type WellsState } from './wells-state.ts';

/** The maximum number of recent wells. */
const maxRecent = 30;

export interface SelectionDependencies {
  readonly api: Pick<Api, 'wells'>;
  readonly store: StoreApi<WellsState>;
  readonly connection: () => string;
  /** Applies search, filters, and sort again. */
  readonly refreshFound: () => void;
}

interface WellSelection extends Pick<
  WellsActions,
  'changeSelection' | 'selectWells' | 'restoreSelection' | 'deselect' | 'deselectAll' | 'pin' | 'setFields'
> {
  /** Replaces selected wells with their current versions in the list. */
  readonly refresh: () => void;
}

/** The selected wells, and the wells that the user pinned or used recently. */
export function createWellSelection({
  api,
  store,
  connection,
  refreshFound,
}: SelectionDependencies): WellSelection {
  const updateMarks = (marks: Parameters<Api['wells']['mark']>[0]['marks']) =>
    // Marks are a convenience: if they can't be stored, they last as long as the window.
    void api.wells.mark({ connection: connection(), marks }).catch(() => undefined);
  const saveMarks = (wells: readonly ScopedWell[]) => {
    if (wells.length === 0 || wells.length > maxRecent) return;
    const recent = [...new Set([...scopeOf(wells), ...store.getState().recent])].slice(0, maxRecent);
    store.setState({ recent });
    updateMarks({ recent });
  };
  const setSelected = (wells: readonly ScopedWell[]) => {
    const selected = wells.slice(0, maxSelectedWells);
    const previous = new Set(store.getState().selected.map(({ platformId }) => platformId));
    store.setState({ selected });
    saveMarks(selected.filter(({ platformId }) => !previous.has(platformId)));
    if (store.getState().view === 'chosen') refreshFound();
  };

  const refresh = () => {
    // The selection doesn't change without the list.
    store.setState(({ selected: selection, list }) =>
      list.status === 'loaded' ? { selected: refreshed(selection, list.value) } : {},
    );
  };

  return {
    refresh,
    changeSelection(add, remove = new Set()) {
      const remaining = store.getState().selected.filter(({ platformId }) => !remove.has(platformId));
      const before = new Set(remaining.map(({ platformId }) => platformId));
      setSelected([
        ...remaining,
        ...add.filter(hasAssetId).filter(({ platformId }) => !before.has(platformId)),
      ]);
    },
    selectWells(wells) {
      const unique = new Map(wells.filter(hasAssetId).map((well) => [well.platformId, well]));
      setSelected([...unique.values()]);
    },
    restoreSelection(chosen) {
      store.setState({ selected: chosen });
      refresh();
      if (store.getState().view === 'chosen') refreshFound();
    },
    deselect: (platformId) =>
      setSelected(store.getState().selected.filter((well) => well.platformId !== platformId)),
    deselectAll: () => setSelected([]),
    pin({ assetId }, pinned) {
      const all = new Set(store.getState().pinned);
      if (pinned) all.add(assetId);
      else all.delete(assetId);
      store.setState({ pinned: all });
      updateMarks({ pinned: [...all] });
      if (store.getState().view === 'pinned') refreshFound();
    },
    setFields(where, fields) {
      store.setState({ [where]: fields });
      updateMarks({ [where]: [...fields] });
    },
  };
}
