import type { SourceFormat } from '../../../shared/upload/formats.ts';
import type { WarningCode } from '../../../shared/upload/warnings.ts';

/** A column of a table. */
export interface SourceColumn {
  readonly name: string;
  readonly unit: string | null;
  readonly description: string | null;
  /** What the format says of its values; null: it is detected from the values. */
  readonly type: 'text' | 'number' | 'time' | null;
}

/** A table of a file: a worksheet, a log, a data section. */
export interface SourceTable {
  /** As the file names it; several tables of a file may have one name. */
  readonly name: string;
  readonly columns: readonly SourceColumn[];
  /** How many rows it has; null: not counted yet. */
  readonly rows: number | null;
  readonly isHidden: boolean;
  /** The place of the row that names the columns, counted from 1; 0: none does, and the names are made; absent: not in a row. */
  readonly headerRow?: number;
  /** The place of the row of units; absent: there is none. */
  readonly unitRow?: number;
  readonly index: SourceIndex | null;
  /** Texts that mean no value in this table, beside the usual ones. */
  readonly nulls: readonly string[];
}

/** The column that orders a table. */
export interface SourceIndex {
  readonly name: string;
  readonly unit: string | null;
  readonly kind: 'time' | 'depth' | 'other';
}

/** A row, with as many cells as the file has there: a row of another width than the table's is rejected later. */
export interface SourceRow {
  /** Numbers keep their text, times are ISO 8601; null: no value. */
  readonly cells: readonly (string | null)[];
  /** The line, sheet row or element of the original, counted from 1. */
  readonly place: number;
}

/** An entry of a file's header, such as a well's name. */
export interface HeaderEntry {
  /** The section that it belongs to, such as `Well`. */
  readonly group: string;
  /** As the file names it, such as `WELL`, `UWI`, `API`; of WITSML the element's name, such as `nameWell`. */
  readonly name: string;
  readonly value: string;
  readonly unit: string | null;
  readonly description: string | null;
}

/** What a person should know of a file. */
export interface SourceWarning {
  readonly code: WarningCode;
  readonly message: string;
  /** Counted as {@link SourceRow.place}; null: it is about the table or the file. */
  readonly place: number | null;
  /** The index of the table that it is about; null: it is about the file. */
  readonly table: number | null;
  /** The name of the column that it is about. */
  readonly column?: string;
  /** The text of the file that it is about. */
  readonly cell?: string;
  /** How many rows it is about; 0: about none. */
  readonly count: number;
}

/** What places count. */
export type PlaceKind = 'line' | 'row' | 'element';

/** An open file. Only one table is read at a time. */
export interface SourceFile {
  readonly format: SourceFormat;
  readonly tables: readonly SourceTable[];
  readonly header: readonly HeaderEntry[];
  /** Grows while rows are read; complete behind the last batch. */
  readonly warnings: readonly SourceWarning[];
  readonly placeKind: PlaceKind;
  /**
   * The rows of a table in batches, in the file's order, with memory that doesn't grow with the file.
   * @param table an index of {@link tables}
   * @throws AppError file_unsuitable with the place, cancelled
   */
  readRows(table: number, signal: AbortSignal): AsyncGenerator<readonly SourceRow[]>;
  close(): Promise<void>;
}

/** What a person or a template has chosen for a file; what is absent is detected. */
export interface OpenOptions {
  readonly signal: AbortSignal;
  /** The name of the file for messages: `path` may be an unpacked copy. */
  readonly fileName: string;
  /** Of text formats. */
  readonly encoding?: string | undefined;
  /** The place of the header row in the selected table, counted from 1; 0: there is none. */
  readonly headerRow?: number | undefined;
  /** The place of the unit row, counted from 1; 0: there is none. */
  readonly unitRow?: number | undefined;
  /** The table that {@link headerRow} and {@link unitRow} are about. */
  readonly table?: number | undefined;
}

/** A reader of one format. It runs in a worker thread, where blocking reads are fine. */
export interface SourceAdapter {
  readonly format: SourceFormat;
  /**
   * Whether a file is of this format by its content; the name only decides where the content leaves two open.
   * @param start the first 64 kB, decompressed
   * @param fileName without the ending of a compression
   */
  recognize(start: Uint8Array, fileName: string): boolean;
  /**
   * Reads the tables and the header, and no more of the rows than that takes.
   * @throws AppError file_unsuitable with reason and place, file_unreadable, cancelled
   */
  open(path: string, options: OpenOptions): Promise<SourceFile>;
}
