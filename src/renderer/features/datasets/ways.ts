import type { Dataset } from '../../../shared/datasets/datasets.ts';

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
