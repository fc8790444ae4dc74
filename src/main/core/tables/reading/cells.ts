import { nullsOf } from '../../../../shared/upload/null-tokens.ts';
import { timePatterns } from './time-patterns.ts';

/** The kind of a single cell; the type of a column follows from all of its cells. */
export type CellKind =
  | 'empty'
  | 'null_word'
  | 'integer'
  | 'number'
  /** One comma followed by digits that can't be thousands: 0,368. */
  | 'comma_number'
  /** One group of three digits after a comma: 1,338 means thousands in some countries, 1.338 in others. */
  | 'comma_ambiguous'
  /** 229,932.50 or 1,234,567 */
  | 'thousands'
  /** 229.932,50 or 1.234.567 */
  | 'point_thousands'
  /** 00, 01071: a code, whose leading zeros matter. */
  | 'code'
  /** 113A, B-12, H: a name, as integers are often too. */
  | 'label'
  | 'boolean'
  | 'time'
  | 'date'
  | 'text';

const numberKinds: ReadonlySet<CellKind> = new Set<CellKind>([
  'integer',
  'number',
  'comma_number',
  'comma_ambiguous',
  'thousands',
  'point_thousands',
  'code',
]);

/** Whether a kind is that of numbers in any notation. */
export const isNumberKind = (kind: CellKind): boolean => numberKinds.has(kind);

const decimalNumber = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/;
const integer = /^[+-]?\d+$/;
const label = /^(?:[A-Z]|\d{1,8}[A-Z]{1,2}|[A-Z]{1,3}[-/]?\d{1,8})$/;
const leadingZero = /^[+-]?0\d/;
const thousands = /^[+-]?[1-9]\d{0,2}(?:,\d{3})+(?:\.\d+)?$/;
const oneGroup = /^[+-]?[1-9]\d{0,2},\d{3}$/;
const pointThousands = /^[+-]?[1-9]\d{0,2}(?:(?:\.\d{3}){2,}|(?:\.\d{3})+,\d+)$/;
const pointGroup = /^[+-]?[1-9]\d{0,2}\.\d{3}$/;
const commaNumber = /^[+-]?\d+,\d+(?:[eE][+-]?\d+)?$/;
/** Also with the day of the year; a number such as 2025-073 without a time of day may be a code. */
const isoTime =
  /^\d{4}-(?:\d\d-\d\d$|(?:\d\d-\d\d|\d{3})[Tt ]\d\d:\d\d(?::\d\d(?:[.,]\d+)?)?\s?(?:[Zz]|[+-]\d\d(?::?\d\d)?)?$)/;
/** Only these can be dates: a time of day alone can't. */
const mayBeDate = /^\d{1,4}(?:[./-]\d{1,2}[./-]|([ ./-])[A-Za-z]{3,9}\1)\d/;

const usualNulls: ReadonlySet<string> = new Set(nullsOf({}));

const booleans: ReadonlySet<string> = new Set(['true', 'false', 'TRUE', 'FALSE', 'True', 'False']);

/** Maximum number of digits that a double keeps exactly. */
const maxExactDigits = 15;

/**
 * The value of a number that has only decimal digits, like nearly all cells: the result of `Number`, in one pass over
 * the text.
 * @returns NaN for any other cell
 */
export function plainNumber(cell: string): number {
  const { length } = cell;
  const isNegative = cell.charCodeAt(0) === 0x2d;
  const start = isNegative ? 1 : 0;
  let digits = 0;
  let fraction = -1;
  let value = 0;
  for (let at = start; at < length; at++) {
    const digit = cell.charCodeAt(at) - 0x30;
    if (digit >= 0 && digit <= 9) {
      value = value * 10 + digit;
      digits++;
      if (fraction >= 0) fraction++;
    } else if (digit === -2 && fraction < 0 && digits > 0) fraction = 0;
    else return NaN;
  }
  const hasLeadingZero = digits > 1 && fraction !== digits - 1 && cell.charCodeAt(start) === 0x30;
  if (digits === 0 || digits > maxExactDigits || hasLeadingZero) return NaN;
  // Both operands are exact, so the quotient is rounded once, like `Number`.
  const absolute = fraction > 0 ? value / 10 ** fraction : value;
  return isNegative ? -absolute : absolute;
}

