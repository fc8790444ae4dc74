import { converter as unitsConverter, unitNamed } from '../../../shared/channels/units.ts';
import { utcText } from '../../../shared/instants.ts';
import { parseJson, stringifyJson } from '../../../shared/json.ts';
import { isNullOfFiles, nullWords, numericNulls } from '../../../shared/upload/null-tokens.ts';
import type { NumberStyle, Conversion } from './plan.ts';
import { isExcelDamaged } from '../records/decimal.ts';
import type { ProblemCode } from '../../../shared/upload/warnings.ts';
import { assetKey } from './asset-key.ts';
import { timeReader } from './times.ts';
import type { RecordRow } from './record-row.ts';
import { repeatedReader } from './repeated-reading.ts';

/** Why a cell could not be converted. */
export class Unfit {
  readonly code: ProblemCode;
  constructor(code: ProblemCode) {
    this.code = code;
  }
}

type NumberConversion = Extract<Conversion, { kind: 'number' | 'integer' }>;

/** What a conversion needs of its row, and notes that it adds to the value. */
export interface Notes {
  /** Null: the cell is of no row of the file. */
  row: RecordRow | null;
  /** Which of two times a local time has that occurs twice; null: it occurs once. */
  repeated: 'first' | 'second' | null;
  /** Number of local times that occur twice without a decision about them; the first is used. */
  twice: number;
}

/** Notes for a cell. @param row its row; absent: it is of no row of the file */
export const notesFor = (row: RecordRow | null = null): Notes => ({ row, repeated: null, twice: 0 });

/** Converts a nonblank cell to JSON text; null: the cell is a null value. */
export type Convert = (cell: string, notes: Notes) => string | null | Unfit;

const jsonNumber = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
const loose = /^([+-]?)0*(?!0)(\d*)(?:\.(\d*))?([eE][+-]?\d+)?$/;

/** A number's text as JSON text, digit for digit; null if it isn't a finite number. */
export function numberText(cell: string, { decimal, thousands }: NumberStyle): string | null {
  let text = cell;
  if (decimal === ',') {
    // 1.234 is 1,234 in some countries and a decimal number in others; -999.25 is a null value in all of them.
    if (text.includes('.') && !isNullOfFiles(Number(text))) {
      if (!thousands || !/^[+-]?[1-9]\d{0,2}(?:\.\d{3})+(?:,\d*)?$/.test(text)) return null;
      text = text.replaceAll('.', '');
    }
    text = text.replace(',', '.');
  } else if (thousands && text.includes(',')) {
    if (!/^[+-]?[1-9]\d{0,2}(?:,\d{3})+(?:\.\d*)?$/.test(text)) return null;
    text = text.replaceAll(',', '');
  }
  if (!jsonNumber.test(text)) {
    const match = loose.exec(text);
    const [, sign = '', whole = '', fraction = '', exponent = ''] = match ?? [];
    // The pattern also matches a lone sign or point; a number has digits before its exponent.
    if (!match || !/^[+-]?\.?\d/.test(text)) return null;
    text = `${sign === '-' ? '-' : ''}${whole || '0'}${fraction ? `.${fraction}` : ''}${exponent}`;
  }
  const finite = (text.length < 300 && !/e/i.test(text)) || Number.isFinite(Number(text));
  return finite ? text : null;
}

/** An integer as JSON text; `5.0` and `5e3` are integers too. */
function integerText(cell: string, style: NumberStyle): string | null {
  const text = numberText(cell, style);
  if (text === null || /^-?\d+$/.test(text)) return text;
  const value = Number(text);
  return Number.isSafeInteger(value) ? String(value) : null;
}

const truths: ReadonlyMap<string, string> = new Map([
  ...['true', 't', 'yes', 'y', '1'].map((word) => [word, 'true'] as const),
  ...['false', 'f', 'no', 'n', '0'].map((word) => [word, 'false'] as const),
]);

function stringText(cell: string, json: boolean, trim: boolean): string {
  if (json) {
    const text = cell.trim();
    const first = text[0];
    if (first === '[' || first === '{') {
      try {
        return stringifyJson(parseJson(text));
      } catch {
        // Text that is not valid JSON stays text.
      }
    }
  }
  return JSON.stringify(trim ? cell.trim() : cell);
}

/** The notation of times on the Internet (RFC 3339). */
const internetTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/;

