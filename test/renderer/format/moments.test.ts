import { afterEach, describe, expect, it } from 'vitest';
import { formatInLocale, formatMoment, formatShortMoment } from '../../../src/renderer/format/zoned.ts';
import { setFormatStyle } from '../../../src/renderer/format/numbers.ts';

const moment = Date.UTC(2026, 10, 21, 6, 58, 1);

afterEach(() => setFormatStyle({ numbers: 'locale', dates: 'iso' }));

describe('moments', () => {
  it('are ISO 8601 by default', () => {
    expect(formatMoment(moment, 'utc')).toBe('2026-11-21 06:58:01');
    expect(formatShortMoment(moment)).toMatch(/^11-2\d \d\d:\d\d$/);
  });

  it('have a readable format, in local time of a zone', () => {
    setFormatStyle({ numbers: 'locale', dates: 'locale' });
    const wanted = new Intl.DateTimeFormat(undefined, {
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit',
      timeZone: 'UTC',
    }).format(moment);
    expect(formatMoment(moment, 'utc')).toBe(wanted);
    expect(formatInLocale(moment, 'Asia/Tokyo')).not.toBe(wanted);
    expect(formatInLocale(moment + 7, 'UTC')).toContain('007');
  });

  it('that repeat at a clock change have an offset, and invalid ones stay unchanged', () => {
    const first = Date.UTC(2026, 9, 25, 0, 30);
    expect(formatInLocale(first, 'Europe/Berlin')).toMatch(/ \+02:00$/);
    expect(formatInLocale(first + 3_600_000, 'Europe/Berlin')).toMatch(/ \+01:00$/);
    expect(formatInLocale(1e300, 'UTC')).toBe('1e+300');
  });
});
