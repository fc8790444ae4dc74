import { instantOf } from '../../shared/instants.ts';
import { rawNumber, type JsonValue } from '../../shared/json.ts';

/** What a value of the field that pages are cut by can be. Values are handled as the JSON text they came in. */
export type ValueKind = 'number' | 'string' | 'other';

export function kindOf(json: string): ValueKind {
  const code = json.charCodeAt(0);
  if (code === 34) return 'string';
  return code === 45 || (code >= 48 && code <= 57) ? 'number' : 'other';
}

/** The value for a request; a number goes back digit for digit as it came. */
export function valueOf(json: string): JsonValue {
  if (kindOf(json) !== 'number') return JSON.parse(json) as JsonValue;
  const number = Number(json);
  return String(number) === json ? number : rawNumber(json);
}

interface Decimal {
  readonly negative: boolean;
  readonly digits: bigint;
  readonly exponent: number;
}

function decimalOf(json: string): Decimal {
  const [, sign, whole = '', part = '', exponent = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(json) ?? [];
  return { negative: sign === '-', digits: BigInt(whole + part), exponent: Number(exponent) - part.length };
}

/** Whether two texts that are the same double can differ at all: only with more digits than a double holds. */
const isLong = (json: string): boolean => json.length > 15;

const order = <T>(a: T, b: T): number => (a < b ? -1 : a > b ? 1 : 0);

function compareExactly(a: Decimal, b: Decimal): number {
  const signed = ({ negative, digits }: Decimal): bigint => (negative ? -digits : digits);
  const shift = a.exponent - b.exponent;
  if (Math.abs(shift) > 2000) return 0;
  const raised = (value: bigint, by: number): bigint => (by > 0 ? value * 10n ** BigInt(by) : value);
  return order(raised(signed(a), shift), raised(signed(b), -shift));
}

/** Neighbouring records are compared with each other several times: the numbers looked at last are not read again. */
const read = { text: '0', number: 0, before: '0', numberBefore: 0 };

function numberIn(json: string): number {
  if (json === read.text) return read.number;
  if (json === read.before) return read.numberBefore;
  read.before = read.text;
  read.numberBefore = read.number;
  read.text = json;
  read.number = Number(json);
  return read.number;
}

/** Orders two JSON numbers by their exact values. */
export function compareNumbers(a: string, b: string): number {
  if (a === b) return 0;
  const byDouble = order(numberIn(a), numberIn(b));
  if (byDouble !== 0 || !(isLong(a) || isLong(b))) return byDouble;
  return compareExactly(decimalOf(a), decimalOf(b));
}

const dated = /^"\d{4}-\d\d-\d\d/;

/** Orders two JSON texts: dates as instants, because a service may write one date in several ways. */
function compareTexts(a: string, b: string): number {
  if (dated.test(a) && dated.test(b)) {
    const byInstant = order(instantOf(a.slice(1, -1)), instantOf(b.slice(1, -1)));
    if (byInstant !== 0) return byInstant;
  }
  return order(a, b);
}

/** Orders two values of one kind as a service does: below 0 when `a` comes first, 0 when they are the same value. */
export function compareValues(a: string, b: string): number {
  if (a === b) return 0;
  return kindOf(a) === 'number' && kindOf(b) === 'number' ? compareNumbers(a, b) : compareTexts(a, b);
}

/** Orders ids; a record without one keeps its place. */
export function compareIds(a: string | null, b: string | null): number {
  return a === null || b === null ? 0 : compareValues(a, b);
}
