import { expect, it } from 'vitest';
import { computedBySql, unitsOfSql } from '../../../../src/renderer/features/results/calculated-columns.ts';

it('a result of SQL has the units of its statement, and rounds what that computes', () => {
  const columns = [
    { name: 'md', type: 'DOUBLE', unit: 'ft', isComputed: false },
    { name: 'tvd', type: 'DOUBLE', unit: 'ft', isComputed: true },
    { name: 'well', type: 'BIGINT', unit: null, isComputed: false },
    { name: 'share', type: 'DOUBLE', unit: null, isComputed: true },
  ];
  expect([...unitsOfSql(columns)]).toEqual([
    ['md', 'ft'],
    ['tvd', 'ft'],
  ]);
  expect([...computedBySql(columns).keys()]).toEqual(['tvd', 'share']);
  expect(computedBySql(columns).get('tvd')?.isRounded).toBe(true);
});
