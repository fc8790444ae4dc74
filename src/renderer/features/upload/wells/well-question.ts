import { otherWells, type NamedWell } from '../../../../shared/upload/wells.ts';
import {
  chooseColumn,
  fillField,
  wellConstant,
  type MappingChoices,
  type WellOfRows,
} from '../columns/mapping-choices.ts';
import type { UploadTabState } from '../upload-state.ts';
import { namesToSettle } from './well-names.ts';

/** What a person has to decide about the wells of a file before its rows can be sent. */
export type WellQuestion =
  /** The names in the file are being looked up, or could not be. */
  | { readonly kind: 'lookup'; readonly failed: boolean }
  /** `constant`: all rows are given one well, and the file names others. `selection`: a column gives wells, and another one is selected. */
  | {
      readonly kind: 'constant' | 'selection';
      readonly well: WellOfRows;
      /** The names that don't stand for that well. */
      readonly names: readonly NamedWell[];
    };

type Asked = Pick<UploadTabState, 'choices' | 'match' | 'wellNames' | 'selectedWell'>;

/** What is to be decided about the wells; null: nothing. */
export function wellQuestion({ choices, match, wellNames, selectedWell }: Asked): WellQuestion | null {
  if (!match.value || match.value.wellColumns.length === 0) return null;
  const mapped = match.value.columns.filter(({ kind }) => kind === 'asset');
  const [first] = mapped;
  if (!first) {
    const well = wellConstant(choices);
    if (!well) return null;
    if (wellNames.status !== 'loaded') return { kind: 'lookup', failed: wellNames.status !== 'loading' };
    const names = otherWells(wellNames.value, well.assetId, choices.confirmedWells ?? []);
    return names.length === 0 ? null : { kind: 'constant', well, names };
  }
  if (!selectedWell || choices.usesFileWells) return null;
  if (wellNames.status !== 'loaded') return { kind: 'lookup', failed: wellNames.status !== 'loading' };
  const well = { path: first.to ?? 'asset_id', assetId: selectedWell.assetId };
  const columns = wellNames.value.filter(({ column }) => mapped.some((each) => each.column === column));
  const settled = namesToSettle(columns, choices).filter(({ assetId }) => assetId === well.assetId);
  const names = otherWells(columns, well.assetId, []).filter(
    ({ column, value }) => !settled.some((each) => each.column === column && each.value === value),
  );
  return names.length === 0 ? null : { kind: 'selection', well, names };
}

/** The choices with the wells that the file names; null: nothing names them. */
export function withFileWells(state: Asked): MappingChoices | null {
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

/** The choices with all rows under the well in question, whatever wells the file names. */
export function withOneWell(state: Asked): MappingChoices | null {
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
