import { describe, expect, it } from 'vitest';
import type { Well } from '../../../../src/shared/wells/wells.ts';
import { parseBox } from '../../../../src/renderer/features/wells/filters.tsx';
import {
  serviceFilterOf,
  matchesFilter,
  omitFields,
} from '../../../../src/renderer/features/wells/well-index.ts';
import { wellOf } from '../../../support/wells.ts';

const saying =
  (...fields: (keyof Well)[]) =>
  (field: keyof Well): boolean =>
    fields.includes(field);
const box = { south: 31, north: 32, west: -103, east: -102 };

describe('the part of a filter that only the service can apply', () => {
  it('is empty when the wells have every value', () => {
    const filter = { status: 'active', companyId: 3, activeFrom: '2026-01-01', box };
    expect(serviceFilterOf(filter, saying('status', 'companyId', 'lastActiveAt', 'position'))).toBeNull();
    expect(serviceFilterOf({}, saying())).toBeNull();
  });

  it('has the values that no listed well has, under the service’s own names', () => {
    expect(serviceFilterOf({ status: 'active', padId: 4, fracFleetId: 5 }, saying('status'))).toEqual({
      filter: { pad: 4, frac_fleet: 5 },
      fields: ['padId', 'fracFleetId'],
    });
    expect(serviceFilterOf({ box }, saying())).toEqual({
      filter: { lat_start: 31, lat_end: 32, long_start: -103, long_end: -102 },
      fields: ['box'],
    });
  });

  it('never has the rig: the service has no filter for it', () => {
    expect(serviceFilterOf({ rigId: 4 }, saying())).toBeNull();
  });

  it('has the visibility of wells that are not listed, but not of those that are', () => {
    expect(serviceFilterOf({ visibility: 'deleted' }, saying('visibility'))?.filter).toEqual({
      visibility: 'deleted',
    });
    expect(serviceFilterOf({ visibility: 'visible' }, saying('visibility'))).toBeNull();
  });

  it('has days from their first instant to their last', () => {
    const day = { startedFrom: '2026-01-01', startedTo: '2026-01-01' };
    const serviceFilter = serviceFilterOf({ ...day, activeTo: '2026-01-01' }, saying())?.filter;
    const begins = new Date('2026-01-01T00:00:00').getTime() / 1000;
    const ends = new Date('2026-01-02T00:00:00').getTime() / 1000;
    // "After" excludes its second.
    expect(serviceFilter).toMatchObject({ well_start_after: begins - 1, well_start_before: ends });
    expect(serviceFilter?.active_before).toBe(new Date(ends * 1000).toISOString());
    const well = (at: number) => wellOf(1, 'A', 1, { startedAt: new Date(at * 1000).toISOString() });
    expect([begins - 1, begins, ends - 1, ends].map((at) => matchesFilter(well(at), day))).toEqual([
      false,
      true,
      true,
      false,
    ]);
  });

  it('is removed from the filter of the list', () => {
    expect(omitFields({ status: 'active', padId: 4 }, ['padId'])).toEqual({ status: 'active' });
  });
});

describe('a typed box', () => {
  const typed = (south: string, north: string, west: string, east: string) =>
    parseBox({ south, north, west, east });
  it('is valid with all four edges', () => {
    expect(typed('31', '32', '-103', '-102')).toEqual(box);
    expect(typed(' 31,5 ', '32', '-103', '-102')).toEqual({ ...box, south: 31.5 });
  });
  it('is empty without edges', () => {
    expect(typed('', ' ', '', '')).toBeNull();
  });
  it.each([
    ['', '32', '-103', '-102'],
    ['31', 'x', '-103', '-102'],
    ['31', '91', '-103', '-102'],
    ['31', '32', '-181', '-102'],
  ])('needs all edges, in degrees: %j %j %j %j', (...edges) => {
    expect(typed(...edges)).toBe('needsAll');
  });
  it.each([
    ['32', '31', '-103', '-102'],
    ['31', '32', '-102', '-103'],
  ])('must not be upside down: %j %j %j %j', (...edges) => {
    expect(typed(...edges)).toBe('upside');
  });
});
