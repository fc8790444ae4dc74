import { useMemo } from 'react';
import { channelOf, type Synonyms } from '../../../shared/channels/channels.ts';
import { type DatasetAddress, depthPath } from '../../../shared/datasets/datasets.ts';
import { useAppState, useSessionState } from '../../contexts.ts';
import { useFieldNames } from '../datasets/use-field-names.ts';
import { useFieldUnits } from '../datasets/field-catalogue.ts';
import { useLogNames } from '../datasets/logs.ts';
import { listedWells } from '../wells/wells-state.ts';
import { useSynonyms } from '../settings/use-synonyms.ts';
import { changedUnit, unitChanges, type UnitChanges } from '../records/shown-cells.ts';
import type { PlotNames } from './names.ts';

/**
 * The fields of records that are shown in another unit by the setting, and the names with these units.
 * @param fields their ids; the same array while nothing changes
 * @param own the fields that are shown in another unit, absent: by the setting; the units of further columns; and whether
 *   the fields are columns of a statement, whose names stay as they are
 */
export function useShownUnits(
  dataset: DatasetAddress,
  fields: readonly string[],
  own: {
    readonly changes?: UnitChanges | undefined;
    readonly units?: ReadonlyMap<string, string> | undefined;
    readonly isComputed?: boolean;
  } = {},
): { readonly stored: PlotNames; readonly changes: UnitChanges; readonly names: PlotNames } {
  const { changes: ownChanges, units, isComputed = false } = own;
  const field = useFieldNames(isComputed ? null : dataset);
  const byField = useFieldUnits(dataset);
  const listed = useSessionState('wells', listedWells);
  const stored = useMemo(
    (): PlotNames => ({
      field,
      unitOf: (id) => (units ?? byField).get(id),
      wellName: (asset) => listed.labels.get(asset),
    }),
    [field, byField, units, listed],
  );
  const system = useAppState('settings', (state) => state.values.units);
  const synonyms = useSynonyms();
  const changes = useMemo(
    () => ownChanges ?? unitChanges(new Map(fields.map((id) => [id, stored.unitOf(id)])), system),
    [fields, stored, system, ownChanges],
  );
  const logNames = useLogNames(dataset, { unit: stored.unitOf(depthPath), changes });
  return useMemo(
    () => ({ stored, changes, names: shownNames({ ...stored, logNames }, changes, synonyms) }),
    [stored, changes, logNames, synonyms],
  );
}

/**
 * The names of a plot that shows fields in other units than the stored ones.
 * @param synonyms names of channels that the user has added
 */
export const shownNames = (stored: PlotNames, changes: UnitChanges, synonyms: Synonyms): PlotNames => ({
  ...stored,
  unitOf: (field) => changedUnit(changes, field) ?? stored.unitOf(field),
  storedUnitOf: (field) => (changes[field] ? stored.unitOf(field) : undefined),
  channelOf: (field) => channelOf(field, { unit: stored.unitOf(field) ?? null, synonyms })?.channel ?? null,
});
