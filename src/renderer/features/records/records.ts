import type { AppError } from '../../../shared/errors/errors.ts';
import type { JsonValue } from '../../../shared/json.ts';
import type { LiveRequest } from '../../../shared/tabs/live.ts';
import type { Asked } from './asked.ts';
import type { HeardEvent } from './heard.ts';
import type { Groups } from './groups.ts';
import type { TimeZone } from './cell-text.ts';
import type { CopyFormat, SavedFormat } from './copied.ts';
import type { Range } from './pages.ts';
import type { Summary } from './summary.ts';
import type { ColumnHead, Slice } from './table.ts';

/** How far an answer reaches now, and what its columns are. */
export interface Shape {
  /** How many rows can be asked for. Where the service said no total, it grows as pages come. */
  readonly rows: number;
  /** How many rows have been seen to be there; `rows` itself once that is the last word. */
  readonly known: number;
  /** Whether `rows` is the last word. */
  readonly complete: boolean;
  /** How many of them are held now; the others are fetched when they are asked for. */
  readonly held: number;
  /** How many stretches of rows are missing before the last one that is held. */
  readonly gaps: number;
  /** The size of all pages that came so far, in bytes of JSON text. */
  readonly bytes: number;
  /** Every column met so far, in the order for reading. */
  readonly columns: readonly ColumnHead[];
}

export interface NumbersOptions {
  /** Default: all rows. */
  readonly range?: Range;
  /** Whether rows that are not held are fetched first; else they are NaN. Default: false. */
  readonly fetch?: boolean;
  /** Told how many of the rows have been gone through. */
  readonly onProgress?: (rows: number) => void;
  readonly signal?: AbortSignal;
}

export interface FindOptions {
  readonly paths: readonly (readonly string[])[];
  readonly zone: TimeZone;
  readonly signal?: AbortSignal;
}

/** Rows as one text, and what they are of the answer. */
export interface RowsText {
  readonly text: string;
  /** How many rows the text has. */
  readonly rows: number;
  /** Where all that is held was asked for: how many stretches of rows are missing in it; else 0. */
  readonly gaps: number;
}

/** The cells in which a text was found, row by row. */
export interface Found {
  /** How many rows were searched: those that are held. */
  readonly searched: number;
  /** How many there are. */
  readonly hits: number;
  /** Of the first of them (ten thousand at most): the row, and which of the paths. */
  readonly rows: Int32Array<ArrayBuffer>;
  readonly columns: Int32Array<ArrayBuffer>;
}

/**
 * The records of one answer. They live on a thread of their own, as columns; the window asks for what it shows. Rows
 * count from 0 in the answer's order. Every rejection is an AppError; after `release` all calls reject.
 */
export interface Records {
  /** Of this answer alone. */
  readonly id: number;
  /** What is known without asking. */
  readonly shape: () => Shape;
  /** Told after each change of the shape, until the returned function is called. */
  readonly onGrow: (listener: (shape: Shape) => void) => () => void;
  /** Told once when the thread died and the records with it, unless the returned function was called. */
  readonly onLost: (listener: (error: AppError) => void) => () => void;
  /**
   * The rows `from` to `to` (not included) as columns; those that are not held are fetched. To be called with what is
   * shown, some hundred rows. A signal that aborts also ends the fetch, if nobody else waits for it.
   */
  readonly rows: (range: Range, signal?: AbortSignal) => Promise<Slice>;
  /**
   * The numbers of columns, one array for each path and one number for each row, NaN where there is none: null, absent,
   * not a number. -999.25 is a number like any other. Times are Unix milliseconds, ISO dates too.
   */
  readonly numbers: (
    paths: readonly (readonly string[])[],
    options?: NumbersOptions,
  ) => Promise<Float64Array<ArrayBuffer>[]>;
  /** Groups all rows by the values of columns, such as their wells. `fetch` as for the numbers. */
  readonly groups: (
    paths: readonly (readonly string[])[],
    options?: Pick<NumbersOptions, 'fetch' | 'signal'>,
  ) => Promise<Groups>;
  /** One record, whole; fetched where it is not held. */
  readonly record: (row: number) => Promise<JsonValue>;
  /**
   * The rows as text. Those of `rows`, which ascend, are complete: what is not held is fetched. Null: what is
   * held, which may have gaps.
   */
  readonly text: (
    rows: readonly number[] | null,
    paths: readonly (readonly string[])[],
    options: { readonly format: CopyFormat | SavedFormat; readonly zone: TimeZone },
  ) => Promise<RowsText>;
  /** Where a text stands, in cells as they are shown; among the rows that are held. */
  readonly find: (text: string, options: FindOptions) => Promise<Found>;
  /** What a column holds, over the rows that are held. */
  readonly summary: (path: readonly string[]) => Promise<Summary>;
  /** Asks something more and puts the records behind the last row. Gives how many came. */
  readonly append: (asked: Asked, signal?: AbortSignal) => Promise<number>;
  /** Lets the records go. */
  readonly release: () => void;
}

/** What asking gave. */
export interface Opened {
  readonly records: Records;
  /** The rows at the beginning, so that they can be shown at once. */
  readonly head: Slice;
  /** How many records the first page has. */
  readonly count: number;
  /** How many match at all, where the service said so. */
  readonly total: number | null;
  /** From the request to the whole answer at the service, in milliseconds. */
  readonly ms: number;
}

/** The thread of records. */
export interface RecordsThread {
  /**
   * Asks a question. `everything`: a find goes on beyond its limit, through all that matches, in pages that are fetched
   * as they are asked for; its sort gets `_id` as the tiebreaker (specification, 4.1, paging rules).
   * @throws AppError
   */
  readonly open: (
    asked: Asked,
    options: {
      readonly signal: AbortSignal;
      readonly everything?: boolean;
      /** The field along which the dataset grows, where the question is sorted by it, descending. */
      readonly along?: string | null;
    },
  ) => Promise<Opened>;
  /** Follows a dataset until the signal aborts or the reader leaves. @throws AppError (into what is read) */
  readonly live: (
    request: LiveRequest,
    options: { readonly signal: AbortSignal },
  ) => AsyncIterable<HeardEvent>;
  /** Starts the thread if it does not run yet, so that the first question need not wait for it. */
  readonly warm: () => void;
}
