import { useEffect } from 'react';
import type { DatasetAddress } from '../../../shared/datasets/datasets.ts';
import { useApp, useAppState } from '../../contexts.ts';
import type { UnitsByField } from './field-catalogue.ts';

/** The units of a dataset's fields, updated as they are loaded and set. */
export function useFieldUnits(connection: string, { provider, dataset }: DatasetAddress): UnitsByField {
  const { actions } = useApp().fields;
  useEffect(() => actions.load(connection, { provider, dataset }), [actions, connection, provider, dataset]);
  return useAppState('fields', (state) => actions.unitsOf(state, connection, { provider, dataset }));
}
