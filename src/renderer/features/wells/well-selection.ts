import type { StoreApi } from 'zustand/vanilla';
import type { PlatformWellId } from '../../../shared/wells/well-ids.ts';
import type { Well } from '../../../shared/wells/wells.ts';
import type { Api } from '../../api/api.ts';
import { hasAssetId, scopeOf, type ScopedWell } from '../../../shared/wells/scope.ts';
import { selectedWells, type Tabs } from '../tabs/tabs.ts';
import { maxSelectedWells, type WellsState } from './wells-state.ts';

/** The maximum number of recent wells. */
const maxRecent = 30;

/**
 * Selects the wells of tabs, and keeps the wells that the user pinned or used recently.
 * @param refreshFound applies search, filters, and sort again
 */
export function createWellSelection(
  api: Pick<Api, 'wells'>,
  tabs: Tabs,
  store: StoreApi<WellsState>,
  connection: () => string,
  refreshFound: () => void,
) {
  const selected = () => selectedWells(tabs.store.getState());
  const updateMarks = (marks: Parameters<Api['wells']['mark']>[0]['marks']) =>
    // Marks are a convenience: if they can't be stored, they last as long as the window.
    void api.wells.mark({ connection: connection(), marks }).catch(() => undefined);
  const saveMarks = (wells: readonly ScopedWell[]) => {
    if (wells.length === 0 || wells.length > maxRecent) return;
    const recent = [...new Set([...scopeOf(wells), ...store.getState().recent])].slice(0, maxRecent);
    store.setState({ recent });
    updateMarks({ recent });
  };
  const select = (wells: readonly ScopedWell[], tab?: string) => {
    const next = wells.slice(0, maxSelectedWells);
    const previous = new Set(selected().map(({ platformId }) => platformId));
    tabs.actions.selectWells(next, tab);
    saveMarks(next.filter(({ platformId }) => !previous.has(platformId)));
  };

  return {
    /** Other wells are selected. */
    onSelected(): void {
      if (store.getState().view === 'selected') refreshFound();
    },
    /** Adds wells to the selection and removes others. Wells without an asset id are ignored. */
    changeSelection(add: readonly Well[], remove: ReadonlySet<string | number> = new Set()): void {
      const remaining = selected().filter(({ platformId }) => !remove.has(platformId));
      const before = new Set(remaining.map(({ platformId }) => platformId));
      select([...remaining, ...add.filter(hasAssetId).filter(({ platformId }) => !before.has(platformId))]);
    },
    /** Selects exactly these wells, by default for the active tab. */
    selectWells(wells: readonly Well[], tab?: string): void {
      const unique = new Map(wells.filter(hasAssetId).map((well) => [well.platformId, well]));
      select([...unique.values()], tab);
    },
    /** Removes one well, or all, from the selection. */
    deselect: (platformId: PlatformWellId) =>
      select(selected().filter((well) => well.platformId !== platformId)),
    deselectAll: () => select([]),
    pin({ assetId }: ScopedWell, pinned: boolean): void {
      const all = new Set(store.getState().pinned);
      if (pinned) all.add(assetId);
      else all.delete(assetId);
      store.setState({ pinned: all });
      updateMarks({ pinned: [...all] });
      if (store.getState().view === 'pinned') refreshFound();
    },
    /** Sets the fields of rows (`facts`), or the columns of the table. */
    setFields(where: 'facts' | 'columns', fields: readonly string[]): void {
      store.setState({ [where]: fields });
      updateMarks({ [where]: [...fields] });
    },
  };
}
