import type { AssetId, PlatformWellId } from '../../../shared/wells/well-ids.ts';
import type { ResolvedName, Well } from '../../../shared/wells/wells.ts';
import type { Feature } from '../../state/feature.ts';
import { notLoaded, type Freshness } from '../../state/streamed-list.ts';
import { idle, type Loadable } from '../../state/loadable.ts';
import { noFilter, type WellFilter } from './filter.ts';
import { noKnownValues, type KnownValues } from './known-values.ts';
import type { WellSort } from './sort.ts';
import { WellIndex } from './well-index.ts';
import type { ScopedWell } from './scope.ts';

/** All wells, or those that the user selected, pinned, or used recently. */
export const views = ['all', 'pinned', 'recent', 'chosen'] as const;
export type View = (typeof views)[number];

export interface WellsState {
  /** The wells loaded so far; failed: none could be loaded. */
  readonly list: Loadable<WellIndex>;
  readonly freshness: Freshness;
  /** The values that occur in the wells, for filters. */
  readonly knownValues: KnownValues;
  readonly search: string;
  readonly filter: WellFilter;
  readonly sort: WellSort;
  readonly view: View;
  /** The service's result for a filter that the list can't apply; idle: no such filter. */
  readonly serviceResult: Loadable<WellIndex>;
  /** The wells after search, filter, view, and sort; null: not known yet. */
  readonly found: readonly Well[] | null;
  /** The selected wells, in order of selection. All have an asset id. */
  readonly selected: readonly ScopedWell[];
  readonly pinned: ReadonlySet<AssetId>;
  readonly recent: readonly AssetId[];
  /** The fields in rows of the list, and the columns of the table; null: default. */
  readonly facts: readonly string[] | null;
  readonly columns: readonly string[] | null;
}

export interface WellsActions {
  readonly load: (connection: string) => Promise<void>;
  /** Loads the wells of the same connection again. */
  readonly reload: () => void;
  readonly cancel: () => void;
  /** Resets the state, as when the connection closes. */
  readonly clear: () => void;
  readonly search: (text: string) => void;
  readonly filter: (filter: WellFilter) => void;
  /** @param names names for sorting by an id */
  readonly sort: (sort: WellSort, names?: ReadonlyMap<number, string>) => void;
  /** Updates the names for sorting by an id. */
  readonly updateNames: (names: ReadonlyMap<number, string>) => void;
  readonly show: (view: View) => void;
  /** Requests the filter from the service again. */
  readonly retryFilter: () => void;
  /** Adds wells to the selection and removes others. Wells without an asset id are ignored. */
  readonly changeSelection: (add: readonly Well[], remove?: ReadonlySet<string | number>) => void;
  /** Selects these wells, listed or not, as when the tab that they belong to is shown. */
  readonly restoreSelection: (chosen: readonly ScopedWell[]) => void;
  /** Selects exactly these wells. */
  readonly selectWells: (wells: readonly Well[]) => void;
  /**
   * The wells that match names, API numbers, or asset ids.
   * @throws AppError
   */
  readonly resolve: (names: readonly string[], signal: AbortSignal) => Promise<readonly ResolvedName[]>;
  /** Removes one well, or all, from the selection. */
  readonly deselect: (platformId: PlatformWellId) => void;
  readonly deselectAll: () => void;
  readonly pin: (well: ScopedWell, pinned: boolean) => void;
  /** Sets the fields of rows (`facts`), or the columns of the table. */
  readonly setFields: (where: 'facts' | 'columns', fields: readonly string[]) => void;
}

export type Wells = Feature<WellsState, WellsActions>;

export const defaults: WellsState = {
  list: idle,
  freshness: notLoaded,
  knownValues: noKnownValues,
  search: '',
  filter: noFilter,
  sort: { by: 'name', descending: false },
  view: 'all',
  serviceResult: idle,
  found: null,
  selected: [],
  pinned: new Set(),
  recent: [],
  facts: null,
  columns: null,
};

/** The maximum number of selected wells: longer queries are impractical. */
export const maxSelectedWells = 1000;

const noWells = new WellIndex([]);

/** The listed wells; a new index whenever they change. */
export const listedWells = ({ list }: Pick<WellsState, 'list'>): WellIndex =>
  list.status === 'loaded' ? list.value : noWells;

declare module '../../contexts.ts' {
  interface Session {
    readonly wells: Wells;
  }
}
