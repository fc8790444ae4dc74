import { describe, expect, it } from 'vitest';
import {
  nextSort,
  shownColumns,
  type ColumnView,
  type ListedColumn,
} from '../../../../../src/renderer/features/upload/columns/columns-step.tsx';
import { matchedColumn } from '../../../../../src/shared/upload/preview.ts';

const listed = (
  column: string,
  to: string | null,
  more: Partial<ListedColumn> = {},
  problem: string | null = null,
) =>
  ({
    column: matchedColumn.parse({
      column,
      to,
      joinedTo: null,
      kind: null,
      unit: null,
      reading: null,
      examples: [],
      choices: [],
      problem,
      problemOf: null,
    }),
    type: 'number',
    nulls: 0,
    isChosen: false,
    ...more,
  }) satisfies ListedColumn;

const columns = [
  listed('Time', 'timestamp', { type: 'time', isChosen: true }),
  listed('ROP', 'data.ROP'),
  listed('WOB', 'data.weight_on_bit', { isChosen: true }),
  listed('Remark', null, { type: 'string', isChosen: true }),
  listed('data.flow', 'data.flow', {}, 'two columns go there'),
];
const view = (changes: Partial<ColumnView> = {}): ColumnView => ({
  search: '',
  filter: 'all',
  sort: null,
  ...changes,
});

describe('the list of columns', () => {
  it('has all of them, in the order of the file', () => {
    expect(shownColumns(columns, view())).toEqual(['Time', 'ROP', 'WOB', 'Remark', 'data.flow']);
  });

  it('is searched by name and target', () => {
    expect(shownColumns(columns, view({ search: ' weight' }))).toEqual(['WOB']);
    expect(shownColumns(columns, view({ search: 'bit weight' }))).toEqual(['WOB']);
    expect(shownColumns(columns, view({ search: 'ro' }))).toEqual(['ROP']);
  });

  it('is limited to columns that are skipped or kept under their own name, and to those with problems', () => {
    expect(shownColumns(columns, view({ filter: 'unmapped' }))).toEqual(['ROP', 'Remark']);
    expect(shownColumns(columns, view({ filter: 'problems' }))).toEqual(['data.flow']);
  });

  it('is sorted by a header: ascending, descending, and as in the file', () => {
    const up = nextSort(null, 'column');
    expect(shownColumns(columns, view({ sort: up }))).toEqual(['data.flow', 'Remark', 'ROP', 'Time', 'WOB']);
    const down = nextSort(up, 'column');
    expect(shownColumns(columns, view({ sort: down }))[0]).toBe('WOB');
    expect(nextSort(down, 'column')).toBeNull();
    expect(nextSort(down, 'type')).toEqual({ by: 'type', isDescending: false });
  });
});
