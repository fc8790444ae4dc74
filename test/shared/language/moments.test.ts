import { describe, expect, it } from 'vitest';
import { millisecondsOfMoment, parseMoment } from '../../../src/shared/language/moments.ts';

const at = (iso: string): number => Date.parse(iso);

function momentOf(text: string, now: string, zone = 'UTC'): string {
  const moment = parseMoment(text);
  if (typeof moment !== 'object') return `${moment}`;
  const ms = millisecondsOfMoment(moment, at(now), zone);
  return ms === undefined ? 'too far' : new Date(ms).toISOString();
}

describe('a relative time', () => {
  it.each([
    ['now', '2024-05-15T10:30:45.678Z'],
    ['NOW', '2024-05-15T10:30:45.678Z'],
    ['now-90s', '2024-05-15T10:29:15.678Z'],
    ['now+2h-30m', '2024-05-15T12:00:45.678Z'],
    ['now - 2 w', '2024-05-01T10:30:45.678Z'],
    ['now-1mo', '2024-04-15T10:30:45.678Z'],
    ['now-1y', '2023-05-15T10:30:45.678Z'],
    ['now-1H', '2024-05-15T09:30:45.678Z'],
    ['today', '2024-05-15T00:00:00.000Z'],
    ['today-7d', '2024-05-08T00:00:00.000Z'],
    ['today+6h', '2024-05-15T06:00:00.000Z'],
    ['today@America/Chicago', '2024-05-15T05:00:00.000Z'],
    ['today @ Asia/Kolkata', '2024-05-14T18:30:00.000Z'],
    ['today@+02:00', '2024-05-14T22:00:00.000Z'],
    ['today@-0330', '2024-05-15T03:30:00.000Z'],
    ['today@UTC', '2024-05-15T00:00:00.000Z'],
    ['today@UTC+9', '2024-05-14T15:00:00.000Z'],
    ['now-0d', '2024-05-15T10:30:45.678Z'],
  ])('%s at half past ten is %s', (text, iso) => {
    expect(momentOf(text, '2024-05-15T10:30:45.678Z')).toBe(iso);
  });

  it('is in the user’s time zone when it names none', () => {
    expect(momentOf('today', '2024-05-15T03:00:00Z', 'America/Chicago')).toBe('2024-05-14T05:00:00.000Z');
    expect(momentOf('today@UTC', '2024-05-15T03:00:00Z', 'America/Chicago')).toBe('2024-05-15T00:00:00.000Z');
  });

  it('counts days of the calendar and hours of the clock when daylight saving starts', () => {
    const morning = '2024-03-10T15:30:00Z';
    expect(momentOf('now-1d@America/Chicago', morning)).toBe('2024-03-09T16:30:00.000Z');
    expect(momentOf('now-24h@America/Chicago', morning)).toBe('2024-03-09T15:30:00.000Z');
    expect(momentOf('today+1d@America/Chicago', morning)).toBe('2024-03-11T05:00:00.000Z');
  });

  it('starts a day at its first instant when midnight does not exist', () => {
    expect(momentOf('today@America/Sao_Paulo', '2018-11-04T12:00:00Z')).toBe('2018-11-04T03:00:00.000Z');
  });

  it('starts a day at the first of two midnights', () => {
    expect(momentOf('today@America/Havana', '2026-11-01T15:00:00Z')).toBe('2026-11-01T04:00:00.000Z');
  });

  it('ends a month at its last day', () => {
    expect(momentOf('now-1mo', '2024-03-31T12:00:00Z')).toBe('2024-02-29T12:00:00.000Z');
  });
});

describe('an invalid relative time', () => {
  it.each(['', 'yesterday', 'nowhere', 'now24h', 'today is', '-24h', 'ask:now', 'now*2'])('%j', (text) => {
    expect(parseMoment(text)).toBeUndefined();
  });

  it.each([
    ['now-24', '-24 has no unit. Add one of s, m, h, d, w, mo, y after it.'],
    ['now-24h-5', '-5 has no unit. Add one of s, m, h, d, w, mo, y after it.'],
    ['now-1fortnight', 'fortnight isn’t a unit of time. Use one of s, m, h, d, w, mo, y.'],
    ['now-1M', 'M isn’t a unit of time. Use one of s, m, h, d, w, mo, y.'],
    ['now-1toString', 'toString isn’t a unit of time. Use one of s, m, h, d, w, mo, y.'],
    ['today@', 'Nothing after @ isn’t a time zone. Use one such as America/Chicago, UTC, or +02:00.'],
    ['today@Mars/Base', 'Mars/Base isn’t a time zone. Use one such as America/Chicago, UTC, or +02:00.'],
    ['today@+25:00', '+25:00 isn’t a time zone. Use one such as America/Chicago, UTC, or +02:00.'],
  ])('%s: %s', (text, says) => expect(parseMoment(text)).toBe(says));

  it.each(['now+300000y', 'now-99999999999999999999d', 'today+9999999999mo'])(
    '%s is out of range',
    (text) => {
      expect(momentOf(text, '2024-05-15T10:30:00Z')).toBe('too far');
    },
  );
});
