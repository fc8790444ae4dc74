import { describe, expect, it } from 'vitest';
import { findZones, typedZone } from '../../../src/renderer/format/zone-search.ts';

const zones = (typed: string) => findZones(typed).map(({ zone }) => zone);

describe('the search for a time zone', () => {
  it.each([
    ['Central', 'America/Chicago'],
    ['central time', 'America/Chicago'],
    ['CST', 'America/Chicago'],
    ['cdt', 'America/Chicago'],
    ['MT', 'America/Denver'],
    ['CET', 'Europe/Oslo'],
    ['CEST', 'Europe/Oslo'],
    ['Houston', 'America/Chicago'],
    ['midland', 'America/Chicago'],
    ['Neuquen', 'America/Argentina/Salta'],
    ['stavanger', 'Europe/Oslo'],
    ['new york', 'America/New_York'],
    ['America/Chicago', 'America/Chicago'],
    ['oslo', 'Europe/Oslo'],
    ['utc', 'UTC'],
  ])('by %j finds %s first', (typed, zone) => {
    expect(zones(typed)[0]).toBe(zone);
  });

  it.each(['-06:00', '−06:00', '-6', 'UTC-06:00', 'GMT-6'])('finds the offset %s', (typed) => {
    const found = zones(typed);
    expect(found[0]).toBe('America/Chicago');
    expect(found).toContain('America/Denver');
    expect(found).not.toContain('Europe/Oslo');
  });

  it.each([
    ['Houston', 'America/Chicago'],
    ['cst', 'America/Chicago'],
    ['Central', 'America/Chicago'],
    ['-06:00', '-06:00'],
    ['−06:00', '-06:00'],
    ['GMT-6', '-06:00'],
    ['Etc/GMT+6', 'Etc/GMT+6'],
    ['Mars', 'Mars'],
  ])('for the exact name %j finds %s', (typed, zone) => {
    expect(typedZone(typed)).toBe(zone);
  });

  it('shows the names of its time, and lists all while nothing is typed', () => {
    expect(findZones('houston')[0]).toEqual({
      zone: 'America/Chicago',
      note: 'Central Standard Time, −06:00',
    });
    expect(findZones('')[0]).toEqual({ zone: 'UTC' });
    expect(zones('').slice(0, 3)).toContain('America/Chicago');
    expect(findZones('nowhere at all')).toEqual([]);
  });
});
