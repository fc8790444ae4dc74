import type { Dataset, DatasetAddress, ScopeField } from '../../../shared/datasets/datasets.ts';
import type { Feature } from '../../state/feature.ts';
import { unasked, type Freshness } from '../../state/kept.ts';
import { idle, type Loadable } from '../../state/loadable.ts';
import type { ChosenWells } from './chosen-wells.ts';
import { noFilter, type DatasetFilter } from './filter.ts';
import { nothingKnown, type HoldingsState } from './holdings.ts';

/** The ways from a dataset. */
export interface DatasetWays {
  /** Opens what is known of it. */
  readonly look: (dataset: Dataset) => void;
  /** Opens a query to it, for the chosen wells; with a text, that one. */
  readonly query: (dataset: Dataset, text?: string) => void;
  /** Opens an upload into it. */
  readonly upload: (dataset: Dataset) => void;
}

declare module '../../state/contexts.ts' {
  interface Session {
    readonly datasetWays: DatasetWays;
  }
}

export interface DatasetsState {
  /** Full as soon as something has come; `freshness` says whether that is all. */
  readonly list: Loadable<readonly Dataset[]>;
  readonly freshness: Freshness;
  /** Names of companies by id, as far as they are known. */
  readonly companies: ReadonlyMap<number, string>;
  readonly filter: DatasetFilter;
  /** Keys of the groups that are folded. */
  readonly folded: ReadonlySet<string>;
  /** The wells that are chosen in the window. */
  readonly wells: ChosenWells;
  /** Whether only datasets with data of these wells are wanted. */
  readonly onlyHolding: boolean;
  readonly holdings: HoldingsState;
  /** What scopes the records of datasets whose type leaves it open, by address, as far as it was learnt. */
  readonly scopes: ReadonlyMap<string, ScopeField | null>;
}

export interface DatasetsActions {
  readonly load: (connection: string) => Promise<void>;
  readonly cancel: () => void;
  /** Back to nothing, as when the connection is left. */
  readonly clear: () => void;
  readonly filter: (change: Partial<DatasetFilter>) => void;
  readonly clearFilters: () => void;
  readonly fold: (group: string) => void;
  /** A dataset is in view, or out of it again. */
  readonly inView: (dataset: Dataset) => void;
  readonly outOfView: (dataset: Dataset) => void;
  /** Rows were stored in a dataset: what is said of it is asked for again. */
  readonly grown: (dataset: DatasetAddress) => void;
  /** Other wells are chosen. */
  readonly forWells: (wells: ChosenWells) => void;
  readonly showOnlyHolding: (only: boolean) => void;
  /** Goes on asking which datasets hold data after it was stopped. */
  readonly askOn: () => void;
  readonly stopAsking: () => void;
  /**
   * Finds out what scopes the records of a dataset whose type leaves that open. True: something else than its type
   * says first. Asks once for each dataset; what can't be learnt is as the type says.
   */
  readonly learnScope: (dataset: Dataset) => Promise<boolean>;
  /** What scopes the records of a dataset; null: nothing does. Undefined: it was not learnt, and is as the type says. */
  readonly scopeOf: (dataset: DatasetAddress) => ScopeField | null | undefined;
  readonly scopeLearnt: (dataset: DatasetAddress, scope: ScopeField | null) => void;
}

export type Datasets = Feature<DatasetsState, DatasetsActions>;

export const defaults: DatasetsState = {
  list: idle,
  freshness: unasked,
  companies: new Map(),
  filter: noFilter,
  folded: new Set(),
  wells: { assets: [], companies: [] },
  onlyHolding: false,
  holdings: nothingKnown,
  scopes: new Map(),
};

declare module '../../state/contexts.ts' {
  interface Session {
    readonly datasets: Datasets;
  }
}
