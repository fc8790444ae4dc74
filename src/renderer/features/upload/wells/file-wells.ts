import {
  otherWells,
  type NamedWell,
  type WellCandidate,
  type WellColumn,
  type WellName,
  type WellsBy,
} from '../../../../shared/upload/proposals.ts';
import type { UploadMatch } from '../../../../shared/upload/preview.ts';
import type { ColumnMapping, Mapping } from '../../../../shared/upload/upload.ts';
import { assetKey } from '../../../../shared/wells/wells.ts';
import { isAssetPath } from '../../../../shared/datasets/datasets.ts';
import {
  chooseColumn,
  fillField,
  wellConstant,
  type ConstantWell,
  type MappingChoices,
} from '../columns/mapping-choices.ts';
import { isConverted, type UploadTabState } from '../upload-state.ts';

/** The well that a file names, whatever is selected: in its rows, before its header, or in its own name. */
export type FileWell =
  | { readonly from: 'rows'; readonly column: string; readonly count: number }
  | { readonly from: 'header' | 'fileName'; readonly assetId: number; readonly name: string };

/** The well that a file names, by its rows, else its header, else its name; null: none, or several may be meant. */
export function wellNamedByFile(
  columns: readonly WellColumn[],
  inName: readonly WellCandidate[],
): FileWell | null {
  for (const { column, names } of columns) {
    const count = new Set(names.flatMap(({ assetId }) => assetId ?? [])).size;
    if (column !== null && count > 0) return { from: 'rows', column, count };
  }
  const header = columns
    .flatMap(({ column, names }) => (column === null ? names : []))
    .flatMap(({ assetId, value }) => (assetId === null ? [] : [{ assetId, name: value }]));
  const [named, ...moreWells] = new Map(header.map((well) => [well.assetId, well])).values();
  if (named) return moreWells.length === 0 ? { from: 'header', ...named } : null;
  const [only, ...more] = inName;
  return only && more.length === 0 ? { from: 'fileName', assetId: only.assetId, name: only.name } : null;
}

/** The well that a file names; null: none, several, or not found yet. */
export const fileWellOf = ({ fileWell }: Pick<UploadTabState, 'fileWell'>): FileWell | null =>
  fileWell.status === 'loaded' ? fileWell.value.well : null;

type HeaderState = Pick<UploadTabState, 'preview' | 'match' | 'choices'>;

/** Whether only the header of the file names a well, and none is selected yet. */
function needsHeaderWell({ preview, match, choices }: HeaderState): boolean {
  if (preview.status !== 'loaded' || !isConverted(preview.value) || !match.value) return false;
  const { columns, wellColumns } = match.value;
  const isNamed = wellColumns.length > 0 && wellColumns.every(({ column }) => column === null);
  return isNamed && !columns.some(({ kind }) => kind === 'asset') && wellConstant(choices) === null;
}

/** The choices with the well that the header of the file names; null: it names none, or several, that are known. */
export function withHeaderWell(
  state: HeaderState & Pick<UploadTabState, 'wellNames'>,
): MappingChoices | null {
  const { choices, match, wellNames } = state;
  const path = match.value?.fields.find((field) => isAssetPath(field.path))?.path;
  if (!needsHeaderWell(state) || wellNames.status !== 'loaded' || path === undefined) return null;
  const ids = wellNames.value.flatMap(({ names }) => names.flatMap(({ assetId }) => assetId ?? []));
  const [only, ...otherIds] = new Set(ids);
  if (only === undefined || otherIds.length > 0) return null;
  return fillField(choices, path, [], { from: 'constant', text: String(only) });
}

type NamingColumn = readonly [column: string, by: Exclude<WellsBy, 'id'>];

const namingColumns = ({ columns }: Mapping): NamingColumn[] =>
  Object.entries(columns).flatMap(([column, { by }]) =>
    by === 'name' || by === 'api_number' ? [[column, by] as const] : [],
  );

/** Whether names have to be looked up: a constant well, or a selected one, could contradict the names in the file. */
function needsNames(state: UploadTabState): boolean {
  const { choices, match, selectedWell } = state;
  if (needsHeaderWell(state)) return true;
  const { value } = match;
  if (!value || value.wellColumns.length === 0) return false;
  return wellOfAllRows(choices, value) !== null || (hasWellColumn(value) && selectedWell !== null);
}

const wellColumnsOf = ({ columns }: UploadMatch) => columns.filter(({ kind }) => kind === 'asset');
const hasWellColumn = (match: UploadMatch): boolean => wellColumnsOf(match).length > 0;

/** The constant well of all rows; null: none, or columns for its path have the wells. */
const wellOfAllRows = (choices: MappingChoices, match: UploadMatch): ConstantWell | null =>
  wellConstant(
    choices,
    wellColumnsOf(match).map(({ to }) => to),
  );

/** How a column is read without the wells that the user assigned to its names. */
export function withoutWells(column: ColumnMapping): ColumnMapping {
  const { wells: _, ...otherChoice } = column;
  return otherChoice;
}

