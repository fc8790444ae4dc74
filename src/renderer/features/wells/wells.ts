import { createStore } from 'zustand/vanilla';
import type { AssetId, PlatformWellId, Well } from '../../../shared/wells.ts';
import type { Api } from '../../api/api.ts';
import type { Feature } from '../../state/context.tsx';
import { latest } from '../../state/latest.ts';
import { failed, full, idle, loading, type Loadable } from '../../state/loadable.ts';

export interface WellsState {
  readonly list: Loadable<Well[]>;
  readonly search: string;
  /** The chosen wells, in the order they were chosen. All of them have an asset id. */
  readonly chosen: readonly ScopedWell[];
}

/** A well whose data can be asked for. */
export type ScopedWell = Well & { readonly assetId: AssetId };

export interface WellsActions {
  readonly load: (connection: string) => Promise<void>;
  readonly cancel: () => void;
  /** Back to nothing, as when the connection is left. */
  readonly clear: () => void;
  readonly search: (text: string) => void;
  /** Chooses exactly these of the listed wells; those without an asset id are left out. */
  readonly choose: (platformIds: ReadonlySet<PlatformWellId>) => void;
  /** Chooses these, listed or not, as when the tab that they were chosen for is shown again. */
  readonly restore: (chosen: readonly ScopedWell[]) => void;
  /** Takes one well, or all, out of the choice. */
  readonly drop: (platformId: PlatformWellId) => void;
  readonly dropAll: () => void;
}

export type Wells = Feature<WellsState, WellsActions>;

const defaults: WellsState = { list: idle, search: '', chosen: [] };

export const hasAssetId = (well: Well): well is ScopedWell => well.assetId !== null;

/** The asset ids that scope records to these wells; each once. The platform ids never do. */
export function scopeOf(wells: readonly ScopedWell[]): AssetId[] {
  return [...new Set(wells.map(({ assetId }) => assetId))];
}

/** Whether two choices scope to the same assets, in whatever order. */
export function sameScope(one: readonly ScopedWell[], other: readonly ScopedWell[]): boolean {
  const [a, b] = [new Set(scopeOf(one)), new Set(scopeOf(other))];
  return a.size === b.size && a.isSubsetOf(b);
}

/** The same wells as they are listed now, where they are. */
function asListed(chosen: readonly ScopedWell[], listed: readonly Well[]): readonly ScopedWell[] {
  if (chosen.length === 0) return chosen;
  const known = new Map(listed.filter(hasAssetId).map((well) => [well.platformId, well]));
  return chosen.map((well) => known.get(well.platformId) ?? well);
}

/** The wells of the connection and which of them are chosen. */
export function createWells(api: Pick<Api, 'wells'>): Wells {
  const store = createStore<WellsState>()(() => defaults);
  const listing = latest();

  const actions: WellsActions = {
    async load(connection) {
      store.setState({ list: loading });
      await listing.run((signal) => api.wells.list({ connection, filter: {} }, { signal }), {
        done: (wells) =>
          store.setState(({ chosen }) => ({
            list: full(wells.toSorted(byName)),
            chosen: asListed(chosen, wells),
          })),
        failed: (error) => store.setState({ list: failed(error) }),
        cancelled: () => store.setState({ list: idle }),
      });
    },
    cancel: () => listing.cancel(),
    clear() {
      listing.drop();
      store.setState(defaults);
    },
    search: (search) => store.setState({ search }),
    choose(platformIds) {
      store.setState(({ list, chosen }) => {
        const kept = chosen.filter(({ platformId }) => platformIds.has(platformId));
        const before = new Set(kept.map(({ platformId }) => platformId));
        const listed = list.face === 'full' ? list.value : [];
        const added = listed
          .filter(hasAssetId)
          .filter(({ platformId }) => platformIds.has(platformId) && !before.has(platformId));
        return { chosen: [...kept, ...added] };
      });
    },
    restore: (chosen) =>
      store.setState(({ list }) => ({
        chosen: list.face === 'full' ? asListed(chosen, list.value) : chosen,
      })),
    drop: (platformId) =>
      store.setState(({ chosen }) => ({ chosen: chosen.filter((well) => well.platformId !== platformId) })),
    dropAll: () => store.setState({ chosen: [] }),
  };
  return { store, actions };
}

const collator = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' });
const byName = (a: Well, b: Well) => collator.compare(a.name, b.name);
