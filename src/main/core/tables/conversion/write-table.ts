import { AppError } from '../../../../shared/errors/errors.ts';
import { nullTexts } from '../sources/null-test.ts';
import { checkGrowth } from './limits.ts';
import type { SourceFile, SourceRow, SourceTable } from '../sources/source.ts';
import { unitInName } from '../../../../shared/channels/unit-text.ts';
import { maxColumns, uniqueKeys, type Layout } from '../reading/layout.ts';
import type { FileFormat } from '../../../../shared/upload/formats.ts';
import { unsuitable } from '../model/unsuitable.ts';
import { csvCell } from '../../../../shared/csv.ts';
import type { RecordProblem } from '../reading/records.ts';
import { placeNumber } from '../reading/source.ts';
import { GrowingFile, realDisk } from '../../files/growing-file.ts';

const flushBytes = 1 << 20;

/** Line feeds in a cell: each starts another line of the table. */
function lineFeedsIn(cells: readonly (string | null)[]): number {
  let count = 0;
  for (const cell of cells)
    if (cell !== null) for (let at = cell.indexOf('\n'); at >= 0; at = cell.indexOf('\n', at + 1)) count++;
  return count;
}

/**
 * Writes a table as CSV (UTF-8, LF) that parses to the same cells, and a map from its lines to places in the original,
 * with 32 bits for each line. Blocks: for worker threads.
 */
export class TableWriter {
  readonly #table: GrowingFile;
  readonly #places: GrowingFile;
  #text: string[] = [];
  #textLength = 0;
  #numbers: number[] = [];
  #lines = 0;

  /** @throws AppError file_unwritable, disk_full */
  constructor(paths: { readonly table: string; readonly places: string }, file: string) {
    const open = (path: string): GrowingFile => new GrowingFile({ disk: realDisk, path, name: file }, 0);
    this.#table = open(paths.table);
    this.#places = open(paths.places);
  }

  /** Bytes flushed so far. */
  get bytes(): number {
    return this.#table.length;
  }

  /** Lines written, including line breaks in cells. */
  get lines(): number {
    return this.#lines;
  }

  /**
   * Adds a row.
   * @param place of the row in the original
   * @param problem why its cells are unreliable; null: they are reliable
   * @throws AppError disk_full, file_unwritable
   */
  add(cells: readonly (string | null)[], place: number, problem: RecordProblem | null = null): void {
    let line = '';
    for (let index = 0; index < cells.length; index++) {
      const cell = cells[index] ?? null;
      if (index > 0) line += ',';
      if (cell !== null) line += csvCell(cell);
    }
    this.#text.push(line);
    this.#textLength += line.length + 1;
    const lines = 1 + (line.includes('\n') ? lineFeedsIn(cells) : 0);
    for (let count = 0; count < lines; count++) this.#numbers.push(placeNumber(place, problem));
    this.#lines += lines;
    if (this.#textLength > flushBytes) this.flush();
  }

  /** Writes the buffered rows. @throws AppError disk_full, file_unwritable */
  flush(): void {
    if (this.#text.length === 0) return;
    const bytes = Buffer.from(`${this.#text.join('\n')}\n`);
    this.#table.append(bytes);
    this.#places.append(Buffer.from(Uint32Array.from(this.#numbers).buffer));
    this.#text = [];
    this.#textLength = 0;
    this.#numbers = [];
  }

  /** Writes the remaining rows. @throws AppError disk_full, file_unwritable */
  close(): void {
    try {
      this.flush();
      this.#table.sync();
      this.#places.sync();
    } finally {
      this.#table.close();
      this.#places.close();
    }
  }
}

/** A conversion that is running. */
export interface ConversionContext {
  readonly signal: AbortSignal;
  /** Called while the file is read, so that it isn't taken for stuck. */
  readonly onRead: () => void;
}

interface Target {
  readonly table: string;
  readonly places: string;
  /** The name of the file, for messages. */
  readonly fileName: string;
  readonly fileBytes: number;
}

/**
 * Whether people make tables in a format: a spreadsheet or a person may have changed values, and totals or remarks can
 * follow the rows.
 */
export const isMadeByPeople = (format: FileFormat): boolean =>
  ['csv', 'xlsx', 'xls', 'text'].includes(format);

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
    isExact: !isMadeByPeople(format),
    placeKind,
  };
}

/**
 * Writes the rows of a table to separate files.
 * @throws AppError file_unsuitable, disk_full, file_unwritable, cancelled
 */
export async function writeTable(
  file: SourceFile,
  index: number,
  target: Target,
  { signal, onRead }: ConversionContext,
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
    const values = cells.map((cell) => (cell !== null && nulls(cell) ? null : cell));
    return fills && values.length < width
      ? [...values, ...Array.from({ length: width - values.length }, () => null)]
      : values;
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
      onRead();
    }
    spool.flush();
    return { layout: layoutOf(table, file, headerBytes, dataLine), rows, bytes: spool.bytes };
  } finally {
    spool.close();
  }
}
