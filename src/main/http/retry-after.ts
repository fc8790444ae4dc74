/**
 * Milliseconds that a `Retry-After` header asks to wait: seconds or a date. Null when it is absent, past or
 * unreadable.
 * @param now wall time in Unix milliseconds
 */
export function retryAfterMs(header: string | null, now: number): number | null {
  const text = header?.trim() ?? '';
  if (text === '') return null;
  if (/^\d+(\.\d+)?$/.test(text)) return Math.ceil(Number(text) * 1000);
  // Without a letter Date.parse would read "-5" as a year.
  const date = /[a-z]/i.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(date) ? null : Math.max(0, date - now);
}
