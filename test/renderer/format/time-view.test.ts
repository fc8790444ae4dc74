import { describe, expect, it } from 'vitest';
import { timeView, resolveZone, wellZonesOf } from '../../../src/renderer/format/time-view.ts';
import { assetIdsOf } from '../../../src/renderer/features/results/times/use-well-zones.ts';
import { localZone } from '../../../src/renderer/format/zoned.ts';

const wells = (...zones: (string | null)[]) =>
  zones.map((timeZone, at) => ({ name: `Ridge ${at + 1}`, timeZone }));

describe('the time zones of wells', () => {
  it.each([
    ['one, shared by all wells that have any', ['America/Denver', null, 'America/Denver'], 'America/Denver'],
    ['one, under an alias', ['US/Central'], 'US/Central'],
  ])('are %s', (_, told, zone) => {
    expect(wellZonesOf(wells(...told))).toEqual({ status: 'one', zone });
  });

  it('are several, each with the names of its wells', () => {
    expect(wellZonesOf(wells('America/Denver', 'America/Chicago', 'America/Denver'))).toEqual({
      status: 'several',
      zones: [
        { zone: 'America/Denver', wells: ['Ridge 1', 'Ridge 3'] },
        { zone: 'America/Chicago', wells: ['Ridge 2'] },
      ],
    });
  });

  it('are empty when the platform has none, or an unknown one', () => {
    expect(wellZonesOf(wells(null, null))).toEqual({ status: 'none', zone: null });
    expect(wellZonesOf(wells(null, 'Central Time (US & Canada)'))).toEqual({
      status: 'none',
      zone: 'Central Time (US & Canada)',
    });
  });

  it('are unknown without wells', () => {
    expect(wellZonesOf([])).toEqual({ status: 'unknown' });
  });
});

describe('the time zone of an option', () => {
  const one = wellZonesOf(wells('America/Denver'));

  it('is the named one, the machine’s own, that of the wells, or none', () => {
    expect(resolveZone('utc', one)).toBe('UTC');
    expect(resolveZone('local', one)).toBe(localZone());
    expect(resolveZone('well', one)).toBe('America/Denver');
    expect(resolveZone('Asia/Kolkata', one)).toBe('Asia/Kolkata');
    expect(resolveZone('raw', one)).toBeNull();
  });

  it.each([
    ['are in different zones', wellZonesOf(wells('America/Denver', 'America/Chicago'))],
    ['have none', wellZonesOf(wells(null))],
    ['are unknown', wellZonesOf([])],
  ])('is UTC for wells that %s', (_, those) => {
    expect(resolveZone('well', those)).toBe('UTC');
  });

  it('is stored only by a valid name', () => {
    expect(timeView.safeParse('America/Chicago').success).toBe(true);
    expect(timeView.safeParse('America/Nowhere').success).toBe(false);
    expect(timeView.safeParse('somewhere').success).toBe(false);
  });
});

describe('the wells of records', () => {
  it('are named once, in one order, ignoring values that aren’t asset ids', () => {
    expect(assetIdsOf([5003, 5001, null, undefined, 5003, 'x', 1.5], null, 'asset_id')).toEqual([5001, 5003]);
  });

  it('include the requested ones, whose records arrive later', () => {
    expect(assetIdsOf([5003], '{"asset_id":{"$in":[5012,5003]}}', 'asset_id')).toEqual([5003, 5012]);
    expect(assetIdsOf([5003], '{"metadata.asset_id":7}', 'metadata.asset_id')).toEqual([7, 5003]);
    expect(assetIdsOf([], '{"timestamp":{"$gt":1}}', 'asset_id')).toEqual([]);
  });
});
