import type { CellRow, NotedLines } from '../layout/head.ts';
import type { FileFormat, SourceFormat } from '../../../../shared/upload/formats.ts';
import type { Explanation, ReadingOptions } from '../../../../shared/upload/upload.ts';
import type { RecordProblem } from '../reading/records.ts';
import type { RawLine } from '../../../../shared/upload/preview.ts';
import type { WarningCode } from '../../../../shared/upload/warnings.ts';

/** A column of a table. */
export interface SourceColumn {
  readonly name: string;
  readonly unit: string | null;
  readonly description: string | null;
  /** The type of its values according to the format; null: detected from the values. */
  readonly type: 'text' | 'number' | 'time' | null;
  /** Of nested values: the names that lead to them. */
  readonly path?: readonly string[];
}

/** A table of a file: a worksheet, a log, a data section. */
export interface SourceTable {
  /** The name in the file; several tables can have the same name. */
  readonly name: string;
  readonly columns: readonly SourceColumn[];
  /** Number of rows; null: not counted yet. */
  readonly rows: number | null;
  readonly isHidden: boolean;
  /** The place of the row with the names, from 1; 0: none, and names are generated; absent: names aren't in a row. */
  readonly headerRow?: number;
  /** The place of the row of units; absent: none. */
  readonly unitRow?: number;
  readonly index: SourceIndex | null;
  /** The rows above its header, which can give values such as the name of a well; absent: none. */
  readonly above?: readonly CellRow[];
  /** Whether its lines are cut at fixed positions, which another table below it doesn't share. */
  readonly isFixedWidth?: boolean;
  /** Why its first rows are its head; absent: the format says it. */
  readonly explanation?: Explanation;
  /** Texts that are null values in this table, beside the usual ones. */
  readonly nulls: readonly string[];
}

/** The index column of the table. */
export interface SourceIndex {
  readonly name: string;
  readonly unit: string | null;
  readonly kind: 'time' | 'depth' | 'other';
}

/** A row with as many cells as in the file: a row of another width than the table's is rejected later. */
export interface SourceRow {
  /** Numbers keep their text, times are ISO 8601; null: no value. */
  readonly cells: readonly (string | null)[];
  /** The line, sheet row, or element in the original, from 1. */
  readonly place: number;
  /** Why its cells are unreliable, so that it is rejected; absent or null: they are reliable. */
  readonly problem?: RecordProblem | null;
  /** Whether it repeats the names of the columns, as on each page of a listing, and is no row. */
  readonly isHeader?: boolean;
}

export interface HeaderEntry {
  /** Its section, such as `Well`. */
  readonly group: string;
  /** The name in the file, such as `WELL`, `UWI`, `API`; in WITSML the element's name, such as `nameWell`. */
  readonly name: string;
  readonly value: string;
  readonly unit: string | null;
  readonly description: string | null;
}

/** A warning about a file. */
export interface SourceWarning {
  readonly code: WarningCode;
  readonly message: string;
  /** Counted as {@link SourceRow.place}; null: it applies to the table or the file. */
  readonly place: number | null;
  /** The index of its table; null: it applies to the file. */
  readonly table: number | null;
  /** The name of its column. */
  readonly column?: string;
  /** The text of the file that it quotes. */
  readonly cell?: string;
  /** Of an encoding that is a guess: others that may be meant, the likeliest first. */
  readonly choices?: readonly string[];
  /** Number of rows that it applies to; 0: none. */
  readonly count: number;
}

/** The unit of places. */
export type PlaceKind = 'line' | 'row' | 'element';

/** An open file. Only one table is read at a time. */
export interface SourceFile {
  readonly format: FileFormat;
  readonly tables: readonly SourceTable[];
  readonly header: readonly HeaderEntry[];
  /** Grows while rows are read; complete after the last batch. */
  readonly warnings: readonly SourceWarning[];
  readonly placeKind: PlaceKind;
  /** Of text in columns: the positions between them, in characters; null: blanks separate them. */
  readonly columnEdges?: readonly number[] | null;
  /** Its lines that are no plain rows, as far as rows were read; absent: the format has no such lines. */
  readonly notes?: NotedLines;
  /** What the lines of a table were taken for, once its rows are read. */
  explain?(table: number): Explanation;
  /** Of text in columns: its first lines. */
  readonly lines?: readonly RawLine[];
  /**
   * The rows of a table in batches, in the file's order, with memory that doesn't grow with the file.
   * @param table an index of {@link tables}
   * @throws AppError file_unsuitable with the place, cancelled
   */
  readRows(table: number, signal: AbortSignal): AsyncGenerator<readonly SourceRow[]>;
  close(): Promise<void>;
}

/** How a file is read: absent choices are detected. The header and unit rows are places in the selected table. */
export interface OpenOptions extends Pick<
  ReadingOptions,
  'encoding' | 'delimiter' | 'hashLines' | 'apostrophes' | 'headerRow' | 'unitRow' | 'columnEdges'
> {
  readonly signal: AbortSignal;
  /** The name of the file for messages: `path` can be an unpacked copy. */
  readonly fileName: string;
  /** Called while a file is read, so that it isn't taken for stuck. */
  readonly onRead?: (() => void) | undefined;
  /** The index of the table to which `headerRow` and `unitRow` apply. */
  readonly table?: number | undefined;
}

/** A reader of one format. It runs in a worker thread, so reads can block. */
export interface SourceAdapter {
  readonly format: SourceFormat;
  /**
   * Whether a file has this format, by its content; the name decides only if the content fits two formats.
   * @param start the first 64 kB, decompressed
   * @param fileName without the extension of a compression
   */
  recognize(start: Uint8Array, fileName: string): boolean;
  /**
   * Reads the tables and the header, and only as many rows as necessary.
   * @throws AppError file_unsuitable with reason and place, file_unreadable, cancelled
   */
  open(path: string, options: OpenOptions): Promise<SourceFile>;
}
