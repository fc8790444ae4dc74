import { afterEach, describe, expect, it } from 'vitest';
import {
  alongText,
  elapsedText,
  extentText,
  markTexts,
  timeMarks,
  timeTexts,
} from '../../../../src/renderer/ui/plot/axis-values.ts';
import { formatZoned } from '../../../../src/renderer/format/zoned.ts';

const hour = 3_600_000;

it('elapsed time carries rounded thousandths over to the seconds', () => {
  expect([1999.7, 59_999.9, 1250.4].map((ms) => elapsedText(ms))).toEqual([
    '0:00:02',
    '0:01:00',
    '0:00:01.250',
  ]);
});

describe('the tick marks of a time axis', () => {
  const noon = Date.UTC(2026, 5, 10, 12);

  it('show the time of day in the zone, and the date where a day starts', () => {
    const marks = [noon, noon + 6 * hour, noon + 18 * hour];
    expect(timeTexts(marks, 6 * hour, 'America/Chicago')).toEqual([
      '07:00\n2026-06-10',
      '13:00',
      '01:00\n2026-06-11',
    ]);
    expect(timeTexts(marks, 6 * hour, 'UTC')).toEqual(['12:00\n2026-06-10', '18:00', '06:00\n2026-06-11']);
  });

  it('show the offset where local times repeat', () => {
    const first = Date.UTC(2026, 10, 1, 6, 30);
    expect(timeTexts([first, first + hour], hour, 'America/Chicago')).toEqual([
      '01:30 −05:00\n2026-11-01',
      '01:30 −06:00',
    ]);
    expect(alongText(first, { show: 'time', zone: 'America/Chicago' }, 24 * hour)).toBe(
      '2026-11-01 01:30:00 −05:00',
    );
  });

  const machineZone = process.env['TZ'];
  afterEach(() => {
    if (machineZone === undefined) delete process.env['TZ'];
    else process.env['TZ'] = machineZone;
  });
  /** The labels of the marks, without dates. */
  const labels = (from: number, hours: number, step: number, zone: string) =>
    timeTexts(timeMarks(from, from + hours * hour, step, zone), step, zone).map(
      (text) => text.split('\n')[0],
    );

  // Clocks are set forward on March 8 and 29, and back on November 1 and October 25.
  it.each([
    ['America/Chicago', Date.UTC(2026, 2, 8, 6), Date.UTC(2026, 10, 1, 5), '−05:00', '−06:00'],
    ['Europe/Amsterdam', Date.UTC(2026, 2, 28, 23), Date.UTC(2026, 9, 24, 22), '+02:00', '+01:00'],
  ])(
    'are at whole steps of local time across both clock changes of %s',
    (zone, spring, autumn, before, after) => {
      // Clocks change at 2:00 in Chicago, and at 2:00 or 3:00 in Amsterdam.
      const repeated = zone === 'America/Chicago' ? '01:00' : '02:00';
      for (const machine of ['UTC', 'America/Chicago', 'Europe/Amsterdam']) {
        process.env['TZ'] = machine;
        expect(labels(spring, 12, hour, zone).slice(0, 4)).toEqual(['00:00', '01:00', '03:00', '04:00']);
        expect(labels(spring, 23, 6 * hour, zone)).toEqual(['00:00', '06:00', '12:00', '18:00', '00:00']);
        expect(labels(autumn, 25, 6 * hour, zone)).toEqual(['00:00', '06:00', '12:00', '18:00', '00:00']);
        expect(labels(autumn, 6, hour, zone).filter((label) => label?.startsWith(repeated))).toEqual([
          `${repeated} ${before}`,
          `${repeated} ${after}`,
        ]);
        // A day of 23 hours, and one of 25.
        const days = timeMarks(spring - 30 * hour, spring + 60 * hour, 24 * hour, zone);
        expect(days.map((ms, at) => (ms - (days[at - 1] ?? ms)) / hour).slice(1)).toEqual([24, 23, 24]);
      }
    },
  );

  it('are the same in UTC, whatever the zone of the computer', () => {
    const start = Date.UTC(2026, 2, 8);
    for (const machine of ['UTC', 'America/Chicago', 'Asia/Kolkata']) {
      process.env['TZ'] = machine;
      expect(labels(start, 12, 2 * hour, 'UTC')).toEqual([
        '00:00',
        '02:00',
        '04:00',
        '06:00',
        '08:00',
        '10:00',
        '12:00',
      ]);
    }
  });

  it('of months and years are at their first days, and a midnight that clocks skip is a mark', () => {
    const from = Date.UTC(2025, 10, 20);
    expect(
      timeTexts(
        timeMarks(from, Date.UTC(2026, 4, 2), 60 * 24 * hour, 'Asia/Kolkata'),
        60 * 24 * hour,
        'Asia/Kolkata',
      ),
    ).toEqual(['2026-01-01', '2026-03-01', '2026-05-01']);
    expect(timeMarks(from, Date.UTC(2029, 0, 2), 2 * 365 * 24 * hour, 'UTC')).toEqual([
      Date.UTC(2026, 0, 1),
      Date.UTC(2028, 0, 1),
    ]);
    // In Beirut, clocks are set forward at midnight.
    const marks = timeMarks(Date.UTC(2026, 2, 28), Date.UTC(2026, 2, 30), 24 * hour, 'Asia/Beirut');
    expect(marks.map((ms) => formatZoned(ms, 'Asia/Beirut'))).toEqual([
      '2026-03-29 01:00:00',
      '2026-03-30 00:00:00',
    ]);
  });
});

describe('the tick marks of an axis of numbers', () => {
  it('have the digits of their step, so that they are evenly apart', () => {
    expect(markTexts([0, 0.0005, 0.001, 0.0015], 0.0005)).toEqual(['0', '0.0005', '0.001', '0.0015']);
    expect(markTexts([52.5, 55, 57.5], 2.5)).toEqual(['52.5', '55', '57.5']);
    expect(markTexts([0.30000000000000004, 0.4], 0.1)).toEqual(['0.3', '0.4']);
    expect(markTexts([0.5, 0.5000001], 0.0000001)).toEqual(['0.50000000', '0.50000010']);
  });

  it('have their own digits on a logarithmic axis, which leaves some out', () => {
    expect(markTexts([0.02, null, 0.1, 1000], null)).toEqual(['0.02', '', '0.1', '1,000']);
  });
});

it('the lowest and highest values have the digits that a person reads', () => {
  expect([3138.0629334, -883.65465923, 0.00012345678, 0].map(extentText)).toEqual([
    '3,138.063',
    '-883.6547',
    '0.000123',
    '0',
  ]);
  // Those of whole numbers stay.
  expect([12_345_678, 123_456_789.5].map(extentText)).toEqual(['12,345,678', '123,456,789.5']);
});
