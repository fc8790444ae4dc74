import { isDecimalNumber } from '../../reading/cells.ts';
import type { SourceColumn } from '../source.ts';
import type { ColumnEdge } from './column-edges.ts';

/** Maximum number of lines that are searched for the layout. */
export const sampleLines = 2000;

/** How the rows of a listing are split into cells. */
export interface ListingLayout {
  readonly columns: readonly SourceColumn[];
  /** The line of the names, from 1; 0: none. */
  readonly headerLine: number;
  /** All lines with names: in a listing of fixed width, a name can have several. */
  readonly nameLines: readonly SampleLine[];
  readonly unitLine: number | null;
  readonly firstRowLine: number;
  /** Of fixed-width columns; null: blanks separate the values. */
  readonly edges: readonly ColumnEdge[] | null;
  /** Whether the user set the edges: lines are cut there, wherever their values are. */
  readonly isExact?: boolean;
  /** Header lines that are repeated on each page. */
  readonly repeated: ReadonlySet<string>;
  readonly nulls: readonly string[];
}

/** A line of the start of a file. */
export interface SampleLine {
  readonly text: string;
  /** Counted from 1. */
  readonly number: number;
}

/** Whether a word is a number, a date, or a time. */
export const isValue = (text: string): boolean =>
  isDecimalNumber(text) || /^\d{1,4}[-/.:]\d{1,2}(?:[-/.:]\d{1,4})?/.test(text);

/** A rule: `-----  ----`, `=====`. */
export const isRule = (text: string): boolean =>
  /^[\s=_*+|#.~-]*$/.test(text) && /([=_*~-])\1{2,}/.test(text);
/** A remark, which isn't a row. */
export const isRemark = (text: string): boolean =>
  /^\s*(?:#|!|--(?!-))/.test(text) || /^\s*page\s*(?::\s*)?\d+\s*(?:(?:of|\/)\s*\d+\s*)?$/i.test(text);
