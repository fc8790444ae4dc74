import * as fc from 'fast-check';
import { DateTime } from 'luxon';
import { describe, expect, it } from 'vitest';
import { patternProblem, timeReader, localToUtc } from '../../../../src/main/core/mapping/times.ts';
import { isZone, offsetMinutes } from '../../../../src/main/core/records/zone-names.ts';

const read = (text: string, format: string, zone = 'UTC') => timeReader(format, zone)(text);
const at = (iso: string, later: string | null = null) => ({
  ms: Date.parse(iso),
  laterMs: later === null ? null : Date.parse(later),
});

describe('times of a format', () => {
  it.each([
    ['2016-09-30T10:04:01.000Z', 'iso', 'UTC', '2016-09-30T10:04:01Z'],
    ['2014-05-15 11:01:34.123456', 'iso', 'UTC', '2014-05-15T11:01:34.123Z'],
    ['2014-05-15 11:01', 'iso', 'America/Chicago', '2014-05-15T16:01:00Z'],
    ['2014-05-15', 'iso', '+02:00', '2014-05-14T22:00:00Z'],
    ['2014-05-15T11:01:34+0530', 'iso', 'America/Chicago', '2014-05-15T05:31:34Z'],
    ['2014-05-15T24:00:00Z', 'iso', 'UTC', '2014-05-16T00:00:00Z'],
    ['1700000000', 'unix_s', 'UTC', '2023-11-14T22:13:20Z'],
    ['1700000000.25', 'unix_s', 'UTC', '2023-11-14T22:13:20.250Z'],
    ['1700000000000', 'unix_ms', 'UTC', '2023-11-14T22:13:20Z'],
    ['1700000000123456', 'unix_us', 'UTC', '2023-11-14T22:13:20.123Z'],
    ['1700000000123999999', 'unix_ns', 'UTC', '2023-11-14T22:13:20.123Z'],
    ['-1500', 'unix_us', 'UTC', '1969-12-31T23:59:59.998Z'],
    ['-1000.5', 'unix_us', 'UTC', '1969-12-31T23:59:59.998Z'],
    ['11-MAY-1985', 'd-MMM-yyyy', 'UTC', '1985-05-11T00:00:00Z'],
    ['10-Jan-26 06:00', 'd-MMM-yy H:mm', 'America/Chicago', '2026-01-10T12:00:00Z'],
    ['1 june 2024', 'd MMMM yyyy', 'UTC', '2024-06-01T00:00:00Z'],
    ['20230101120010', 'yyyyMMddHHmmss', 'UTC', '2023-01-01T12:00:10Z'],
    ['31.12.2019 23:59:58', 'dd.MM.yyyy HH:mm:ss', 'Europe/Oslo', '2019-12-31T22:59:58Z'],
    ['1/2/2020 3:04:05 PM', 'M/d/yyyy h:mm:ss a', 'UTC', '2020-01-02T15:04:05Z'],
    ['1/2/2020 3:04:05\u202FPM', 'M/d/yyyy h:mm:ss a', 'UTC', '2020-01-02T15:04:05Z'],
    ['1/2/2020 3:04\u00A0pm', 'M/d/yyyy h:mm\u202Fa', 'UTC', '2020-01-02T15:04:00Z'],
    ['2020-07-01 12:00 +0200', 'yyyy-MM-dd HH:mm ZZZ', 'America/Chicago', '2020-07-01T10:00:00Z'],
    ['2025-073', 'iso', 'UTC', '2025-03-14T00:00:00Z'],
    ['2025-073T06:00:00', 'iso', 'America/Chicago', '2025-03-14T11:00:00Z'],
    ['2024-366 06:00Z', 'iso', 'America/Chicago', '2024-12-31T06:00:00Z'],
    ['2025-073T06:00:00', "yyyy-DDD'T'HH:mm:ss", 'UTC', '2025-03-14T06:00:00Z'],
    ['2025073', 'yyyyDDD', 'UTC', '2025-03-14T00:00:00Z'],
    ['2025-03-14 06:00:00 CDT', 'yyyy-MM-dd HH:mm:ss z', 'UTC', '2025-03-14T11:00:00Z'],
    ['2025-11-14 06:00:00 CST', 'yyyy-MM-dd HH:mm:ss z', 'UTC', '2025-11-14T12:00:00Z'],
    ['3/14/2025 6:00 PM PST', 'M/d/yyyy h:mm a z', 'UTC', '2025-03-15T02:00:00Z'],
    ['2025-11-14 06:00:00 America/Chicago', 'yyyy-MM-dd HH:mm:ss z', 'UTC', '2025-11-14T12:00:00Z'],
    ['43831', 'excel_1900', 'UTC', '2020-01-01T00:00:00Z'],
    ['43831.5', 'excel_1900', 'America/Chicago', '2020-01-01T18:00:00Z'],
    ['44927.041666666664', 'excel_1900', 'UTC', '2023-01-01T01:00:00Z'],
    ['61', 'excel_1900', 'UTC', '1900-03-01T00:00:00Z'],
    ['42369', 'excel_1904', 'UTC', '2020-01-01T00:00:00Z'],
    ['20200102030405678', 'yyyyMMddHHmmssSSS', 'UTC', '2020-01-02T03:04:05.678Z'],
  ])('%s as %s in %s', (text, format, zone, expected) => {
    expect(read(text, format, zone)).toEqual(at(expected));
  });

  it.each([
    ['soon', 'iso'],
    ['2020-02-30', 'iso'],
    ['2020-01-01T25:00:00Z', 'iso'],
    ['2025-366', 'iso'],
    ['2025-000', 'iso'],
    ['2025-366', 'yyyy-DDD'],
    ['2025-03-14 06:00:00 BST', 'yyyy-MM-dd HH:mm:ss z'],
    ['2020-01-01T10:60:00Z', 'iso'],
    ['31.12.2019', 'MM.dd.yyyy'],
    ['12,5', 'unix_s'],
    ['8640000000001', 'unix_s'],
    ['8640000000000001', 'unix_ms'],
    ['1e12', 'unix_ms'],
    ['60', 'excel_1900'],
    ['2958466', 'excel_1900'],
    ['1/2/2020', 'excel_1904'],
  ])('%s is not a time as %s', (text, format) => {
    expect(read(text, format)).toBe('unreadable');
  });

  it('a local time that daylight saving skips is invalid', () => {
    expect(read('2021-03-14 02:30:00', 'iso', 'America/Chicago')).toBe('gap');
    expect(read('14.03.2021 02:30', 'dd.MM.yyyy HH:mm', 'America/Chicago')).toBe('gap');
    expect(read('2021-03-14 03:00:00', 'iso', 'America/Chicago')).toEqual(at('2021-03-14T08:00:00Z'));
  });

  it('a local time that daylight saving repeats is the first of the two, with a warning', () => {
    expect(read('2021-11-07 01:30:00', 'iso', 'America/Chicago')).toEqual(
      at('2021-11-07T06:30:00Z', '2021-11-07T07:30:00Z'),
    );
    expect(read('2021-11-07 02:00:00', 'iso', 'America/Chicago')).toEqual(at('2021-11-07T08:00:00Z'));
  });

  it.each([
    ['YYYY-MM-dd', /yyyy/],
    ['yyyy-MM-DD', /dd/],
    ['HH:mm', /no year/],
  ])('the pattern %s is rejected', (pattern, why) => {
    expect(patternProblem(pattern)).toMatch(why);
    expect(patternProblem('yyyy-MM-dd HH:mm:ss.SSS')).toBeNull();
  });
});

