import { describe, expect, it } from 'vitest';
import {
  isSelected,
  movedCell,
  pickedCell,
  selectionOf,
  toggledRow,
} from '../../../../src/renderer/ui/grid/selection.ts';

const shown = ['#', 'a', 'b', 'c', 'd'];

describe('selected cells', () => {
  it('are between both ends, in any direction', () => {
    const picked = { anchor: { row: 5, column: 'c' }, head: { row: 2, column: 'b' }, more: [] };
    const selection = selectionOf(picked, shown);
    expect(selection).toEqual({ rows: [{ from: 2, to: 6 }], columns: ['b', 'c'] });
    expect(isSelected(selection, { row: 5, column: 'b' })).toBe(true);
    expect(isSelected(selection, { row: 6, column: 'b' })).toBe(false);
    expect(isSelected(selection, { row: 5, column: 'd' })).toBe(false);
  });

  it('become whole rows when rows are added or removed', () => {
    const two = toggledRow(pickedCell({ row: 1, column: 'b' }), 4);
    expect(two && selectionOf(two, shown)).toEqual({
      rows: [
        { from: 1, to: 2 },
        { from: 4, to: 5 },
      ],
      columns: null,
    });
    const one = toggledRow(two, 1);
    expect(one && selectionOf(one, shown)).toEqual({ rows: [{ from: 4, to: 5 }], columns: null });
    expect(toggledRow(one, 4)).toBeNull();
  });

  it('move by keys within the grid', () => {
    const grid = { rows: 100, page: 20, columns: ['a', 'b', 'c', 'd'], isFar: false };
    const at = { row: 1, column: 'b' };
    expect(movedCell(at, 'ArrowDown', grid)).toEqual({ row: 2, column: 'b' });
    expect(movedCell(at, 'PageUp', grid)).toEqual({ row: 0, column: 'b' });
    expect(movedCell(at, 'ArrowDown', { ...grid, isFar: true })).toEqual({ row: 99, column: 'b' });
    expect(movedCell(at, 'End', grid)).toEqual({ row: 1, column: 'd' });
    expect(movedCell(at, 'x', grid)).toBeNull();
  });
});
