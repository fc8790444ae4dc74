/** The text of a unit that declares the form of a date, and perhaps of a time of day, such as `DD/MM/YYYY-HH:MM:SS`. */
export const timeUnitPattern =
  /^(?:[DMY]{1,4}[-/.]){2}[DMY]{1,4}(?:[ T_-]?H{1,2}[:.]?M{1,2}(?:[:.]?S{1,2}(?:[.,]S{1,6})?)?)?(?=[\s:]|$)/i;

/** A function that writes a text of a declared form as ISO 8601; a text of another form stays. */
type TimeReader = (text: string) => string;

const names: Readonly<Record<string, string>> = { y: 'year', d: 'day', h: 'hour', s: 'second' };

/**
 * The reader of the times that a unit declares.
 * @returns null if the unit doesn't declare a date with the digits of its parts
 */
export function timeReaderOf(unit: string | null): TimeReader | null {
  if (unit === null || timeUnitPattern.exec(unit)?.[0] !== unit || /MMM/i.test(unit)) return null;
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
    return `(?<${name}>\\d{${name === 'year' ? 4 : '1,2'}})`;
  });
  if (!['year', 'month', 'day'].every((name) => taken.has(name))) return null;
  const form = new RegExp(`^${source}$`);
  return (text) => {
    const { year, month = '', day = '', hour, minute = '00', second = '00' } = form.exec(text)?.groups ?? {};
    if (year === undefined) return text;
    const date = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
    const [whole = '', rest] = second.split('.');
    const clock = `${hour?.padStart(2, '0')}:${minute.padStart(2, '0')}:${whole.padStart(2, '0')}`;
    const iso = hour === undefined ? date : `${date}T${clock}${rest === undefined ? '' : `.${rest}`}`;
    return Number.isNaN(Date.parse(hour === undefined ? iso : `${iso}Z`)) ? text : iso;
  };
}
