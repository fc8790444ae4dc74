import { Settings } from 'luxon';
import { describe, expect, it, onTestFinished } from 'vitest';
import {
  daysOf,
  inputsOfDays,
  parseBound,
  parseRange,
  formatBound,
} from '../../../src/renderer/format/range-inputs.ts';

describe('a typed range', () => {
  it.each([
    ['2024-01-31 06:00', 'America/Chicago', Date.UTC(2024, 0, 31, 12)],
    ['2024-07-31', 'America/Chicago', Date.UTC(2024, 6, 31, 5)],
    ['2024-01-31T06:00:00.250Z', 'America/Chicago', Date.UTC(2024, 0, 31, 6, 0, 0, 250)],
    ['2024-01-31 06:00', '+02:00', Date.UTC(2024, 0, 31, 4)],
  ])('%s in %s is an instant', (text, zone, ms) => {
    expect(parseBound(text, 'time', zone)).toEqual({ kind: 'time', ms });
    expect(parseBound(formatBound({ kind: 'time', ms }, zone), 'time', zone)).toEqual({ kind: 'time', ms });
  });

  it.each([Date.UTC(2026, 6, 1), Date.UTC(2026, 11, 1)])(
    'includes both hours of a change of clocks, and no skipped one, when it is typed at %d',
    (now) => {
      const before = Settings.now;
      Settings.now = () => now;
      onTestFinished(() => void (Settings.now = before));
      const at = (text: string, end: 'from' | 'to') => parseBound(text, 'time', 'America/Chicago', end);
      expect(at('2026-11-01 01:00', 'from')).toEqual({ kind: 'time', ms: Date.UTC(2026, 10, 1, 6) });
      expect(at('2026-11-01 01:00', 'to')).toEqual({ kind: 'time', ms: Date.UTC(2026, 10, 1, 7) });
      expect(at('2026-11-01 01:00:00-06:00', 'from')).toEqual({ kind: 'time', ms: Date.UTC(2026, 10, 1, 7) });
      expect(at('2026-03-08 02:30', 'from')).toBeUndefined();
    },
  );

  it('may have parameters, depths, or no end', () => {
    expect(parseBound('now-24h', 'time', 'UTC')).toEqual({ kind: 'moment', written: 'now-24h' });
    expect(parseBound('{{today}}', 'time', 'UTC')).toEqual({ kind: 'moment', written: 'today' });
    expect(parseBound('10000.5', 'depth', 'UTC')).toEqual({ kind: 'depth', depth: 10000.5 });
    expect(parseBound(' ', 'time', 'UTC')).toBeNull();
  });

  it.each(['yesterday', '31.1.2024', '2024-02-31', 'now-24', '12'])('rejects %s', (text) => {
    expect(parseBound(text, 'time', 'UTC')).toBeUndefined();
  });

  const open = { from: null, to: null };
  it('reports which end is invalid', () => {
    expect(parseRange({ from: 'x', to: '', zone: 'UTC' }, open, 'time')).toEqual({
      problems: { from: 'bad' },
    });
    expect(parseRange({ from: '', to: '', zone: 'Mars' }, open, 'time')).toEqual({
      problems: { zone: 'zone' },
    });
    expect(parseRange({ from: '9', to: '5', zone: 'UTC' }, open, 'depth')).toEqual({
      problems: { to: 'backwards' },
    });
  });

  it('leaves an unchanged end exactly as it was, even in an hour that repeats', () => {
    const from = { kind: 'time', ms: Date.UTC(2024, 10, 3, 7, 30) } as const;
    const zone = 'America/Chicago';
    const typed = { from: formatBound(from, zone), to: 'now', zone };
    expect(parseRange(typed, { from, to: null }, 'time')).toEqual({
      range: { from, to: { kind: 'moment', written: 'now' } },
    });
  });

  it('includes its ends as before, and both of them can then be one place', () => {
    const five = { kind: 'depth', depth: 5 } as const;
    const before = { from: five, to: { kind: 'depth', depth: 9 }, includesTo: true } as const;
    expect(parseRange({ from: '5', to: '8', zone: 'UTC' }, before, 'depth')).toEqual({
      range: { from: five, to: { kind: 'depth', depth: 8 }, includesTo: true },
    });
    expect(parseRange({ from: '5', to: '5', zone: 'UTC' }, before, 'depth')).toEqual({
      range: { from: five, to: five, includesTo: true },
    });
    expect(
      parseRange({ from: '5', to: '5', zone: 'UTC' }, { ...before, excludesFrom: true }, 'depth'),
    ).toEqual({ problems: { to: 'backwards' } });
  });
});

describe('calendar days', () => {
  it('are whole days of the time zone, including one of 25 hours', () => {
    const zone = 'America/Chicago';
    const days = { first: '2026-11-01', last: '2026-11-01' };
    const inputs = inputsOfDays(days, zone);
    expect(inputs).toEqual({ from: '2026-11-01 00:00:00', to: '2026-11-02 00:00:00' });
    expect(daysOf({ ...inputs, zone })).toEqual(days);
  });

  it('are those of the typed range; relative and open ranges have none', () => {
    const days = (from: string, to: string) => daysOf({ from, to, zone: 'UTC' });
    expect(days('2026-11-03 06:00', '2026-11-05 00:00:01')).toEqual({
      first: '2026-11-03',
      last: '2026-11-05',
    });
    for (const [from, to] of [
      ['now-1h', ''],
      ['2026-11-05', '2026-11-03'],
      ['2026-11-05', ''],
      ['x', 'y'],
    ] as const)
      expect(days(from, to)).toBeNull();
  });
});
