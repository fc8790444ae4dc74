import { AppError } from '../../../../shared/errors/errors.ts';
import { nullTexts } from '../sources/null-test.ts';
import { checkGrowth } from './limits.ts';
import { TableWriter } from './table-writer.ts';
import type { SourceFile, SourceRow, SourceTable } from '../sources/source.ts';
import { unitInName } from '../../../../shared/channels/unit-text.ts';
import { maxColumns, uniqueKeys } from '../reading/layout.ts';
import type { FileFormat } from '../../../../shared/upload/formats.ts';
import type { Layout } from '../reading/layout.ts';
import { unsuitable } from '../model/unsuitable.ts';

interface Target {
  readonly table: string;
  readonly places: string;
  /** The name of the file, for messages. */
  readonly fileName: string;
  /** Bytes of the file. */
  readonly fileBytes: number;
}

/** Formats in which a spreadsheet or a person may have changed values. */
const editable: readonly FileFormat[] = ['csv', 'xlsx', 'xls', 'text'];

/** A table in a file of its own. */
export interface WrittenTable {
  readonly layout: Layout;
  readonly rows: number;
  /** Size of the file with the table, in bytes. */
  readonly bytes: number;
}

function layoutOf(
  table: SourceTable,
  { placeKind, format }: SourceFile,
  headerBytes: number,
  dataLine: number,
): Layout {
  const names = table.columns.map(({ name }) => name.trim());
  const keys = uniqueKeys(names);
  return {
    jsonLines: false,
    delimiter: ',',
    crEnds: false,
    comments: false,
    encoding: { name: 'UTF-8', bom: 0 },
    headerLine: table.headerRow ?? 1,
    unitLine: table.unitRow ?? null,
    header: { start: 0, end: headerBytes },
    columns: table.columns.map(({ unit, path }, index) => {
      const name = names[index] ?? '';
      return {
        name,
        key: keys[index] ?? name,
        unit: unit?.trim() || unitInName(name),
        ...(path && { path }),
      };
    }),
    dataStart: headerBytes + 1,
    dataLine,
    isExact: !editable.includes(format),
    placeKind,
  };
}

/**
 * Writes the rows of a table to separate files.
 * @param onRows called with the number of rows written so far
 * @throws AppError file_unsuitable, disk_full, file_unwritable, cancelled
 */
export async function writeTable(
  file: SourceFile,
  index: number,
  target: Target,
  signal: AbortSignal,
  onRows: (rows: number) => void,
): Promise<WrittenTable> {
  const table = file.tables[index];
  if (!table) throw new AppError('internal', { problem: `the file has no table ${index}` });
  const width = table.columns.length;
  if (width > maxColumns)
    throw unsuitable(target.fileName, `it has ${width} columns; Wellbench reads up to ${maxColumns}`);
  const nulls = nullTexts(table.nulls);
  // A sheet doesn't store the empty cells at the end of a row.
  const fills = file.placeKind === 'row';
  const cellsOf = ({ cells }: SourceRow): (string | null)[] => {
    const known = cells.map((cell) => (cell !== null && nulls(cell) ? null : cell));
    return fills && known.length < width
      ? [...known, ...Array.from({ length: width - known.length }, () => null)]
      : known;
  };
  const spool = new TableWriter(target, target.fileName);
  let rows = 0;
  try {
    const names = table.columns.map(({ name }) => name);
    spool.add(names, table.headerRow ?? 0);
    const dataLine = spool.lines + 1;
    spool.flush();
    const headerBytes = spool.bytes - 1;
    for await (const batch of file.readRows(index, signal)) {
      if (signal.aborted) throw new AppError('cancelled', {});
      for (const row of batch) {
        if (row.isHeader === true) continue;
        spool.add(cellsOf(row), row.place, row.problem);
        rows++;
      }
      checkGrowth(target.fileName, 'converted', spool.bytes, target.fileBytes);
      onRows(rows);
    }
    spool.flush();
    return { layout: layoutOf(table, file, headerBytes, dataLine), rows, bytes: spool.bytes };
  } finally {
    spool.close();
  }
}