const maxLabelLength = 12;
const isLabel = (cell: string): boolean => cell.length <= maxLabelLength && label.test(cell);

/** Whether a trimmed text is a number with a decimal point, or an integer. */
export const isDecimalNumber = (text: string): boolean => decimalNumber.test(text);

/** The kind of a trimmed cell. @param nulls texts that are null values */
export function cellKind(cell: string, nulls: ReadonlySet<string> = usualNulls): CellKind {
  if (cell === '') return 'empty';
  const first = cell.charCodeAt(0);
  const digitLike = (first >= 0x30 && first <= 0x39) || first === 0x2d || first === 0x2b || first === 0x2e;
  if (!digitLike) {
    if (nulls.has(cell)) return 'null_word';
    if (booleans.has(cell)) return 'boolean';
    return isLabel(cell) ? 'label' : 'text';
  }
  if (!Number.isNaN(plainNumber(cell))) return cell.includes('.') ? 'number' : 'integer';
  if (decimalNumber.test(cell)) {
    if (leadingZero.test(cell) && !/[.eE]/.test(cell)) return 'code';
    return integer.test(cell) ? 'integer' : 'number';
  }
  if (nulls.has(cell)) return 'null_word';
  if (isoTime.test(cell)) return 'time';
  // With the abbreviation of a zone, a format has to say that the file is of the United States.
  if (mayBeDate.test(cell) && !cell.endsWith('T') && timePatterns(cell).length > 0) return 'date';
  if (oneGroup.test(cell)) return 'comma_ambiguous';
  if (thousands.test(cell)) return 'thousands';
  if (pointThousands.test(cell)) return 'point_thousands';
  if (commaNumber.test(cell)) return 'comma_number';
  return isLabel(cell) ? 'label' : 'text';
}

/** Whether a number has one group of three digits after a point: 1.338 means 1,338 where commas are decimal. */
export const isPointGroup = (cell: string): boolean =>
  cell.charCodeAt(cell.length - 4) === 0x2e && cell.length <= 8 && pointGroup.test(cell);

/** A number that lost digits in a spreadsheet: 3.3101E+13. */
export const isExcelDamaged = (cell: string): boolean => /^\d(?:\.\d{1,5})?E\+(?:0[6-9]|[1-9]\d)$/.test(cell);

/** Rows at the start of a table whose cells show which of its columns have numbers or times. */
const studiedRows = 50;

/** Whether a text begins like a number or a time, from its first character. */
export function startsLikeNumber(cell: string): boolean {
  let code = cell.charCodeAt(0);
  for (let at = 1; code === 0x20; at++) code = cell.charCodeAt(at);
  return (code >= 0x30 && code <= 0x39) || code === 0x2d || code === 0x2b || code === 0x2e;
}

const isTypedKind = (kind: CellKind): boolean => isNumberKind(kind) || kind === 'time' || kind === 'date';

/** Whether a trimmed cell is a number or a time. */
export const isTyped = (cell: string): boolean => isTypedKind(cellKind(cell));

/** Counts of values in the columns of a table, until enough rows were studied. */
export class TypedColumns {
  readonly #typed: number[] = [];
  readonly #others: number[] = [];
  #rows = 0;
  /** Indexes of the columns with numbers or times only, those with most values first. */
  indexes: readonly number[] = [];

  get isStudied(): boolean {
    return this.#rows >= studiedRows;
  }

  /** Counts the values of a row. */
  study(cells: readonly string[]): void {
    this.#rows++;
    for (const [index, cell] of cells.entries()) {
      const kind = cellKind(cell.trim());
      if (kind === 'empty' || kind === 'null_word') continue;
      const counts = isTypedKind(kind) ? this.#typed : this.#others;
      counts[index] = (counts[index] ?? 0) + 1;
    }
    this.indexes = [...this.#typed.keys()]
      .filter((index) => (this.#typed[index] ?? 0) > 0 && (this.#others[index] ?? 0) === 0)
      .toSorted((a, b) => (this.#typed[b] ?? 0) - (this.#typed[a] ?? 0));
  }
}