describe('zones', () => {
  it.each([
    ['UTC', 0],
    ['+01:00', 60],
    ['-0330', -210],
    ['UTC+5', 300],
    ['America/Chicago', null],
    ['+25:00', null],
  ])('%s is %s minutes east', (text, minutes) => {
    expect(offsetMinutes(text)).toBe(minutes);
  });
  it('are given by name, offset, or UTC', () => {
    expect(['Europe/Oslo', '+01:00', 'UTC', 'Mars/Olympus'].map(isZone)).toEqual([true, true, true, false]);
  });
});

describe('laws of times', () => {
  const zone = fc.constantFrom(
    'America/Chicago',
    'Europe/Oslo',
    'Asia/Kolkata',
    'Australia/Lord_Howe',
    'America/St_Johns',
    'Pacific/Apia',
    'UTC',
    '+03:30',
  );
  const instant = fc.integer({ min: Date.UTC(1975, 0, 1), max: Date.UTC(2035, 0, 1) });

  it('a local time in a zone becomes its instant, or two of which it is one', () => {
    fc.assert(
      fc.property(instant, zone, (ms, name) => {
        const local = DateTime.fromMillis(ms, { zone: name === '+03:30' ? 'UTC+3:30' : name });
        const found = localToUtc(name)(ms + local.offset * 60_000);
        expect(found).not.toBe('gap');
        if (found === 'gap') return;
        expect([found.ms, found.laterMs]).toContain(ms);
        expect(found.laterMs ?? Infinity).toBeGreaterThan(found.ms);
      }),
      { numRuns: 500 },
    );
  });

  it('ISO times are parsed as in luxon', () => {
    fc.assert(
      fc.property(instant, fc.constantFrom('UTC', 'UTC+5', 'UTC-3:30'), (ms, name) => {
        const text = DateTime.fromMillis(ms, { zone: name }).toISO() ?? '';
        expect(read(text, 'iso')).toEqual({ ms: DateTime.fromISO(text).toMillis(), laterMs: null });
      }),
    );
  });
});
