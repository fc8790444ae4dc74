const maxLength = 40;

// "Z", "GMT", "UTC" or an offset behind a time of day; the "-10" of a date alone is none.
const withZone = /(?:Z|GMT|UTC|:\d\d(?:\.\d+)? ?[+-]\d\d:?\d\d)$/i;

/**
 * Unix milliseconds of a date, or date and time, as text. Without a zone it is UTC on every machine: read in the
 * computer's own zone, its times would repeat or go backwards where daylight saving time begins or ends.
 * @returns NaN for a text that is no date
 */
export function instantOf(text: string): number {
  const trimmed = text.trim();
  if (trimmed.length > maxLength) return Number.NaN;
  if (withZone.test(trimmed)) return Date.parse(trimmed);
  const utc = Date.parse(`${trimmed}Z`);
  return Number.isNaN(utc) ? Date.parse(`${trimmed} UTC`) : utc;
}
