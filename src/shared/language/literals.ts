import type { DatasetField } from '../datasets/fields.ts';
import type { Reader, Span, Where } from './reader.ts';

/** An integer: a number where that is exact, else bigint. */
function exactInteger(value: bigint): number | bigint {
  const asNumber = Number(value);
  return Number.isSafeInteger(asNumber) ? asNumber : value;
}

/** A number literal as it was typed, exact when it is an integer: 12, 0x1F, 1_000, 9007199254740993.0, 5n. */
export function numberOf(raw: string): number | bigint {
  const plain = raw.replaceAll('_', '');
  const digits = /^(\d+)\.0*$/.exec(plain)?.[1] ?? plain.replace(/n$/, '');
  return /^(?:\d+|0[xob][\da-f]+)$/i.test(digits) ? exactInteger(BigInt(digits)) : Number(digits);
}

/** Maximum length of a number, in characters: the time to read an exact integer grows with the square of its length. */
const maxNumberLength = 2000;

const literal =
  /^([+-]?)\s*((?:0|[1-9](?:_?\d)*)n|0(?:x[\da-f](?:_?[\da-f])*|o[0-7](?:_?[0-7])*|b[01](?:_?[01])*)n?|(?:(?:0|[1-9](?:_?\d)*)(?:\.(?:\d(?:_?\d)*)?)?|\.\d(?:_?\d)*)(?:e[+-]?\d(?:_?\d)*)?)$/i;

/** The number of a signed literal; undefined if it isn't one, infinite if too large. */
export function numberFrom(source: string): number | bigint | undefined {
  const [, sign, digits = ''] = literal.exec(source) ?? [];
  if (sign === undefined) return undefined;
  if (digits.length > maxNumberLength) return Infinity;
  const amount = numberOf(digits);
  return sign === '-' ? -amount : amount;
}

