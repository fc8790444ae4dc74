import { IANAZone } from 'luxon';

/**
 * The names of three letters that count. Others are old names of Java that people use otherwise: BST would be Dhaka, NST
 * Auckland, AST Anchorage, and CST would follow daylight saving time.
 */
const shortNames = new Set(['UTC', 'GMT', 'UCT', 'EST', 'MST', 'HST', 'CET', 'EET', 'MET', 'WET']);

/** Whether a text is the IANA name of a time zone, such as America/Chicago. */
export const isZoneName = (text: string): boolean =>
  IANAZone.isValidZone(text) && (!/^[a-z]{3}$/i.test(text) || shortNames.has(text.toUpperCase()));

/** Earlier times are wrong: no well has a recorder that old. In milliseconds. */
export const minPlausibleMs = Date.UTC(1950, 0, 1);
/** Clocks of rigs can be ahead of the service's by so much, in milliseconds; later times are wrong. */
export const clockToleranceMs = 3_600_000;

const maxLength = 40;

// "Z", "GMT", "UTC", or an offset after a time of day; the "-10" of a date isn't one.
const withZone = /(?:Z|GMT|UTC|:\d\d(?:\.\d+)? ?[+-]\d\d:?\d\d)$/i;

/**
 * Unix milliseconds of a date, or date and time, as text. Without a zone it is UTC: in the computer's zone,
 * times would repeat or go backward when daylight saving time changes.
 * @returns NaN if the text isn't a date
 */
export function instantOf(text: string): number {
  const trimmed = text.trim();
  if (trimmed.length > maxLength) return Number.NaN;
  const ms = withZone.test(trimmed) ? Date.parse(trimmed) : Date.parse(`${trimmed}Z`);
  if (!Number.isNaN(ms)) return ms;
  const utc = utcText(trimmed);
  return Date.parse(utc ?? `${trimmed} UTC`);
}

const isoWithZone =
  /^(\d{4}-\d\d-\d\d)[Tt ](\d\d:\d\d)(?::(\d\d)(?:[.,](\d+))?)?\s?(?:[Zz]|([+-]\d\d)(?::?(\d\d))?)$/;
/** Of the shortest such text, `2026-01-31T06:00Z`. */
const minIsoLength = 17;

/**
 * The same text for all ISO 8601 notations of an instant: `2026-01-31T00:00:00.50-06:00` is `2026-01-31T06:00:00.5Z`.
 * All digits of the second count.
 * @returns null if the text isn't a time with a zone; without one it may be a local time
 */
export function utcText(text: string): string | null {
  if (text.length < minIsoLength || text.length > maxLength) return null;
  const [, date, time, second = '00', fraction = '', hours = '+00', minutes = '00'] =
    isoWithZone.exec(text) ?? [];
  if (date === undefined) return null;
  // Date.parse takes February 30 for March 1.
  const day = Date.parse(`${date}T00:00:00Z`);
  if (Number.isNaN(day) || !new Date(day).toISOString().startsWith(date)) return null;
  const ms = Date.parse(`${date}T${time}:${second}${hours}:${minutes}`);
  if (Number.isNaN(ms)) return null;
  const digits = fraction.replace(/0+$/, '');
  return new Date(ms).toISOString().replace('.000Z', digits === '' ? 'Z' : `.${digits}Z`);
}

const msLength = '2026-01-31T06:00:00.123Z'.length;

/** As {@link utcText}, in milliseconds: services store no more of a time. */
export function msText(text: string): string | null {
  const utc = utcText(text);
  return utc === null || utc.length <= msLength
    ? utc
    : `${utc.slice(0, msLength - 1).replace(/\.?0+$/, '')}Z`;
}

/** Whether two texts are equal, or notations of the same instant. */
export const isSameText = (a: string, b: string): boolean => {
  if (a === b) return true;
  const instant = utcText(a);
  return instant !== null && instant === utcText(b);
};

/**
 * The notations in which services return an instant that they received as this text: as it is, and in UTC with the
 * digits of JavaScript, Go, and Python. Only the text itself if it isn't a time with a zone.
 */
export function instantNotations(text: string): string[] {
  const utc = utcText(text);
  if (utc === null) return [text];
  const [seconds = '', digits = ''] = utc.slice(0, -1).split('.');
  const fractions = [0, 3, 6]
    .filter((length) => length >= digits.length)
    .map((length) => (length === 0 ? '' : `.${digits.padEnd(length, '0')}`));
  const shortest = digits === '' ? '' : `.${digits}`;
  const texts = [shortest, ...fractions].flatMap((part) => [`${seconds}${part}Z`, `${seconds}${part}+00:00`]);
  return [...new Set([text, ...texts])];
}
