import { describe, expect, it } from 'vitest';
import { columnGroups, type ColumnTree } from '../../../../src/renderer/features/records/column-groups.ts';

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

  it('takes dotted names for names', () => {
    expect(grouped(['a.b', 'c'], ['a', 'b', 'c'])).toEqual({ 'a.b': { c: true }, a: { b: { c: true } } });
  });
});
