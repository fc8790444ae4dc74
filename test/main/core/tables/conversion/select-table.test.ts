import { describe, expect, it } from 'vitest';
import { selectTable } from '../../../../../src/main/core/tables/conversion/select-table.ts';
import type { SourceTable } from '../../../../../src/main/core/tables/sources/source.ts';

const table = (name: string, rows = 1, isHidden = false): SourceTable => ({
  name,
  rows,
  isHidden,
  columns: [{ name: 'a', unit: null, description: null, type: null }],
  index: null,
  nulls: [],
});

describe('the selected table', () => {
  it('is the first visible one with rows', () => {
    expect(selectTable([table('a', 1, true), table('b', 0), table('c')], 'xlsx', undefined)).toBe(2);
  });

  it('is the log section of a LAS file', () => {
    expect(selectTable([table('Drilling'), table('Ascii')], 'las', undefined)).toBe(1);
  });

  it.each([
    ['2', 2],
    ['Drilling', 0],
    ['drilling ', 0],
    ['1', 0],
  ])('is the one that %j refers to: a name takes precedence over a number', (wanted, index) => {
    expect(selectTable([table('Drilling'), table('Log'), table('2')], 'xlsx', wanted)).toBe(index);
  });

  it('can’t have an unknown name; the error lists the tables of the file', () => {
    expect(() => selectTable([table('Drilling'), table('Log')], 'xlsx', 'Sheet9')).toThrow(
      'no table “Sheet9”. Select one of these: 1 “Drilling”, 2 “Log”',
    );
    const tables = Array.from({ length: 30 }, (_, n) => `Day ${n + 1}`);
    let failure: unknown;
    try {
      selectTable(
        tables.map((name) => table(name)),
        'xlsx',
        'Sheet9',
      );
    } catch (error) {
      failure = error;
    }
    expect(failure).toMatchObject({
      message: expect.stringMatching(/20 “Day 20” and 10 more\.$/) as string,
      details: { issues: [{ place: { field: 'table' }, lists: { tables } }] },
    });
  });
});
