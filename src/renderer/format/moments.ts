import { formatStyle } from './style.ts';
import { formatZoned, isAmbiguous, localZone, offsetAt, offsetText } from './zoned.ts';

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
