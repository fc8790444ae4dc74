import { instantOf, utcText } from '../../../shared/instants.ts';
import { isObject, parseJson, rawNumber, type JsonValue } from '../../../shared/json.ts';
import { isNumberStart } from './json-text.ts';

/** The kinds of key values. Values are handled as JSON text. */
export type ValueKind = 'number' | 'string' | 'other';

/** The kind of a value. @param json its text */
export function kindOf(json: string): ValueKind {
  const code = json.charCodeAt(0);
  if (code === 34) return 'string';
  return isNumberStart(code) ? 'number' : 'other';
}

/** The value for a request; numbers keep their digits. @throws SyntaxError if it isn’t JSON */
export function valueOf(json: string): JsonValue {
  if (kindOf(json) !== 'number') return parseJson(json);
  const number = Number(json);
  return String(number) === json ? number : rawNumber(json);
}

interface Decimal {
  readonly isNegative: boolean;
  readonly digits: bigint;
  readonly exponent: number;
}

function decimalOf(json: string): Decimal {
  const [, sign, whole = '', part = '', exponent = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(json) ?? [];
  return { isNegative: sign === '-', digits: BigInt(whole + part), exponent: Number(exponent) - part.length };
}

/** Two texts of the same double can differ only with more digits than a double has. */
const isLong = (json: string): boolean => json.length > 15;

const order = <T>(a: T, b: T): number => (a < b ? -1 : a > b ? 1 : 0);

function compareDecimals(a: Decimal, b: Decimal): number {
  const signedDigits = ({ isNegative, digits }: Decimal): bigint => (isNegative ? -digits : digits);
  const shift = a.exponent - b.exponent;
  if (Math.abs(shift) > 2000) return 0;
  const raise = (value: bigint, by: number): bigint => (by > 0 ? value * 10n ** BigInt(by) : value);
  return order(raise(signedDigits(a), shift), raise(signedDigits(b), -shift));
}

/** Compares two JSON numbers exactly. */
export function compareNumbers(a: string, b: string): number {
  if (a === b) return 0;
  const byDouble = order(Number(a), Number(b));
  if (byDouble !== 0 || !(isLong(a) || isLong(b))) return byDouble;
  return compareDecimals(decimalOf(a), decimalOf(b));
}

const startsWithDate = /^"\d{4}-\d\d-\d\d/;

/** Compares two JSON strings: dates as instants, because a service may format a date in several ways. */
function compareTexts(a: string, b: string): number {
  if (startsWithDate.test(a) && startsWithDate.test(b)) {
    const byInstant = order(instantOf(a.slice(1, -1)), instantOf(b.slice(1, -1)));
    if (byInstant !== 0) return byInstant;
  }
  return order(a, b);
}

/** Compares two values of one kind in the order of the services: negative if `a` comes first, 0 if they are equal. */
export function compareValues(a: string, b: string): number {
  if (a === b) return 0;
  return kindOf(a) === 'number' && kindOf(b) === 'number' ? compareNumbers(a, b) : compareTexts(a, b);
}

/** Compares ids; a record without one keeps its place. */
export function compareIds(a: string | null, b: string | null): number {
  return a === null || b === null ? 0 : compareValues(a, b);
}

const numberText = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
/** A longer text is no number. */
const maxNumberText = 400;

/** Whether a text is written like a number that a double has. */
export function isNumberText(text: string): boolean {
  if (text.length > maxNumberText || !numberText.test(text)) return false;
  const value = Number(text);
  return Number.isFinite(value) && (!isLong(text) || !/^-?\d+$/.test(text) || BigInt(value) === BigInt(text));
}

/** A double if it has all digits: services send long integers in the notation of doubles. */
const textOfNumber = (value: number | bigint): string => {
  const double = Number(value);
  if (typeof value === 'bigint' && (!Number.isFinite(double) || BigInt(double) !== value))
    return String(value);
  return String(double === 0 ? 0 : double);
};

/** How values are compared: how exact times are, and which numbers are null values. */
export interface Likeness {
  readonly instant?: typeof utcText;
  readonly nulls?: ReadonlySet<number> | undefined;
  /** The text of no value; absent: that of fingerprints. */
  readonly nullText?: string;
}

/** The same text for the same value: keys sorted, numbers by value, times by their instant, nulls omitted. */
export function canonicalText(value: JsonValue | undefined, likeness: Likeness): string {
  const { instant = utcText, nulls, nullText = '~' } = likeness;
  if (value === undefined || value === null) return nullText;
  if (typeof value === 'bigint' || typeof value === 'number')
    return nulls?.has(Number(value)) === true ? nullText : textOfNumber(value);
  if (typeof value === 'string') return JSON.stringify(instant(value) ?? value);
  if (Array.isArray(value)) return `[${value.map((item) => canonicalText(item, likeness)).join(',')}]`;
  if (!isObject(value)) return JSON.stringify(value);
  const parts = Object.keys(value)
    .sort()
    .map((key) => [key, canonicalText(value[key], likeness)] as const)
    .filter(([, text]) => text !== nullText)
    .map(([key, text]) => `${JSON.stringify(key)}:${text}`);
  return `{${parts.join(',')}}`;
}