/**
 * The mapping with which the names of wells are looked up, and a key that changes when they have to be looked up again;
 * null: no names are needed. Assigned wells are applied to the response locally, so that a change needs no new request.
 */
export function namesToLookUp(
  state: UploadTabState,
  mapping: Mapping,
): { readonly mapping: Mapping; readonly key: string } | null {
  const naming = namingColumns(mapping);
  if (naming.length === 0 && !needsNames(state)) return null;
  const columns = Object.entries(mapping.columns).map(([name, column]) => [name, withoutWells(column)]);
  return {
    mapping: { ...mapping, columns: Object.fromEntries(columns) },
    key: JSON.stringify([naming, state.match.value?.wellColumns ?? [], mapping.nulls ?? []]),
  };
}

export interface NameToResolve extends WellName {
  readonly column: string;
  /** Whether the platform found no single match, so that the user has to select one. */
  readonly isAmbiguous: boolean;
}

/** The names of all columns: ambiguous ones first, in the order of the file. */
export function namesToResolve(columns: readonly WellColumn[], choices: MappingChoices): NameToResolve[] {
  const names = columns.flatMap(({ column, names: all }) => {
    const choice = column === null ? undefined : choices.columns[column];
    if (column === null || !choice || choice.skip || !isAssetPath(choice.to)) return [];
    const { by = 'id', wells = {} } = choice;
    const settled = new Map(Object.entries(wells).map(([text, id]) => [assetKey(by, text), id]));
    return all.map((name): NameToResolve => {
      const settledWell = settled.get(assetKey(by, name.value));
      const isAmbiguous = name.assetId === null;
      return {
        ...name,
        column,
        isAmbiguous,
        ...(settledWell === undefined ? {} : { assetId: settledWell, found: 'settled' }),
      };
    });
  });
  return names.sort((a, b) => Number(b.isAmbiguous) - Number(a.isAmbiguous));
}

/** The asset ids that the names in the file match, or that the user assigned, each once. */
export function namedAssets({ wellNames, choices }: Pick<UploadTabState, 'wellNames' | 'choices'>): number[] {
  const names = wellNames.status === 'loaded' ? namesToResolve(wellNames.value, choices) : [];
  return [...new Set(names.flatMap(({ assetId }) => assetId ?? []))];
}

/** The choices with a well for a name; null: not assigned. */
export function assignName(
  choices: MappingChoices,
  column: string,
  value: string,
  assetId: number | null,
): MappingChoices {
  const choice = choices.columns[column];
  if (!choice || choice.skip) return choices;
  const { by = 'id', wells: assigned = {} } = choice;
  const otherNames = Object.entries(assigned).filter(([name]) => assetKey(by, name) !== assetKey(by, value));
  const wells = Object.fromEntries(assetId === null ? otherNames : [...otherNames, [value, assetId]]);
  const areAssigned = Object.keys(wells).length > 0;
  return chooseColumn(choices, column, { ...choice, wells: areAssigned ? wells : undefined });
}

/** The asset ids that the rows have at a path; empty: unknown. */
export function assetsOf(
  state: Pick<UploadTabState, 'match' | 'choices' | 'wellNames'>,
  path: string,
): number[] {
  const { match, choices } = state;
  const text = String(choices.constants[path] ?? '').trim();
  const constant = /^\d{1,15}$/.test(text) ? [Number(text)] : [];
  const field = match.value?.fields.find((field) => field.path === path);
  if (!field || field.columns.length === 0) return constant;
  const ids = match.value?.assets ?? [];
  if (ids.length > 0) return ids;
  const named = namedAssets(state);
  return named.length === 0 ? [] : [...new Set([...named, ...constant])];
}

/**
 * A mapping with the wells of the names that were looked up, by which nothing is looked up again; null: they aren't
 * looked up yet.
 */
export function withLookups(
  mapping: Mapping,
  { wellNames }: Pick<UploadTabState, 'wellNames'>,
): Mapping | null {
  const naming = namingColumns(mapping);
  if (naming.length === 0) return mapping;
  if (wellNames.status !== 'loaded') return null;
  const columns = { ...mapping.columns };
  for (const { column, names } of wellNames.value) {
    const wanted = column === null ? undefined : columns[column];
    if (column === null || !wanted || !naming.some(([name]) => name === column)) continue;
    const lookups = names.flatMap(({ value, assetId }) =>
      assetId === null ? [] : [[value, assetId] as const],
    );
    columns[column] = { ...wanted, wells: { ...Object.fromEntries(lookups), ...wanted.wells } };
  }
  return { ...mapping, columns };
}

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
  const constant = wellOfAllRows(choices, match.value);
  if (constant) {
    if (wellNames.status !== 'loaded') return { kind: 'lookup' };
    const names = otherWells(wellNames.value, constant.assetId, choices.confirmedWells ?? []);
    return names.length === 0 ? null : { kind: 'constant', well: constant, names };
  }
  const wellColumns = wellColumnsOf(match.value);
  const [first] = wellColumns;
  if (!first || !selectedWell || choices.usesFileWells) return null;
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
