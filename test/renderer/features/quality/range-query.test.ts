import { describe, expect, it } from 'vitest';
import { queryOfRange, queryOfSeries } from '../../../../src/renderer/features/quality/place-text.ts';

const depth = { path: 'measured_depth', of: 'depth' } as const;
const time = { path: 'timestamp', of: 'time' } as const;
const start = Date.UTC(2026, 0, 1);

describe('a query for the records of a finding', () => {
  it('includes the last record of a range', () => {
    expect(queryOfRange('{ asset_id: 5001 }', depth, 100.5, 120)).toBe(
      '{ asset_id: 5001, measured_depth: { $gte: 100.5, $lt: 120.001 } }',
    );
    expect(queryOfRange('{}', time, start, start + 60_000)).toBe(
      '{ timestamp: { $gte: ISODate("2026-01-01T00:00:00.000Z"), $lt: ISODate("2026-01-01T00:01:00.001Z") } }',
    );
  });

  it('combines with a condition that it can’t be written into', () => {
    const query = '{ timestamp: { $gte: 1, $ne: 3 } } // a day';
    expect(queryOfRange(query, time, start, start + 1000)).toBe(
      `{ $and: [\n${query}\n, ${queryOfRange('{}', time, start, start + 1000)}] }`,
    );
  });

  it.each([
    ['5002', '{ asset_id: 5002 }'],
    ['5002 log 7', '{ asset_id: 5002 }'],
    // In the strip of all wells, and for logs without a well.
    ['', '{ asset_id: { $in: [5001, 5002] } }'],
    [' 7', '{ asset_id: { $in: [5001, 5002] } }'],
  ])('is of the well of the series “%s”', (series, query) => {
    expect(queryOfSeries('{ asset_id: { $in: [5001, 5002] } }', 'asset_id', series)).toBe(query);
  });

  it('has the records around a single place', () => {
    expect(queryOfRange('{}', depth, 100, 100)).toBe('{ measured_depth: { $gte: 95, $lt: 105.001 } }');
  });
});
