import { otherWells, type NamedWell } from '../../../../shared/upload/wells.ts';
import {
  chooseColumn,
  fillField,
  wellConstant,
  type MappingChoices,
  type ConstantWell,
} from '../columns/mapping-choices.ts';
import type { UploadTabState } from '../upload-state.ts';
import { namesToResolve } from './well-names.ts';

/** A question about the wells of a file that the user has to answer before its rows can be sent. */
export type WellQuestion =
  /** The names in the file are being looked up, or the lookup failed. */
  | { readonly kind: 'lookup' }
  /**
   * `constant`: all rows have one well, and the file names others. `selection`: a column identifies wells,
   * and another well is selected.
   */
  | {
      readonly kind: 'constant' | 'selection';
      readonly well: ConstantWell;
      /** The names that don't match that well. */
      readonly names: readonly NamedWell[];
    };

type WellState = Pick<UploadTabState, 'choices' | 'match' | 'wellNames' | 'selectedWell'>;

/** The open question about the wells; null: none. */
export function wellQuestion({ choices, match, wellNames, selectedWell }: WellState): WellQuestion | null {
  if (!match.value || match.value.wellColumns.length === 0) return null;
  const wellColumns = match.value.columns.filter(({ kind }) => kind === 'asset');
  const [first] = wellColumns;
  if (!first) {
    const well = wellConstant(choices);
    if (!well) return null;
    if (wellNames.status !== 'loaded') return { kind: 'lookup' };
    const names = otherWells(wellNames.value, well.assetId, choices.confirmedWells ?? []);
    return names.length === 0 ? null : { kind: 'constant', well, names };
  }
  if (!selectedWell || choices.usesFileWells) return null;
  if (wellNames.status !== 'loaded') return { kind: 'lookup' };
  const well = { path: first.to ?? 'asset_id', assetId: selectedWell.assetId };
  const columns = wellNames.value.filter(({ column }) =>
    wellColumns.some((wellColumn) => wellColumn.column === column),
  );
  const assigned = namesToResolve(columns, choices).filter(({ assetId }) => assetId === well.assetId);
  const names = otherWells(columns, well.assetId, []).filter(
    ({ column, value }) =>
      !assigned.some((assignment) => assignment.column === column && assignment.value === value),
  );
  return names.length === 0 ? null : { kind: 'selection', well, names };
}

/** The choices with the wells named in the file; null: no column identifies wells. */
export function withFileWells(state: WellState): MappingChoices | null {
  const question = wellQuestion(state);
  const { choices, match } = state;
  if (question?.kind === 'selection') return { ...choices, usesFileWells: true };
  if (question?.kind !== 'constant') return null;
  const { path } = question.well;
  const naming = match.value?.wellColumns.find(({ column }) => column !== null);
  if (naming && naming.column !== null) {
    const { column, by } = naming;
    const filled = fillField({ ...choices, usesFileWells: true }, path, [], { from: 'nothing' });
    return chooseColumn(filled, column, { to: path, ...(by === 'id' ? {} : { by }) });
  }
  const [only, ...more] = new Set(question.names.map(({ assetId }) => assetId));
  if (only === undefined || only === null || more.length > 0) return null;
  return fillField(choices, path, [], { from: 'constant', text: String(only) });
}

/** The choices with all rows under the well in question. */
export function withOneWell(state: WellState): MappingChoices | null {
  const question = wellQuestion(state);
  if (!question || question.kind === 'lookup') return null;
  const { choices, match } = state;
  const { well } = question;
  const filledBy = (match.value?.columns ?? []).filter(({ to }) => to === well.path);
  const filled = fillField(
    choices,
    well.path,
    filledBy.map(({ column }) => column),
    { from: 'constant', text: String(well.assetId) },
  );
  const named =
    state.wellNames.status === 'loaded' ? otherWells(state.wellNames.value, well.assetId, []) : [];
  return { ...filled, usesFileWells: false, confirmedWells: [...new Set(named.map(({ value }) => value))] };
}
