import fc from 'fast-check';
import { DateTime } from 'luxon';
import { describe, expect, it } from 'vitest';
import { checkZone, createZoneWriter } from '../../../../src/main/core/records/zone.ts';

describe('times in a zone', () => {
  it.each(['America/Chicago', 'Europe/Oslo', 'Asia/Kathmandu', 'Australia/Lord_Howe', 'UTC'])(
    'match luxon in %s',
    (zone) => {
      const writer = createZoneWriter(zone);
      fc.assert(
        fc.property(fc.integer({ min: -3e12, max: 4e12 }), (ms) => {
          expect(writer.write('timestamp', String(ms))).toBe(DateTime.fromMillis(ms, { zone }).toISO());
        }),
        { numRuns: 500 },
      );
    },
  );

  it('are correct on both sides of the hour that repeats', () => {
    const writer = createZoneWriter('America/Chicago');
    const change = Date.UTC(2024, 10, 3, 7);
    expect(writer.write('timestamp', String(change - 1))).toBe('2024-11-03T01:59:59.999-05:00');
    expect(writer.write('timestamp', String(change))).toBe('2024-11-03T01:00:00.000-06:00');
  });

  it('are correct where clocks were changed a minute after midnight', () => {
    const writer = createZoneWriter('America/St_Johns');
    const change = Date.UTC(2010, 2, 14, 3, 31);
    expect(writer.write('timestamp', String(change - 1))).toBe('2010-03-14T00:00:59.999-03:30');
    expect(writer.write('timestamp', String(change + 540_000))).toBe('2010-03-14T01:10:00.000-02:30');
  });

  it('stay unchanged when they aren’t instants', () => {
    const writer = createZoneWriter('Europe/Oslo');
    for (const json of ['null', '"2024-07-01T12:00:00"', '"soon"', '{}', '1e99'])
      expect(writer.write('timestamp', json)).toBeNull();
    expect(writer.write('timestamp', '"2024-07-01T12:00:00+0200"')).toBe('2024-07-01T12:00:00.000+02:00');
  });

  it('need an existing zone', () => {
    expect(() => checkZone('Europe/Oslo')).not.toThrow();
    expect(() => checkZone('Mars/Base')).toThrow(/Unknown time zone “Mars\/Base”/);
  });
});