function texts({ json, trim, digits, isTime }: Extract<Conversion, { kind: 'string' }>): Convert {
  if (isTime)
    return (cell) => {
      const text = cell.trim();
      return JSON.stringify(internetTime.test(text) ? text : (utcText(text) ?? text));
    };
  if (digits === undefined) return (cell) => stringText(cell, json, trim);
  return (cell) => {
    const text = cell.trim();
    if (isExcelDamaged(text)) return new Unfit('excel_damage');
    return stringText(/^\d+$/.test(text) ? text.padStart(digits, '0') : cell, json, trim);
  };
}

/** Converts numbers from one unit to another; null: they stay as they are. */
function unitConverter({ units }: NumberConversion): ((value: number) => number) | null {
  const [from, to] = units ? [unitNamed(units.from), unitNamed(units.to)] : [];
  return (from && to && unitsConverter(from, to)) ?? null;
}

function numbers(conversion: NumberConversion, nulls: ReadonlySet<number>): Convert {
  const { style } = conversion;
  const whole = conversion.kind === 'integer';
  const read = whole ? integerText : numberText;
  const change = unitConverter(conversion);
  return (cell) => {
    const text = cell.trim();
    const number = read(text, style);
    if (number === null) return new Unfit(whole ? 'not_an_integer' : 'not_a_number');
    if (nulls.size > 0 && nulls.has(Number(number))) return null;
    // A number whose digits a spreadsheet dropped can't become an id.
    if (whole && isExcelDamaged(text)) return new Unfit('excel_damage');
    if (!change) return number;
    const value = change(Number(number));
    return Number.isFinite(value) ? String(value) : new Unfit('too_large_number');
  };
}

function times({ format, zone, as, repeated }: Extract<Conversion, { kind: 'time' }>): Convert {
  const read = timeReader(format, zone);
  const readRepeated = repeated && repeatedReader(repeated);
  return (cell, notes) => {
    const text = cell.trim();
    const time = read(text);
    if (time === 'gap') return new Unfit('time_in_gap');
    if (time === 'unreadable') return new Unfit(isExcelDamaged(text) ? 'excel_damage' : 'not_a_time');
    let { ms } = time;
    if (time.laterMs !== null) {
      notes.repeated = readRepeated?.(notes.row) ?? 'first';
      if (!repeated) notes.twice++;
      if (notes.repeated === 'second') ms = time.laterMs;
    }
    return as === 'ms' ? String(ms) : JSON.stringify(new Date(ms).toISOString());
  };
}

function assets({ by, ids }: Extract<Conversion, { kind: 'asset' }>): Convert {
  return (cell) => {
    const key = assetKey(by, cell);
    const id = Object.hasOwn(ids, key) ? ids[key] : undefined;
    if (id !== undefined) return String(id);
    return new Unfit(isExcelDamaged(cell.trim()) ? 'excel_damage' : 'asset_unknown');
  };
}

/**
 * The cells of joined columns as one text, separated by blanks, without null values.
 * @param nulls texts that are null values
 */
export const joinCells = (cells: readonly string[], nulls: ReadonlySet<string>): string =>
  cells
    .map((cell) => cell.trim())
    .filter((cell) => cell !== '' && !nulls.has(cell) && !usualNulls.has(cell))
    .join(' ');

/**
 * Converts cells to JSON text by a rule. Numbers keep their digits as in the file.
 * @param nulls texts that are null values; numbers are also compared by value, so that -999.25 matches -999.2500
 */
export function converter(conversion: Conversion, nulls: readonly string[]): Convert {
  const tokens: ReadonlySet<string> = new Set(nulls);
  const numeric = numericNulls(nulls);
  const convert = plainConverter(conversion, numeric);
  return (cell, notes) => {
    const text = cell.trim();
    if (tokens.has(cell) || tokens.has(text)) return null;
    if (numeric.size > 0 && plainDecimal.test(text) && numeric.has(Number(text.replace(',', '.'))))
      return null;
    return convert(cell, notes);
  };
}

const usualNulls: ReadonlySet<string> = new Set(nullWords);
const plainDecimal = /^-?\d+(?:[.,]\d+)?$/;

function plainConverter(conversion: Conversion, nulls: ReadonlySet<number>): Convert {
  switch (conversion.kind) {
    case 'number':
    case 'integer':
      return numbers(conversion, nulls);
    case 'string':
      return texts(conversion);
    case 'boolean':
      return (cell) => truths.get(cell.trim().toLowerCase()) ?? new Unfit('not_a_boolean');
    case 'time':
      return times(conversion);
    case 'asset':
    default:
      return assets(conversion);
  }
}
