import { describe, expect, it } from 'vitest';
import {
  columnGroups,
  columnOrder,
  columnsNamed,
  kindOf,
  type ColumnTree,
} from '../../../../src/renderer/features/records/columns.ts';

interface Sketch {
  [name: string]: Sketch | true;
}
const sketch = (trees: ColumnTree<unknown>[]): Sketch =>
  Object.fromEntries(trees.map((tree) => [tree.name, 'children' in tree ? sketch(tree.children) : true]));
const grouped = (...paths: string[][]) => sketch(columnGroups(paths.map((path) => ({ path }))));

describe('columnGroups', () => {
  it('puts columns under their parents', () => {
    expect(grouped(['timestamp'], ['data', 'rop'], ['data', 'bit', 'depth'], ['data', 'wob'])).toEqual({
      timestamp: true,
      data: { rop: true, bit: { depth: true }, wob: true },
    });
  });

  it('keeps a column whose name is also a group’s', () => {
    const trees = columnGroups([{ path: ['data'] }, { path: ['data', 'rop'] }]);
    expect(trees.map((tree) => [tree.name, 'children' in tree])).toEqual([
      ['data', false],
      ['data', true],
    ]);
  });

  it('keeps dotted names as names', () => {
    expect(grouped(['a.b', 'c'], ['a', 'b', 'c'])).toEqual({ 'a.b': { c: true }, a: { b: { c: true } } });
  });
});

const heads = (...columns: [path: string, characters: number][]) =>
  columns.map(([path, characters]) => ({ path: path.split('.'), characters }));
const order = (...columns: [path: string, characters: number][]) =>
  columnOrder(heads(...columns)).map(({ path }) => path.join('.'));

describe('the order of columns', () => {
  it('starts with key fields, and ends with the id', () => {
    expect(order(['_id', 24], ['data.rop', 5], ['timestamp', 13])).toEqual(['timestamp', 'data.rop', '_id']);
  });

  it('starts with the id of a group, which identifies the group', () => {
    expect(order(['n', 3], ['rop', 18], ['_id', 15])).toEqual(['_id', 'n', 'rop']);
    expect(order(['n', 3], ['_id.state', 15], ['_id.day', 10])).toEqual(['_id.state', '_id.day', 'n']);
  });
});

it('columns of a table have its order, also those without values, and those with parts', () => {
  const head = (kind: 'number' | 'empty', ...path: string[]) => ({ path, kind, characters: 1 });
  const found = [
    head('number', 'timestamp'),
    head('number', 'part', 'b'),
    head('empty', 'part'),
    head('number', 'a.b'),
  ];
  expect(columnsNamed(['zeta', 'a.b', 'part', 'timestamp'], found).map(({ path }) => path)).toEqual([
    ['zeta'],
    ['a.b'],
    ['part', 'b'],
    ['timestamp'],
  ]);
});

describe('integers called timestamp', () => {
  it('are times where all of them are plausible milliseconds, also in a result of SQL', () => {
    expect(kindOf(['timestamp'], [1_767_225_600_000, null, 1_767_225_601_000])).toBe('time');
    expect(kindOf(['timestamp'], [1_767_225_600_000, 1500])).toBe('integer');
    expect(kindOf(['timestamp'], [1_767_225_600])).toBe('integer');
    // Of a well of 1998.
    expect(kindOf(['timestamp'], [890_000_000_000])).toBe('time');
    expect(kindOf(['time'], [1_767_225_600_000])).toBe('integer');
  });
});
