import { useMemo } from 'react';
import { fieldNamesOf, type FieldNames } from '../../../shared/channels/plain-names.ts';
import type { DatasetAddress } from '../../../shared/datasets/datasets.ts';
import { fieldsKey } from '../../../shared/settings/settings.ts';
import { useAppState, type App } from '../../contexts.ts';

/** The names that the user gave to a dataset's fields, by dotted path; absent: none. */
export const useRenamedFields = (dataset: DatasetAddress | null) =>
  useAppState('settings', ({ stored }) =>
    dataset === null ? undefined : stored.fieldNames?.[fieldsKey(dataset)],
  );

/**
 * The names of a dataset's fields, in the form that the setting has.
 * @param dataset null: the columns are of a statement, whose names stay as they are
 */
export function useFieldNames(dataset: DatasetAddress | null): FieldNames {
  const form = useAppState('settings', (state) => state.values.names);
  const renamed = useRenamedFields(dataset);
  const isDataset = dataset !== null;
  return useMemo(() => fieldNamesOf(isDataset ? form : 'fields', renamed), [isDataset, form, renamed]);
}

/** The names of a dataset's fields now, outside of a view. */
export function fieldNamesNow({ settings }: Pick<App, 'settings'>, dataset: DatasetAddress): FieldNames {
  const { values, stored } = settings.store.getState();
  return fieldNamesOf(values.names, stored.fieldNames?.[fieldsKey(dataset)]);
}
