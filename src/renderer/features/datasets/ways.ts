import { createContext, use } from 'react';
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

const context = createContext<DatasetWays | null>(null);

/** Gives every part of the window the ways from a dataset. */
export const ProvideDatasetWays = context.Provider;

export function useDatasetWays(): DatasetWays {
  const ways = use(context);
  if (!ways) throw new Error('the ways from a dataset are not provided here');
  return ways;
}
