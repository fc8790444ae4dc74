import { expect, it } from 'vitest';
import { datasetQuery } from '../../../../../src/renderer/features/query/sql/table-list.tsx';

const now = Date.parse('2026-02-01T12:00:00Z');
const none = { from: '', to: '' };
const queryOf = (...input: Parameters<typeof datasetQuery>): unknown => {
  const read = datasetQuery(...input);
  return 'query' in read ? read.query.replaceAll(/\s+/g, ' ') : read;
};

it('has the wells and the range of a dataset, with relative times as they are now', () => {
  expect(queryOf({ type: 'time' }, [], none, now)).toBe('{}');
  expect(queryOf({ type: 'time' }, [5003, 5004], { from: 'now-24h', to: '2026-02-01' }, now)).toBe(
    '{ asset_id: { $in: [5003, 5004] }, timestamp: { $gte: ISODate("2026-01-31T12:00:00.000Z"), $lt: ISODate("2026-02-01T00:00:00.000Z") } }',
  );
});

it('has limits of depth, and none where the type has no index', () => {
  expect(queryOf({ type: 'depth' }, [5003], { from: '1000', to: '' }, now)).toBe(
    '{ asset_id: 5003, measured_depth: { $gte: 1000 } }',
  );
  expect(queryOf({ type: null }, [], { from: 'x', to: 'y' }, now)).toBe('{}');
});

it('says which limit is wrong', () => {
  expect(datasetQuery({ type: 'time' }, [], { from: 'soon', to: '' }, now)).toEqual({
    problems: { from: 'bad' },
  });
  expect(datasetQuery({ type: 'time' }, [], { from: '2026-02-02', to: '2026-02-01' }, now)).toEqual({
    problems: { to: 'backwards' },
  });
});
