/** The kind of value that a number format shows. */
export type NumberKind = 'number' | 'percent' | 'date' | 'date_time' | 'time' | 'duration';

const builtin = new Map<number, NumberKind>([
  ...[14, 15, 16, 17, 27, 28, 29, 30, 31, 36, 50, 51, 52, 53, 54, 57, 58].map((id) => [id, 'date'] as const),
  ...[18, 19, 20, 21, 32, 33, 34, 35, 45, 47, 55, 56].map((id) => [id, 'time'] as const),
  [9, 'percent'],
  [10, 'percent'],
  [22, 'date_time'],
  [46, 'duration'],
]);

/** The kind of a built-in format by its number. */
export const builtinKind = (id: number): NumberKind => builtin.get(id) ?? 'number';

/** The kind of a format such as `yyyy\-mm\-dd hh:mm`, judged by its first section without quoted text. */
export function formatKind(code: string): NumberKind {
  const section = code.replaceAll(/"[^"]*"|\\.|_.|\*./g, '').split(';')[0] ?? '';
  if (/\[(?:h+|m+|s+)\]/i.test(section)) return 'duration';
  if (section.includes('%')) return 'percent';
  const letters = section
    .replaceAll(/\[[^[\]]*\]/g, '')
    .replaceAll(/general/gi, '')
    .toLowerCase();
  const hasDay = /[yd]/.test(letters);
  const hasClock = /[hs]/.test(letters);
  if (hasDay) return hasClock ? 'date_time' : 'date';
  if (hasClock) return 'time';
  // A month alone: an m without hours or seconds, not next to digits.
  return /m/.test(letters) && !/[0#?]/.test(letters) ? 'date' : 'number';
}

const dayMs = 86_400_000;
/** Days from 1970-01-01 back to day 0 of each system; 1900 includes a nonexistent February 29 as day 60. */
const epochDays = { 1900: 25_569, 1904: 24_107 } as const;
/** 9999-12-31. */
const maxSerial = 2_958_465;

const pad = (value: number): string => String(value).padStart(2, '0');

/** A time of day from milliseconds, with a fraction only if it isn't 0. */
function clock(ms: number): string {
  const seconds = Math.floor(ms / 1000);
  const rest = ms % 1000;
  const fraction = rest === 0 ? '' : `.${String(rest).padStart(3, '0')}`;
  return `${pad(Math.floor(seconds / 3600))}:${pad(Math.floor(seconds / 60) % 60)}:${pad(seconds % 60)}${fraction}`;
}

/**
 * A serial number as ISO 8601 text: a date, a date and time, a time of day, or a duration in hours.
 * @returns null for a number that isn't a valid date, which stays a number
 */
export function serialText(serial: number, kind: NumberKind, system: 1900 | 1904): string | null {
  if (kind === 'number' || kind === 'percent' || !Number.isFinite(serial)) return null;
  if (kind === 'duration') return `${serial < 0 ? '-' : ''}${clock(Math.round(Math.abs(serial) * dayMs))}`;
  if (serial < 0 || serial > maxSerial) return null;
  const ms = Math.round(serial * dayMs);
  if (ms < dayMs && (kind === 'time' || (system === 1900 && kind === 'date_time'))) return clock(ms);
  const days = Math.floor(ms / dayMs);
  if (system === 1900 && days === 60) return null;
  const shift = system === 1900 && days < 60 ? 1 : 0;
  const date = new Date((days + shift - epochDays[system]) * dayMs).toISOString().slice(0, 10);
  const timeMs = ms % dayMs;
  return timeMs === 0 ? date : `${date}T${clock(timeMs)}`;
}

/** A number as Excel shows it: 36.6 where the file has 36.600000000000001, all digits of a long integer. */
export function numberText(text: string): string {
  if (text.length <= 15 && /^-?\d+(?:\.\d+)?$/.test(text)) return text;
  if (/^-?\d+$/.test(text)) return text;
  const value = Number(text);
  return Number.isFinite(value) && text.trim() !== '' ? String(value) : text;
}
