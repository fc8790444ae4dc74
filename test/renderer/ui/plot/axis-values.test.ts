import { describe, expect, it } from 'vitest';
import { alongText, markTexts, timeTexts } from '../../../../src/renderer/ui/plot/axis-values.ts';
import { wallDate } from '../../../../src/renderer/format/zoned.ts';

const hour = 3_600_000;

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

  it('are at the start of days in the zone', () => {
    const midnight = wallDate(Date.UTC(2026, 5, 10, 5), 'America/Chicago');
    expect([midnight.getDate(), midnight.getHours(), midnight.getMinutes()]).toEqual([10, 0, 0]);
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
