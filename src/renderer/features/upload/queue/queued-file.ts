import { matchesHeader } from '../../../../shared/upload/templates.ts';
import { isAssetPath } from '../../../../shared/datasets/datasets.ts';
import { fillField, wellConstant, type MappingChoices } from '../columns/mapping-choices.ts';
import {
  choicesForOtherFiles,
  hasMostColumns,
  headerOf,
  readingFor,
  tableOfFiles,
} from '../columns/templates.ts';
import { isSent, type UploadTabState } from '../upload-state.ts';
import type { UploadTab } from '../upload-tab.ts';
import { fileWellOf } from '../wells/file-wells.ts';

/** Whether an upload has a file with the table of the first, or most of its columns, and hasn't started. */
function canJoin(first: UploadTab, tab: UploadTab): boolean {
  const table = tableOfFiles(first.store.getState());
  const state = tab.store.getState();
  const { inspection, isQueued } = state;
  if (isSent(state) || inspection.status !== 'loaded' || isQueued) return false;
  return (
    matchesHeader(headerOf(state), table) ||
    readingFor(state, table) !== null ||
    hasMostColumns(first.store.getState(), state)
  );
}

export function similarUploads(tab: UploadTab, open: readonly UploadTab[]): UploadTab[] {
  return open.filter((other) => other !== tab && canJoin(tab, other));
}

/** What files are compared by. */
export const comparedParts = [
  'preview',
  'reading',
  'choices',
  'proposedNulls',
  'match',
  'fileWell',
  'selectedWell',
] as const;

export type FileState = Pick<UploadTabState, (typeof comparedParts)[number]>;

export type QueuedWell =
  /** Its rows name them, or its dataset has records without wells. */
  | { readonly from: 'rows' | 'nowhere' }
  /** Selected for it, named in it or in its name, or that of the first file, where no file names one. */
  | { readonly from: 'selection' | 'header' | 'fileName' | 'first'; readonly assetId: number }
  /** It isn't sent until one is selected. */
  | { readonly from: 'missing' };

/** A file's own well, never that of the first file where files name their wells. */
export function queuedWell(first: FileState, file: FileState): QueuedWell {
  const columns = headerOf(file);
  const wellColumn = first.match.value?.columns.find(({ kind }) => kind === 'asset');
  const firstWell = wellConstant(first.choices);
  if (!wellColumn && !firstWell) return { from: 'nowhere' };
  if (wellColumn && columns.includes(wellColumn.column)) return { from: 'rows' };
  const selected = wellConstant(file.choices);
  if (selected && selected.assetId !== file.selectedWell?.assetId)
    return { from: 'selection', assetId: selected.assetId };
  const fileWell = fileWellOf(file);
  if (fileWell)
    return fileWell.from === 'rows' ? { from: 'rows' } : { from: fileWell.from, assetId: fileWell.assetId };
  const isKnown = first.fileWell.status === 'loaded' && file.fileWell.status === 'loaded';
  if (firstWell && isKnown && !fileWellOf(first)) return { from: 'first', assetId: firstWell.assetId };
  return { from: 'missing' };
}

/** Whether a file has no well, as far as the wells that both files name are known. */
export const lacksWell = (first: FileState, file: FileState): boolean =>
  [first, file].every(({ fileWell }) => fileWell.status === 'loaded') &&
  queuedWell(first, file).from === 'missing';

/** The choices of the first file for another one: for the columns that it has too, and with its own well. */
export function queuedChoices(first: FileState, file: FileState): MappingChoices {
  const columns = new Set(headerOf(file));
  const otherChoices = choicesForOtherFiles(first.choices);
  const { nulls } = first.choices;
  // Of the numbers that are proposed as null values, those of this file; the user treats the declined ones as numbers.
  const entered = nulls.filter((token) => !first.proposedNulls.includes(token));
  const proposed = file.proposedNulls.filter(
    (token) => nulls.includes(token) || !first.proposedNulls.includes(token),
  );
  const fileWell = fileWellOf(file);
  const well = queuedWell(first, file);
  // The first file may skip its column of wells because one well applies to all of its rows.
  const namesWells = (column: string) =>
    well.from === 'rows' && fileWell?.from === 'rows' && fileWell.column === column;
  const shared = Object.entries(otherChoices.columns).filter(
    ([column, { skip = false }]) => columns.has(column) && !(skip && namesWells(column)),
  );
  const choices = {
    ...otherChoices,
    nulls: [...new Set([...entered, ...proposed])],
    ...(file.choices.withoutWell ? { withoutWell: true } : {}),
    columns: Object.fromEntries(shared),
  };
  const path =
    wellConstant(first.choices)?.path ??
    first.match.value?.fields.find((field) => isAssetPath(field.path))?.path;
  if (!('assetId' in well) || path === undefined) return choices;
  return fillField(choices, path, [], { from: 'constant', text: String(well.assetId) });
}

export interface ColumnDifferences {
  /** Those that only the first file has, of those that are uploaded. */
  readonly missing: readonly string[];
  /** Those that only this file has; they are matched by name. */
  readonly further: readonly string[];
}

export function columnDifferences(first: FileState, file: FileState): ColumnDifferences {
  const [header, wanted] = [headerOf(file), headerOf(first)];
  const uploaded = new Set(
    first.match.value?.columns.flatMap(({ column, to, joinedTo }) =>
      to !== null || joinedTo !== null ? [column] : [],
    ),
  );
  return {
    missing: wanted.filter((column) => uploaded.has(column) && !header.includes(column)),
    further: header.filter((column) => !wanted.includes(column)),
  };
}
