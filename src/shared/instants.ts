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
  if (withZone.test(trimmed)) return Date.parse(trimmed);
  const utc = Date.parse(`${trimmed}Z`);
  return Number.isNaN(utc) ? Date.parse(`${trimmed} UTC`) : utc;
}
