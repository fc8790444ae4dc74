import { fullYear } from '../../reading/time-patterns.ts';

/**
 * The text of a unit that declares the form of a date, and perhaps of a time of day, such as `DD/MM/YYYY-HH:MM:SS` and
 * `DDMMYY`, or of a time of day alone.
 */
export const timeUnitPattern =
  /^(?:(?:(?:[DMY]{1,4}[-/.]){2}[DMY]{1,4}|(?:DD|MM|YY(?:YY)?){3})(?:[ T_-]?H{1,2}[:.]?M{1,2}(?:[:.]?S{1,2}(?:[.,]S{1,6})?)?)?|HH[:.]?MM(?:[:.]?SS)?)(?=[\s:]|$)/i;

/** How the texts of a declared form are written. */
interface TimeReader {
  /** Whether the form has a date. */
  readonly hasDate: boolean;
  /** Writes a text as ISO 8601; a text of another form stays. */
  readonly read: (text: string) => string;
}

const names: Readonly<Record<string, string>> = { y: 'year', d: 'day', h: 'hour', s: 'second' };

/**
 * The reader of the times that a unit declares.
 * @returns null if the unit doesn't declare a date or a time of day with the digits of its parts
 */
export function timeReaderOf(unit: string | null): TimeReader | null {
  if (unit === null || timeUnitPattern.exec(unit)?.[0] !== unit || /MMM/i.test(unit)) return null;
  // Programs that write a form without separators as a number drop the zeros before it.
  const compactDigits = /^[a-z]+$/i.test(unit) ? unit.length : 0;
  let hasHour = false;
  const taken = new Set<string>();
  // Seconds may have decimals whatever the unit says.
  const source = unit.replace(/[.,]S+$/i, '').replaceAll(/([a-z])\1*|[^a-z]/gi, (part) => {
    const letter = part.charAt(0).toLowerCase();
    if (letter === 't') return '[T ]';
    if (!/[dmyhs]/.test(letter)) return /[ T_-]/.test(part) ? '[ T_-]+' : String.raw`[-/.:,]`;
    const name = letter === 'm' ? (hasHour ? 'minute' : 'month') : (names[letter] ?? '');
    hasHour ||= letter === 'h';
    if (taken.has(name)) return '(?!)';
    taken.add(name);
    if (name === 'second') return String.raw`(?<second>\d{1,2}(?:\.\d+)?)`;
    const digits =
      compactDigits > 0 ? part.length : name === 'year' ? (part.length > 2 ? 4 : '2}|\\d{4') : '1,2';
    return `(?<${name}>\\d{${digits}})`;
  });
  const hasDate = ['year', 'month', 'day'].every((name) => taken.has(name));
  if (!hasDate && (taken.has('year') || taken.has('month') || taken.has('day'))) return null;
  const form = new RegExp(`^${source}$`);
  const read = (text: string): string => {
    const parts = form.exec(
      compactDigits > 0 && /^\d+$/.test(text) ? text.padStart(compactDigits, '0') : text,
    );
    const { year = '', month = '', day = '', hour, minute = '00', second = '00' } = parts?.groups ?? {};
    if (!parts) return text;
    const date = hasDate ? `${fullYear(year)}-${month.padStart(2, '0')}-${day.padStart(2, '0')}` : '';
    const [whole = '', rest] = second.split('.');
    const clock = `${hour?.padStart(2, '0')}:${minute.padStart(2, '0')}:${whole.padStart(2, '0')}`;
    const time = `${clock}${rest === undefined ? '' : `.${rest}`}`;
    const iso = hour === undefined ? date : `${hasDate ? date : '2000-01-01'}T${time}`;
    if (Number.isNaN(Date.parse(hour === undefined ? iso : `${iso}Z`))) return text;
    return hasDate ? iso : time;
  };
  return { hasDate, read };
}
