import { describe, expect, it } from 'vitest';
import {
  formatZoned,
  isAmbiguous,
  nameToday,
  offsetAt,
  offsetText,
  zoneNames,
} from '../../../src/renderer/format/zoned.ts';

describe('a time in a zone', () => {
  it.each([
    ['2026-11-21T12:58:01.000Z', 'UTC', '2026-11-21 12:58:01'],
    ['2026-11-21T12:58:01.250Z', 'America/Chicago', '2026-11-21 06:58:01.250'],
    ['2026-07-01T12:00:00.000Z', 'America/Chicago', '2026-07-01 07:00:00'],
    ['2026-07-01T12:00:00.000Z', 'Asia/Kolkata', '2026-07-01 17:30:00'],
    // Daylight saving ends in Chicago on 2026-11-01: 01:00 to 01:59 occurs twice.
    ['2026-11-01T05:59:59.000Z', 'America/Chicago', '2026-11-01 00:59:59'],
    ['2026-11-01T06:30:00.000Z', 'America/Chicago', '2026-11-01 01:30:00 −05:00'],
    ['2026-11-01T07:30:00.000Z', 'America/Chicago', '2026-11-01 01:30:00 −06:00'],
    ['2026-11-01T08:00:00.000Z', 'America/Chicago', '2026-11-01 02:00:00'],
    // Newfoundland changed its clocks a minute after midnight.
    ['2010-03-14T03:30:30.000Z', 'America/St_Johns', '2010-03-14 00:00:30'],
    ['2010-03-14T03:40:00.000Z', 'America/St_Johns', '2010-03-14 01:10:00'],
    // Half an hour, on Lord Howe Island.
    ['2026-04-04T14:45:00.000Z', 'Australia/Lord_Howe', '2026-04-05 01:45:00 +11:00'],
    // Where an hour is skipped, no time repeats.
    ['2026-03-08T08:00:00.000Z', 'America/Chicago', '2026-03-08 03:00:00'],
  ])('%s in %s is %s', (iso, zone, text) => {
    expect(formatZoned(Date.parse(iso), zone)).toBe(text);
  });

  it('never has the text of another time', () => {
    const start = Date.UTC(2026, 9, 31);
    const texts = Array.from({ length: 48 * 12 }, (_, at) =>
      formatZoned(start + at * 300_000, 'Europe/Berlin'),
    );
    expect(new Set(texts).size).toBe(texts.length);
    const american = Array.from({ length: 96 * 12 }, (_, at) =>
      formatZoned(start + at * 300_000, 'America/Denver'),
    );
    expect(new Set(american).size).toBe(american.length);
  });

  it('stays a number when there is no such date', () => {
    expect(formatZoned(1e18, 'UTC')).toBe('1000000000000000000');
    expect(formatZoned(8.64e15, 'Asia/Tokyo')).toBe('8640000000000000');
  });

  it('has offsets', () => {
    expect(offsetText(offsetAt(0, 'Asia/Kathmandu'))).toBe('+05:30');
    expect(isAmbiguous(0, 'UTC')).toBe(false);
  });
});

describe('the names of zones', () => {
  const names = zoneNames();

  it('are the current ones, each once and in order', () => {
    for (const name of ['Asia/Kolkata', 'Europe/Kyiv', 'America/Argentina/Buenos_Aires'])
      expect(names).toContain(name);
    for (const name of ['Asia/Calcutta', 'Europe/Kiev', 'America/Buenos_Aires'])
      expect(names).not.toContain(name);
    expect(names).toEqual([...new Set(names)].sort());
  });

  it('are aliases with the same clock for the platform’s names', () => {
    const clocks = (zone: string) =>
      new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone;
    const aliases = Intl.supportedValuesOf('timeZone').filter((name) => nameToday(name) !== name);
    expect(aliases.length).toBeGreaterThan(10);
    for (const name of aliases) expect(clocks(nameToday(name))).toBe(clocks(name));
  });

  it('are unchanged when no alias is known', () => {
    expect(nameToday('America/Chicago')).toBe('America/Chicago');
    expect(nameToday('Mars/Olympus')).toBe('Mars/Olympus');
  });
});
