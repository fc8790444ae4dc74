import type { AppError } from '../../../shared/errors/errors.ts';
import type { AssetId, Well } from '../../../shared/wells/wells.ts';
import { words } from '../../words/words.ts';
import { notLoaded, type Freshness } from '../../state/resource.ts';
import { idle, type Loadable } from '../../state/loadable.ts';
import { noFilter, type WellFilter, WellIndex, type WellSort } from './well-index.ts';

export const views = ['all', 'pinned', 'recent', 'selected'] as const;
export type View = (typeof views)[number];

export interface WellsState {
  /** The wells loaded so far; failed: none could be loaded. */
  readonly list: Loadable<WellIndex>;
  readonly freshness: Freshness;
  readonly search: string;
  readonly filter: WellFilter;
  readonly sort: WellSort;
  readonly view: View;
  /** The service's result for a filter that the list can't apply; idle: no such filter. */
  readonly serviceResult: Loadable<WellIndex>;
  /** The wells after search, filter, view, and sort; null: not known yet. */
  readonly found: readonly Well[] | null;
  readonly pinned: ReadonlySet<AssetId>;
  readonly recent: readonly AssetId[];
  /** Why pins, recent wells, or fields were not stored the last time; null: they were. */
  readonly marksProblem: AppError | null;
  /** The newest records that this window has read, in Unix milliseconds, by asset id. */
  readonly recordTimes: ReadonlyMap<number, number>;
  /** The fields in rows of the list, and the columns of the table; null: default. */
  readonly facts: readonly string[] | null;
  readonly columns: readonly string[] | null;
}

export const defaults: WellsState = {
  list: idle,
  freshness: notLoaded,
  search: '',
  filter: noFilter,
  sort: { by: 'name', descending: false },
  view: 'all',
  serviceResult: idle,
  found: null,
  pinned: new Set(),
  recent: [],
  marksProblem: null,
  recordTimes: new Map(),
  facts: null,
  columns: null,
};

/** A well whose activity is that of its newest record, where the platform's is older; else the same well. */
export function withRecordTime(well: Well, recordTimes: WellsState['recordTimes']): Well {
  const at = well.assetId === null ? undefined : recordTimes.get(well.assetId);
  if (at === undefined || at <= (Date.parse(well.lastActiveAt ?? '') || 0)) return well;
  return { ...well, lastActiveAt: new Date(at).toISOString() };
}

/** The maximum number of selected wells: longer queries are impractical. */
export const maxSelectedWells = 1000;

const noWells = new WellIndex([]);

/** The listed wells; a new index whenever they change. */
export const listedWells = ({ list }: Pick<WellsState, 'list'>): WellIndex =>
  list.status === 'loaded' ? list.value : noWells;

/** The name of a well, or its asset id if it isn't listed. */
export const nameOrId = (listed: WellIndex, id: number): string =>
  listed.well('assetId', id)?.name ?? words.wells.inRow.assetId(String(id));

/** The name by which a user tells a well from others. */
export const wellLabel = (listed: WellIndex, { assetId, name }: Pick<Well, 'assetId' | 'name'>): string =>
  listed.labels.get(String(assetId)) ?? name;
