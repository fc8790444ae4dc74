import { invalidInput } from '../../../../shared/errors/errors.ts';
import { firstInWords } from '../../../../shared/lists.ts';
import type { FileFormat } from '../../../../shared/upload/formats.ts';
import { uniqueKeys } from '../reading/layout.ts';
import type { SourceTable } from '../sources/source.ts';
import type { FileWarning } from '../../../../shared/upload/upload.ts';

const namesShown = 20;

/** The tables with different names: a repeated name gets a number, as in `Ascii (2)`, an empty one `Table 3`. */
export function nameTablesApart(tables: readonly SourceTable[]): readonly SourceTable[] {
  const names = uniqueKeys(tables.map(({ name }, index) => name.trim() || `Table ${index + 1}`));
  return tables.map((table, index) => ({ ...table, name: names[index] ?? table.name }));
}

/**
 * The index of the table with a name or number.
 * @param wanted a name, in any case, or a number from 1; names take precedence
 * @throws AppError invalid_input with the list of tables
 */
export function tableNamed(tables: readonly Pick<SourceTable, 'name'>[], wanted: string): number {
  const index = indexNamed(tables, wanted);
  if (index >= 0) return index;
  const names = tables.map(({ name }, at) => `${at + 1} “${name}”`);
  throw invalidInput(
    `The file has no table “${wanted}”. Select one of these: ${firstInWords(names, namesShown)}.`,
    { field: 'table' },
    { tables: tables.map(({ name }) => name) },
  );
}

/** The index of the table with a name or number, as in {@link tableNamed}; -1: none. */
function indexNamed(tables: readonly Pick<SourceTable, 'name'>[], wanted: string): number {
  const exact = tables.findIndex(({ name }) => name === wanted);
  if (exact >= 0) return exact;
  const alike = tables.findIndex(({ name }) => name.trim().toLowerCase() === wanted.trim().toLowerCase());
  if (alike >= 0) return alike;
  const number = /^\d{1,9}$/.test(wanted) ? Number(wanted) : 0;
  return number >= 1 && number <= tables.length ? number - 1 : -1;
}

/** Whether a table has this name or number, or none is named. */
export const hasTable = (tables: readonly Pick<SourceTable, 'name'>[], wanted: string | undefined): boolean =>
  wanted === undefined || indexNamed(tables, wanted) >= 0;

/** The log among the sections of a LAS file. */
const logName = /^~?(?:a|ascii|log)\b/i;

/** The most likely table: a log if the format has one, else the first visible one with rows. */
function likelyTable(tables: readonly SourceTable[], format: FileFormat): number {
  const isShown = (table: SourceTable): boolean =>
    !table.isHidden && table.columns.length > 0 && table.rows !== 0;
  const log = format === 'las' ? tables.findIndex((table) => isShown(table) && logName.test(table.name)) : -1;
  return Math.max(0, log >= 0 ? log : tables.findIndex(isShown));
}

/**
 * The index of the selected table.
 * @param wanted absent: the most likely one
 * @throws AppError invalid_input
 */
export const selectTable = (
  tables: readonly SourceTable[],
  format: FileFormat,
  wanted: string | undefined,
): number => (wanted === undefined ? likelyTable(tables, format) : tableNamed(tables, wanted));

/** Warnings about the tables of a file. @param isChosen whether the user named the table that is read */
export function tableWarnings(
  tables: readonly SourceTable[],
  selected: SourceTable,
  isChosen: boolean,
): FileWarning[] {
  const shown = tables.filter(({ isHidden, columns }) => !isHidden && columns.length > 0);
  const warnings: FileWarning[] = [];
  if (!isChosen && shown.length > 1) {
    const message = `The file has ${shown.length} tables; “${selected.name}” is read. Select another one if that is not the one you want.`;
    warnings.push({ code: 'several_tables', message, line: null, count: shown.length });
  }
  const hidden = tables.filter(({ isHidden }) => isHidden);
  if (hidden.length > 0) {
    const message = `The file has hidden sheets: ${hidden.map(({ name }) => `“${name}”`).join(', ')}.`;
    warnings.push({ code: 'hidden_table', message, line: null, count: hidden.length });
  }
  return warnings;
}
