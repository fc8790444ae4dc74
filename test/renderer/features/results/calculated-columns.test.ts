import { describe, expect, it } from 'vitest';
import {
  calculationOf,
  mergedSeriesOf,
} from '../../../../src/renderer/features/results/calculated-columns.ts';
import { parseSort } from '../../../../src/renderer/features/results/results.ts';
import type { ColumnHead } from '../../../../src/renderer/features/records/table.ts';

const head = (path: string, kind: ColumnHead['kind']): ColumnHead => ({
  path: path.split('.'),
  kind,
  characters: 9,
});
const of = (sort: string, heads: readonly ColumnHead[]) =>
  calculationOf(heads, [], { units: new Map(), type: 'time', sorts: parseSort(sort) });
const heads = [head('timestamp', 'time'), head('asset_id', 'integer'), head('data.rop', 'number')];

describe('the fields and order of a result for calculated columns', () => {
  it.each([
    ['{}', 'unknown'],
    ['{ timestamp: 1 }', 'ascending'],
    ['{ timestamp: -1 }', 'descending'],
    ['{ asset_id: 1, timestamp: -1 }', 'descending'],
    ['{ "data.rop": 1, timestamp: 1 }', 'none'],
    ['{ asset_id: -1 }', 'none'],
  ])('the order of the rows of each well, sorted by %s, is %s', (sort, order) => {
    expect(of(sort, heads).order).toBe(order);
  });

  it('times as text are none in a pipeline, which has numbers only', () => {
    const columns = [head('timestamp', 'time'), head('data.day', 'date')];
    const valuesOf = (isInPipeline: boolean) =>
      calculationOf(columns, [], {
        units: new Map(),
        type: 'time',
        sorts: new Map(),
        isInPipeline,
      }).fields.map(({ values }) => values);
    expect(valuesOf(false)).toEqual(['time', 'time']);
    expect(valuesOf(true)).toEqual(['time', 'other']);
  });

  it('the columns that tell wells and logs apart, those of SQL and groups too', () => {
    expect(of('{}', heads).series).toEqual(['asset_id']);
    const groups = [head('_id.asset_id', 'integer'), head('_id.log_identifier', 'text')];
    expect(of('{}', [...groups, head('timestamp', 'time')]).series).toEqual([
      '_id.asset_id',
      '_id.log_identifier',
    ]);
    expect(of('{}', [head('well', 'text'), head('timestamp', 'time')]).series).toEqual(['well']);
  });

  it.each(['assetId', 'UWI', 'data.uidWell', 'metadata_asset_id', 'asset_id_1'])(
    'wells are told apart by %s, as recipes and plots do, and not by fractions',
    (name) => {
      const inText = of('{}', [head(name, 'text'), head('timestamp', 'time')]);
      expect(inText.series).toEqual([name]);
      expect(mergedSeriesOf(inText, null)).toBeNull();
      const inFractions = of('{}', [head('API', 'number'), head('timestamp', 'time')]);
      expect(mergedSeriesOf(inFractions, null)).toBe('wells');
      const gravities = of('{}', [head('API', 'integer'), head('timestamp', 'time')]);
      expect(mergedSeriesOf(gravities, null)).toBe('wells');
    },
  );

  it.each([
    ['time', 'timestamp data.rop', 'wells'],
    ['time', 'timestamp asset_id data.rop', null],
    ['depth', 'measured_depth data.gr', 'wells'],
    ['depth', 'measured_depth log_identifier data.gr', 'wells'],
    ['depth', 'measured_depth asset_id data.gr', 'logs'],
    ['depth', 'measured_depth asset_id log_identifier data.gr', null],
    [null, 'measured_depth asset_id data.gr', null],
  ] as const)('the columns of records of type %s with %s merge %s', (type, fields, merged) => {
    expect(
      mergedSeriesOf(
        of(
          '{}',
          fields.split(' ').map((path) => head(path, path === 'asset_id' ? 'integer' : 'number')),
        ),
        type,
      ),
    ).toBe(merged);
  });
});
