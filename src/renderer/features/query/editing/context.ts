import { useEffect } from 'react';
import type { Dataset } from '../../../../shared/datasets/datasets.ts';
import { featureContext } from '../../../state/context.tsx';
import { scopeOf } from '../../wells/scope.ts';
import { useWells } from '../../wells/context.ts';
import { addressOf, type Learnt, type LearntActions, type LearntState } from './learnt.ts';

const { Provide, useState, useActions } = featureContext<LearntState, LearntActions>('learnt');

/** Gives the components of a connection what is learnt of its datasets. */
export const ProvideLearnt = Provide;

const nothing: Learnt = { indexes: [], fields: [] };

/** What is known of a dataset's indexes and fields; asked for when it is first of use. */
export function useLearnt(dataset: Dataset): Learnt {
  const { learn } = useActions();
  const chosen = useWells((state) => state.chosen);
  useEffect(() => void learn(dataset, scopeOf(chosen)), [learn, dataset, chosen]);
  return useState((state) => state.known[addressOf(dataset)]) ?? nothing;
}
