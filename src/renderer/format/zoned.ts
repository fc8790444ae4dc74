import { formatStyle } from './numbers.ts';

const pad = (value: number, digits = 2) => String(value).padStart(digits, '0');

const quarter = 900_000;
const day = 86_400_000;
/** Of a date of JavaScript. */
const maxMs = 8.64e15;

interface Offsets {
  readonly format: Intl.DateTimeFormat;
  /** By quarter hour; null: it changes within it, as in Newfoundland until 2011, a minute after midnight. */
  readonly offsets: Map<number, number | null>;
}
const zones = new Map<string, Offsets>();

function offsetsOf(zone: string): Offsets {
  const cached = zones.get(zone);
  if (cached) return cached;
  const format = new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'longOffset' });
  const made = { format, offsets: new Map<number, number | null>() };
  zones.set(zone, made);
  return made;
}

/** The offset of a zone (an IANA name) ahead of UTC at a time, in milliseconds. */
export function offsetAt(ms: number, zone: string): number {
  if (zone === 'UTC') return 0;
  const { format, offsets } = offsetsOf(zone);
  const at = Math.floor(ms / quarter);
  let offset = offsets.get(at);
  if (offset === undefined) {
    offset = readOffset(format, at * quarter);
    if (offset !== readOffset(format, Math.min((at + 1) * quarter - 1, maxMs))) offset = null;
    offsets.set(at, offset);
  }
  return offset ?? readOffset(format, ms);
}

function readOffset(format: Intl.DateTimeFormat, ms: number): number {
  const zoneName = format.formatToParts(ms).find(({ type }) => type === 'timeZoneName')?.value ?? '';
  const [, sign, hours = '0', minutes = '0', seconds = '0'] =
    /^GMT([+-])(\d\d):(\d\d)(?::(\d\d))?$/.exec(zoneName) ?? [];
  const size = (Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)) * 1000;
  return sign === '-' ? -size : size;
}

/** An offset from UTC as `+01:00`. */
export function offsetText(offset: number): string {
  const minutes = Math.abs(Math.round(offset / 60_000));
  return `${offset < 0 ? '−' : '+'}${pad(Math.floor(minutes / 60))}:${pad(minutes % 60)}`;
}

/** Whether the local time in the zone occurs twice, as when summer time ends. */
export function isAmbiguous(ms: number, zone: string): boolean {
  const offset = offsetAt(ms, zone);
  return [offsetAt(ms - day / 4, zone), offsetAt(ms + day / 4, zone)].some(
    (other) => other !== offset && offsetAt(ms + offset - other, zone) === other,
  );
}

/**
 * A time, from Unix milliseconds, as a local time in a zone (an IANA name): `2026-11-21 06:58:01`, with milliseconds if
 * they aren't 0, and with the offset if the local time occurs twice. A number beyond the range of dates is returned as
 * text.
 */
export function formatZoned(ms: number, zone: string): string {
  if (Number.isNaN(new Date(ms).getTime())) return String(ms);
  const offset = offsetAt(ms, zone);
  const wall = new Date(ms + offset);
  if (Number.isNaN(wall.getTime())) return String(ms);
  const milli = wall.getUTCMilliseconds();
  const date = `${pad(wall.getUTCFullYear(), 4)}-${pad(wall.getUTCMonth() + 1)}-${pad(wall.getUTCDate())}`;
  const time = `${pad(wall.getUTCHours())}:${pad(wall.getUTCMinutes())}:${pad(wall.getUTCSeconds())}`;
  const fraction = milli === 0 ? '' : `.${pad(milli, 3)}`;
  return `${date} ${time}${fraction}${isAmbiguous(ms, zone) ? ` ${offsetText(offset)}` : ''}`;
}

/**
 * When a zone has a local time: twice if clocks are set back over it, never if they skip it.
 * @param wall the local time as if it were UTC, in milliseconds
 */
export function timesAt(wall: number, zone: string): number[] {
  const offsets = new Set([wall - day, wall + day].map((near) => offsetAt(near, zone)));
  // The larger offset applies first.
  return [...offsets]
    .toSorted((a, b) => b - a)
    .map((offset) => wall - offset)
    .filter((ms) => ms + offsetAt(ms, zone) === wall);
}

