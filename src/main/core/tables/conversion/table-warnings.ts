import type { FileWarning } from '../../../../shared/upload/upload.ts';
import type { SourceTable } from '../sources/source.ts';

/** Warnings about the tables of a file. @param isChosen whether the user named the table that is read */
export function tableWarnings(
  tables: readonly SourceTable[],
  selected: SourceTable,
  isChosen: boolean,
): FileWarning[] {
  const shown = tables.filter(({ isHidden, columns }) => !isHidden && columns.length > 0);
  const found: FileWarning[] = [];
  if (!isChosen && shown.length > 1)
    found.push({
      code: 'several_tables',
      message: `The file has ${shown.length} tables; “${selected.name}” is read. Select another one if that is not the one you want.`,
      line: null,
      count: shown.length,
    });
  const hidden = tables.filter(({ isHidden }) => isHidden);
  if (hidden.length > 0)
    found.push({
      code: 'hidden_table',
      message: `The file has hidden sheets: ${hidden.map(({ name }) => `“${name}”`).join(', ')}.`,
      line: null,
      count: hidden.length,
    });
  return found;
}
