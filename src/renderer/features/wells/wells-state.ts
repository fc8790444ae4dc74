import type { AssetId, PlatformWellId } from '../../../shared/wells/well-ids.ts';
import type { ResolvedName, Well } from '../../../shared/wells/wells.ts';
import type { Feature } from '../../state/feature.ts';
import { notLoaded, type Freshness } from '../../state/streamed-list.ts';
import { idle, type Loadable } from '../../state/loadable.ts';
import { noFilter, type WellFilter } from './filter.ts';
import { nothingSaid, type Said } from './said.ts';
import type { WellSort } from './sort.ts';
import { WellIndex } from './well-index.ts';
import type { ScopedWell } from './scope.ts';

/** Which wells are looked at: all, or those a person has marked in one way or another. */
export const views = ['all', 'pinned', 'recent', 'chosen'] as const;
export type View = (typeof views)[number];

export interface WellsState {
  /** The wells of the connection that have come; failed: nothing came. */
  readonly list: Loadable<WellIndex>;
  readonly freshness: Freshness;
  /** What the wells say of themselves, to choose filters from. */
  readonly said: Said;
  readonly search: string;
  readonly filter: WellFilter;
  readonly sort: WellSort;
  readonly view: View;
  /** What the service says to a filter that the list can't answer; idle: there is no such filter. */
  readonly answer: Loadable<WellIndex>;
  /** What search, filter, view and sort leave; null: it is not known yet. */
  readonly found: readonly Well[] | null;
  /** The chosen wells, in the order they were chosen. All of them have an asset id. */
  readonly chosen: readonly ScopedWell[];
  readonly pinned: ReadonlySet<AssetId>;
  readonly recent: readonly AssetId[];
  /** What rows of the list say, and the columns of the table; null: the usual. */
  readonly facts: readonly string[] | null;
  readonly columns: readonly string[] | null;
}

export interface WellsActions {
  readonly load: (connection: string) => Promise<void>;
  /** Fetches the wells of the same connection anew. */
  readonly again: () => void;
  readonly cancel: () => void;
  /** Back to nothing, as when the connection is left. */
  readonly clear: () => void;
  readonly search: (text: string) => void;
  readonly filter: (filter: WellFilter) => void;
  /** `names`: of what the wells are sorted by, where that is an id. */
  readonly sort: (sort: WellSort, names?: ReadonlyMap<number, string>) => void;
  /** Names that became known, of what the wells are sorted by. */
  readonly nameAgain: (names: ReadonlyMap<number, string>) => void;
  readonly show: (view: View) => void;
  /** Looks for what the state asks for, anew. */
  readonly askAgain: () => void;
  /** Chooses wells beside those that are, and takes others out. Those without an asset id are left out. */
  readonly choose: (add: readonly Well[], remove?: ReadonlySet<string | number>) => void;
  /** Chooses these, listed or not, as when the tab that they were chosen for is shown again. */
  readonly restore: (chosen: readonly ScopedWell[]) => void;
  /** Exactly these wells are chosen, wherever they come from. */
  readonly chooseWells: (wells: readonly Well[]) => void;
  /** What names, API numbers or asset ids stand for. @throws AppError */
  readonly resolve: (names: readonly string[], signal: AbortSignal) => Promise<readonly ResolvedName[]>;
  /** Takes one well, or all, out of the choice. */
  readonly drop: (platformId: PlatformWellId) => void;
  readonly dropAll: () => void;
  readonly pin: (well: ScopedWell, pinned: boolean) => void;
  /** What rows say (`facts`), or the columns of the table. */
  readonly tell: (where: 'facts' | 'columns', fields: readonly string[]) => void;
}

export type Wells = Feature<WellsState, WellsActions>;

export const defaults: WellsState = {
  list: idle,
  freshness: notLoaded,
  said: nothingSaid,
  search: '',
  filter: noFilter,
  sort: { by: 'name', descending: false },
  view: 'all',
  answer: idle,
  found: null,
  chosen: [],
  pinned: new Set(),
  recent: [],
  facts: null,
  columns: null,
};

/** So many wells can be chosen: a query that names more is no query any more. */
export const mostChosen = 1000;

const noWells = new WellIndex([]);

/** The wells that are listed: another index whenever others are. */
export const listedWells = ({ list }: Pick<WellsState, 'list'>): WellIndex =>
  list.status === 'loaded' ? list.value : noWells;

declare module '../../state/contexts.ts' {
  interface Session {
    readonly wells: Wells;
  }
}
