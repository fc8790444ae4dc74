import { describe, expect, it } from 'vitest';
import { columnOrder } from '../../../../src/renderer/features/records/column-order.ts';

const heads = (...columns: [path: string, characters: number][]) =>
  columns.map(([path, characters]) => ({ path: path.split('.'), characters }));
const order = (...columns: [path: string, characters: number][]) =>
  columnOrder(heads(...columns)).map(({ path }) => path.join('.'));

describe('the order of columns', () => {
  it('begins with what a record is about, and ends with its id', () => {
    expect(order(['_id', 24], ['data.rop', 5], ['timestamp', 13])).toEqual(['timestamp', 'data.rop', '_id']);
  });

  it('begins with the id of a group, which says what the group is', () => {
    expect(order(['n', 3], ['rop', 18], ['_id', 15])).toEqual(['_id', 'n', 'rop']);
    expect(order(['n', 3], ['_id.state', 15], ['_id.day', 10])).toEqual(['_id.state', '_id.day', 'n']);
  });
});