/** Current names of zones that a browser may still list by an earlier name. */
const renamed: Readonly<Record<string, string>> = {
  'Africa/Asmera': 'Africa/Asmara',
  'America/Buenos_Aires': 'America/Argentina/Buenos_Aires',
  'America/Catamarca': 'America/Argentina/Catamarca',
  'America/Coral_Harbour': 'America/Atikokan',
  'America/Cordoba': 'America/Argentina/Cordoba',
  'America/Godthab': 'America/Nuuk',
  'America/Indianapolis': 'America/Indiana/Indianapolis',
  'America/Jujuy': 'America/Argentina/Jujuy',
  'America/Louisville': 'America/Kentucky/Louisville',
  'America/Mendoza': 'America/Argentina/Mendoza',
  'Asia/Calcutta': 'Asia/Kolkata',
  'Asia/Katmandu': 'Asia/Kathmandu',
  'Asia/Rangoon': 'Asia/Yangon',
  'Asia/Saigon': 'Asia/Ho_Chi_Minh',
  'Atlantic/Faeroe': 'Atlantic/Faroe',
  'Europe/Kiev': 'Europe/Kyiv',
  'Pacific/Enderbury': 'Pacific/Kanton',
  'Pacific/Ponape': 'Pacific/Pohnpei',
  'Pacific/Truk': 'Pacific/Chuuk',
};

/** The current name of a zone, if this computer supports it; else the given name. */
export function nameToday(zone: string): string {
  const name = renamed[zone];
  return name !== undefined && isZone(name) ? name : zone;
}

let names: readonly string[] | null = null;
/** The names of all zones that this computer supports, unique and sorted, without UTC; collected once. */
export const zoneNames = (): readonly string[] =>
  (names ??= [
    ...new Set(
      Intl.supportedValuesOf('timeZone')
        .filter((name) => name.includes('/'))
        .map(nameToday),
    ),
  ].sort());

/** Whether this computer supports a zone of this name. */
export function isZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}

let lastZone: string | null = null;
/** The user's own zone. A browser takes long to determine it the first time, so it is determined on demand. */
export const localZone = (): string =>
  (lastZone ??= nameToday(Intl.DateTimeFormat().resolvedOptions().timeZone));

const forms = new Map<string, Intl.DateTimeFormat>();

const whole: Intl.DateTimeFormatOptions = {
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
};
const short: Intl.DateTimeFormatOptions = {
  month: '2-digit',
  day: '2-digit',
  hour: '2-digit',
  minute: '2-digit',
};

/** The formatter for a zone, created once: creating one costs as much as using it a hundred times. */
function formOf(name: string, zone: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = `${name} ${zone}`;
  const cached = forms.get(key);
  if (cached) return cached;
  const made = new Intl.DateTimeFormat(undefined, { ...options, timeZone: zone });
  forms.set(key, made);
  return made;
}

/**
 * A time, from Unix milliseconds, in the user's locale and a zone (an IANA name): with milliseconds if they aren't 0,
 * and with the offset if the local time occurs twice. A number beyond the range of dates is returned as text.
 */
export function formatInLocale(ms: number, zone: string): string {
  if (Number.isNaN(new Date(ms).getTime())) return String(ms);
  const form =
    ms % 1000 === 0
      ? formOf('whole', zone, whole)
      : formOf('fine', zone, { ...whole, fractionalSecondDigits: 3 });
  const text = form.format(ms);
  return isAmbiguous(ms, zone) ? `${text} ${offsetText(offsetAt(ms, zone))}` : text;
}

/** A time, from Unix milliseconds, in the style of the window. */
export function formatMoment(ms: number, zone: 'utc' | 'local'): string {
  const format = formatStyle().dates === 'iso' ? formatZoned : formatInLocale;
  return format(ms, zone === 'utc' ? 'UTC' : localZone());
}

/** Day and minute of a time, in the style of the window and the local zone, without the year. */
export function formatShortMoment(ms: number): string {
  return formatStyle().dates === 'iso'
    ? formatZoned(ms, localZone()).slice(5, 16)
    : formOf('short', localZone(), short).format(ms);
}