const integerText = /^[+-]?\d+$/;
const decimalText = /^[+-]?(?:\d+(\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i;

/** The integer of a text, from `min` to `max`; undefined otherwise. */
export function integerFrom(text: string, min: bigint, max: bigint): number | bigint | undefined {
  if (text.length > 25 || !integerText.test(text)) return undefined;
  const value = BigInt(text.replace('+', ''));
  return value < min || value > max ? undefined : exactInteger(value);
}

/** The significant digits of a number of up to {@link maxNumberLength} characters. */
const digitsOf = (text: string): string =>
  text
    .replace(/e.*/i, '')
    .replaceAll(/[+\-.]/g, '')
    .replace(/^0+/, '')
    .replace(/(?<!0)0+$/, '');

/** The decimal of a text; undefined if it isn't one, or if a double can't represent its digits. */
export function decimalFrom(text: string): number | bigint | undefined {
  if (text.length > maxNumberLength) return undefined;
  if (integerText.test(text)) return exactInteger(BigInt(text.replace('+', '')));
  if (!decimalText.test(text)) return undefined;
  const value = Number(text);
  const expectedDigits = digitsOf(text);
  if (!Number.isFinite(value) || expectedDigits.length > 17) return undefined;
  const doubleDigits = value === 0 ? '' : digitsOf(value.toPrecision(Math.max(expectedDigits.length, 1)));
  return doubleDigits === expectedDigits ? value : undefined;
}

const escapes: Readonly<Record<string, string>> = {
  n: '\n',
  t: '\t',
  r: '\r',
  b: '\b',
  f: '\f',
  v: '\v',
  0: '\0',
};
const escape = /\\(?:u\{([\da-f]+)\}|u([\da-f]{4})|x([\da-f]{2})|(\r\n|[\s\S]))/gi;

function isClosed(source: string): boolean {
  let at = source.length - 2;
  while (source[at] === '\\') at--;
  return source.length > 1 && source.endsWith(source.charAt(0)) && (source.length - at) % 2 === 0;
}

/** The value of a quoted text, whose closing quote may be missing. */
export function unquote(source: string): string {
  const inside = source.slice(1, isClosed(source) ? -1 : undefined);
  const lines = source.startsWith('`') ? inside.replaceAll(/\r\n?/g, '\n') : inside;
  if (!lines.includes('\\')) return lines;
  return lines.replace(escape, (_all, wide?: string, four?: string, two?: string, other = '') => {
    const code = wide ?? four ?? two;
    if (code !== undefined) return String.fromCodePoint(Math.min(parseInt(code, 16), 0x10ffff));
    return escapes[other] ?? (/^[\r\n\u2028\u2029]/.test(other) ? '' : other);
  });
}

const broken = /^\\(?:[1-9]|0\d|x(?![\da-f]{2})|u(?![\da-f]{4}|\{0*(?:10|[\da-f])?[\da-f]{1,4}\}))/i;
const knownEscape = /^\\["'`\\/bfnrtv0ux\r\n\u2028\u2029]/;

/**
 * Refuses a text that is not closed, a template that puts values into its text, and escapes without a meaning: their
 * backslash would silently vanish, and the `\d+` of a pattern become `d+`.
 */
export function checkText(span: Span, reader: Reader): void {
  const source = reader.text.slice(span.start, span.end);
  const isTemplate = source.startsWith('`');
  if (!isClosed(source)) {
    reader.refuse(span, `This text isn’t closed. Add ${source.charAt(0)} at its end.`);
  } else if (isTemplate && /\$\{/.test(source.replaceAll(/\\[\s\S]/g, ''))) {
    reader.refuse(
      span,
      '${…} isn’t evaluated. Enter the whole text, or use a parameter such as {{ask:name}}.',
    );
  } else if (source.includes('\\')) {
    for (const { 0: piece, index } of source.matchAll(/\\(?:\r\n|[\s\S])/g)) {
      const start = span.start + index;
      const at = { start, end: start + piece.length };
      if (broken.test(source.slice(index, index + 20)))
        reader.refuse(at, 'This escape can’t be read. Write \\\\ for a backslash.');
      else if (!knownEscape.test(piece) && !(isTemplate && /[${]/.test(piece)))
        reader.refuse(
          at,
          `${piece} isn’t a valid escape, and its backslash would be lost. Write \\${piece} for a backslash.`,
        );
    }
  }
}

const isoText =
  /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?(?:Z|([+-])(\d{2}):?(\d{2})?)?)?$/i;

const at = (groups: (string | undefined)[], index: number): number => Number(groups[index] ?? 0);

/**
 * Unix milliseconds of an ISO 8601 date, or date and time; without an offset, UTC. Undefined for other text,
 * an invalid day or hour, or a precision below a millisecond.
 */
export function millisecondsOf(text: string): number | undefined {
  const groups: (string | undefined)[] | null = isoText.exec(text.trim());
  if (!groups) return undefined;
  const fraction = groups[7] ?? '';
  if (/[1-9]/.test(fraction.slice(3))) return undefined;
  const [year, month, day] = [at(groups, 1), at(groups, 2), at(groups, 3)];
  const [hour, minute, second] = [at(groups, 4), at(groups, 5), at(groups, 6)];
  const [offsetHours, offsetMinutes] = [at(groups, 9), at(groups, 10)];
  if (hour > 23 || minute > 59 || second > 59 || offsetHours > 18 || offsetMinutes > 59) return undefined;
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  if (date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) return undefined;
  date.setUTCHours(hour, minute, second, Number(fraction.slice(0, 3).padEnd(3, '0')));
  const offset = (offsetHours * 60 + offsetMinutes) * 60_000 * (groups[8] === '-' ? -1 : 1);
  return date.getTime() - offset;
}

/**
 * Whether a field has ISO text instead of Unix milliseconds: `datetime`, at any depth (specification, section
 * 2.1).
 */
export function holdsIsoText(field: string | null): boolean {
  return field !== null && (field === 'datetime' || field.endsWith('.datetime'));
}

/** A date in the form of its place: Unix milliseconds, or ISO 8601 text for a field `datetime`. */
export function dateAt(ms: number, where: Where): number | string {
  return holdsIsoText(where.field) ? new Date(ms).toISOString() : ms;
}

/**
 * An ISO 8601 date or time. Captures the separator, and the Z or the sign of the offset, whose hours change with
 * daylight saving time.
 */
const isoForm =
  /^\d{4}-\d{2}-\d{2}(?:([T ])\d{2}:\d{2}(?::\d{2}(?:[.,]\d+)?)?(?:(Z)|([+-])\d{2}(?::?\d{2})?)?)?$/i;

/** A date in the form that a field has, or in the usual one. */
export function exampleDate(field: DatasetField | undefined): string {
  const texts = [field?.example?.slice(1, -1) ?? '', ...(field?.values ?? [])];
  // Among other texts, the form isn't known; no time is converted to that of a day.
  const usual = field?.types.includes('string') ? '2026-01-31' : '2026-01-31T06:00:00.000Z';
  return texts.find((text) => isoForm.test(text)) ?? usual;
}

/** Whether a text sorts among times in the form of a sample: such a time, a year, month, or day, or an empty text. */
export function isTimeLike(sample: string, text: string): boolean {
  if (/^(?:\d{4}(?:-\d{2}){0,2})?$/.test(text)) return true;
  const form = isoForm.exec(text)?.slice(1);
  return form !== undefined && String(form) === String(isoForm.exec(sample)?.slice(1));
}

/** A time in the notation of a sample, more precise only if it must be; null: the sample isn't in UTC. */
export function timeLike(sample: string, ms: number): string | null {
  const zone = /(?:Z|[+-]00(?::?00)?)$/i.exec(sample);
  if (!zone) return null;
  const iso = new Date(ms).toISOString().replace('T', sample.charAt(10)).replace('Z', '000000');
  const text = sample.includes(',') ? iso.replace('.', ',') : iso;
  const isExact = /^[.,:0]*$/.test(text.slice(zone.index));
  return text.slice(0, isExact ? zone.index : 23) + zone[0];
}
