import { createContext, use } from 'react';
import type { Dataset } from '../../../shared/datasets/datasets.ts';
import type { FindRequest } from '../../../shared/query/query.ts';

/** Opens a tab that follows a dataset. */
export type OpenLive = (dataset: Dataset, asked: Pick<FindRequest, 'query' | 'fields'>) => void;

const context = createContext<OpenLive | null>(null);

export const ProvideOpenLive = context.Provider;

export function useOpenLive(): OpenLive {
  const open = use(context);
  if (!open) throw new Error('the way to follow a dataset is not provided here');
  return open;
}
