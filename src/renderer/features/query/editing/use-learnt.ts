import { useEffect } from 'react';
import type { Dataset } from '../../../../shared/datasets/datasets.ts';
import { useSession, useSessionState } from '../../../state/contexts.ts';
import { scopeOf } from '../../wells/scope.ts';
import { addressOf, type Learnt } from './learnt.ts';

const nothing: Learnt = { indexes: [], fields: [] };

/** What is known of a dataset's indexes and fields; asked for when it is first of use. */
export function useLearnt(dataset: Dataset): Learnt {
  const { learn } = useSession().learnt.actions;
  const chosen = useSessionState('wells', (state) => state.chosen);
  useEffect(() => void learn(dataset, scopeOf(chosen)), [learn, dataset, chosen]);
  return useSessionState('learnt', (state) => state.known[addressOf(dataset)]) ?? nothing;
}
