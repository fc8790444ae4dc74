import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseJson, type JsonValue } from '../../../../src/shared/json.ts';
import { toTable } from '../../../../src/renderer/features/results/columns.ts';
import type { Cell, Table } from '../../../../src/renderer/features/results/table.ts';

const columnOf = (table: Table, path: string) => {
  const column = table.columns.find((each) => each.path.join('.') === path);
  if (!column) throw new Error(`there is no column ${path}`);
  return { ...column, cells: Array.from(column.cells) };
};
const paths = (table: Table) => table.columns.map(({ path }) => path.join('.'));

describe('toTable', () => {
  it('makes a dotted column of each nested value, each in its record’s row', () => {
    const table = toTable([{ data: { rop: 142.7, bit: { depth: 11_850 } } }, { data: { rop: 90 } }]);
    expect(table.rows).toBe(2);
    expect(paths(table)).toEqual(['data.rop', 'data.bit.depth']);
    expect(columnOf(table, 'data.rop').cells).toEqual([142.7, 90]);
    expect(columnOf(table, 'data.bit.depth').cells).toEqual([11_850, undefined]);
  });

  it('tells null from absent', () => {
    const { cells } = columnOf(toTable([{ rop: null, wob: 1 }, { wob: 2 }, { rop: 3, wob: 3 }]), 'rop');
    expect(cells).toEqual([null, undefined, 3]);
    expect(1 in cells).toBe(true);
  });

  it('keeps integers beyond 2^53 exact', () => {
    const records = parseJson('[{"count": 9007199254740993}, {"count": 1}]') as JsonValue[];
    expect(columnOf(toTable(records), 'count')).toMatchObject({
      kind: 'integer',
      cells: [9_007_199_254_740_993n, 1],
    });
  });

  it('keeps an array in one cell, with its length and the beginning of its text', () => {
    const stations = Array.from({ length: 200 }, (_, depth) => ({ depth }));
    const [cell] = columnOf(toTable([{ data: { stations } }]), 'data.stations').cells;
    expect(cell).toMatchObject({ parts: 200, array: true });
    expect((cell as { preview: string }).preview).toMatch(/^\[\{"depth":0\},.*…$/);
  });

  it('keeps an object without keys, which would otherwise leave no trace', () => {
    expect(columnOf(toTable([{ metadata: {} }]), 'metadata').cells).toEqual([
      { parts: 0, array: false, preview: '{}' },
    ]);
  });

  it('holds a name that is a value in one record and an object in another', () => {
    const table = toTable([{ data: 5 }, { data: { rop: 6 } }]);
    expect(columnOf(table, 'data').cells).toEqual([5, undefined]);
    expect(columnOf(table, 'data.rop').cells).toEqual([undefined, 6]);
  });

  it('does not mix a dotted name with a nested one', () => {
    const table = toTable([{ 'a.b': 1, a: { b: 2 } }]);
    expect(table.columns.map(({ path, cells }) => [path, cells[0]])).toEqual([
      [['a.b'], 1],
      [['a', 'b'], 2],
    ]);
  });

  it('shows a record that is no object in a column without a path', () => {
    const table = toTable([7, null, { rop: 1 }]);
    expect(Array.from(table.columns[0]?.cells ?? [])).toEqual([7, null, undefined]);
  });

  it('takes names of the language’s own for names of fields', () => {
    const table = toTable(parseJson('[{"__proto__": 1, "constructor": {"name": 2}}]') as JsonValue[]);
    expect(paths(table)).toEqual(['__proto__', 'constructor.name']);
  });

  it('stands what a record is about first and what is always the same last', () => {
    const record = {
      _id: 'x',
      company_id: 1,
      asset_id: 1001,
      version: 1,
      provider: 'demo',
      collection: 'wits',
      timestamp: 1_700_000_000_000,
      data: { rop: 1, wob: 2 },
    };
    expect(paths(toTable([record]))).toEqual([
      'timestamp',
      'asset_id',
      'data.rop',
      'data.wob',
      'company_id',
      'version',
      'provider',
      'collection',
      '_id',
    ]);
  });

  it('keeps the columns of one object together, however late they are met', () => {
    expect(paths(toTable([{ data: { a: 1 }, note: 'x' }, { data: { b: 2 } }]))).toEqual([
      'data.a',
      'data.b',
      'note',
    ]);
  });

  it.each<[string, Cell[], string]>([
    ['times, when each is Unix milliseconds', [1_700_000_000_000, null], 'time'],
    ['integers, when one looks like seconds', [1_700_000_000_000, 1_700_000_000], 'integer'],
    ['integers and bigints', [1, 10n ** 20n], 'integer'],
    ['numbers', [1, 2.5], 'number'],
    ['text', ['a', null], 'text'],
    ['truth values', [true, false], 'boolean'],
    ['more than one kind', [1, 'a'], 'mixed'],
    ['nothing but null', [null, null], 'empty'],
  ])('knows a column of %s', (_, cells, kind) => {
    const table = toTable(cells.map((timestamp) => ({ timestamp }) as JsonValue));
    expect(table.columns[0]?.kind).toBe(kind);
  });

  it('packs a column of nothing but doubles into one piece of memory', () => {
    const table = toTable([
      { a: 1, b: 1 },
      { a: 2, b: null },
    ]);
    expect(table.columns.map(({ cells }) => cells instanceof Float64Array)).toEqual([true, false]);
  });

  it('loses no value: what every record holds can be read back from the columns', () => {
    const leaf = fc.oneof(
      fc.integer(),
      fc.string(),
      fc.boolean(),
      fc.constant(null),
      fc.bigInt({ min: 2n ** 60n }),
    );
    const record = fc.dictionary(
      fc.string(),
      fc.oneof(leaf, fc.dictionary(fc.string(), leaf, { minKeys: 1 })),
    );
    fc.assert(
      fc.property(fc.array(record, { maxLength: 8 }), (records) => {
        const table = toTable(records);
        const read = records.map((_, row) =>
          table.columns.flatMap(({ path, cells }) => (cells[row] === undefined ? [] : [[path, cells[row]]])),
        );
        const held = records.map((each) =>
          Object.entries(each).flatMap(([name, value]) =>
            typeof value === 'object' && value !== null
              ? Object.entries(value).map(([inner, part]) => [[name, inner], part])
              : [[[name], value]],
          ),
        );
        const sorted = (rows: unknown[][]) =>
          rows.map((row) =>
            row
              .map((part) => JSON.stringify(part, (_, v) => (typeof v === 'bigint' ? `${v}n` : v)))
              .toSorted(),
          );
        expect(sorted(read)).toEqual(sorted(held));
      }),
    );
  });
});
