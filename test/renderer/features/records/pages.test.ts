import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseJson, type JsonValue } from '../../../../src/shared/json.ts';
import { createPages, createMemory } from '../../../../src/renderer/features/records/pages.ts';
import type { Cell, Slice } from '../../../../src/renderer/features/records/table.ts';

function toSlice(records: readonly JsonValue[]): Slice {
  const pages = createPages({ memory: createMemory(1e9) });
  pages.add(0, records, 1);
  return pages.slice({ from: 0, to: records.length });
}

const columnOf = (slice: Slice, path: string) => {
  const column = slice.columns.find((each) => each.path.join('.') === path);
  if (!column) throw new Error(`there is no column ${path}`);
  return { ...column, cells: Array.from(column.cells) };
};
const paths = (slice: Slice) => slice.columns.map(({ path }) => path.join('.'));

describe('a page of records', () => {
  it('makes a dotted column of each nested value, each in its record’s row', () => {
    const slice = toSlice([{ data: { rop: 142.7, bit: { depth: 11_850 } } }, { data: { rop: 90 } }]);
    expect(slice.rows).toBe(2);
    expect(paths(slice)).toEqual(['data.rop', 'data.bit.depth']);
    expect(columnOf(slice, 'data.rop').cells).toEqual([142.7, 90]);
    expect(columnOf(slice, 'data.bit.depth').cells).toEqual([11_850, undefined]);
  });

  it('distinguishes null from missing', () => {
    const { cells } = columnOf(toSlice([{ rop: null, wob: 1 }, { wob: 2 }, { rop: 3, wob: 3 }]), 'rop');
    expect(cells).toEqual([null, undefined, 3]);
    expect(1 in cells).toBe(true);
  });

  it('keeps integers beyond 2^53 exact', () => {
    const records = parseJson('[{"count": 9007199254740993}, {"count": 1}]') as JsonValue[];
    expect(columnOf(toSlice(records), 'count')).toMatchObject({
      kind: 'integer',
      cells: [9_007_199_254_740_993n, 1],
    });
  });

  it('keeps an array in one cell, with its length and the start of its text', () => {
    const stations = Array.from({ length: 200 }, (_, depth) => ({ depth }));
    const [cell] = columnOf(toSlice([{ data: { stations } }]), 'data.stations').cells;
    expect(cell).toMatchObject({ parts: 200, array: true });
    expect((cell as { preview: string }).preview).toMatch(/^\[\{"depth":0\},.*…$/);
  });

  it('keeps an object without keys, which would otherwise disappear', () => {
    expect(columnOf(toSlice([{ metadata: {} }]), 'metadata').cells).toEqual([
      { parts: 0, array: false, preview: '{}' },
    ]);
  });

  it('supports a name that is a value in one record and an object in another', () => {
    const slice = toSlice([{ data: 5 }, { data: { rop: 6 } }]);
    expect(columnOf(slice, 'data').cells).toEqual([5, undefined]);
    expect(columnOf(slice, 'data.rop').cells).toEqual([undefined, 6]);
  });

  it('does not mix a dotted name with a nested one', () => {
    const slice = toSlice([{ 'a.b': 1, a: { b: 2 } }]);
    expect(slice.columns.map(({ path, cells }) => [path, cells[0]])).toEqual([
      [['a.b'], 1],
      [['a', 'b'], 2],
    ]);
  });

  it('shows a record that isn’t an object in a column without a path', () => {
    const slice = toSlice([7, null, { rop: 1 }]);
    expect(Array.from(slice.columns[0]?.cells ?? [])).toEqual([7, null, undefined]);
  });

  it('accepts built-in names of the language as field names', () => {
    const slice = toSlice(parseJson('[{"__proto__": 1, "constructor": {"name": 2}}]') as JsonValue[]);
    expect(paths(slice)).toEqual(['__proto__', 'constructor.name']);
  });

  it('keeps what is nested very deeply in one cell', () => {
    const depth = 20_000;
    const deep = `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`;
    const records = parseJson(`[${deep},{"list":${'['.repeat(depth)}${']'.repeat(depth)}}]`) as JsonValue[];
    const { columns } = toSlice(records);
    expect(columns.map(({ path }) => path.length)).toEqual([64, 1]);
    expect([columns[0]?.cells[0], columns[1]?.cells[1]].map((cell) => typeof cell)).toEqual([
      'object',
      'object',
    ]);
    const pages = createPages({ memory: createMemory(1e9) });
    pages.add(0, records, 2);
    expect(pages.columns()).toHaveLength(2);
  });

  it('puts key fields first and constant ones last', () => {
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
    expect(paths(toSlice([record]))).toEqual([
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

  it('keeps the columns of one object together, however late they appear', () => {
    expect(paths(toSlice([{ data: { a: 1 }, note: 'x' }, { data: { b: 2 } }]))).toEqual([
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
    ['dates', ['2026-11-21T06:00:00.000Z', '2026-11-21T06:00:00+01:00'], 'date'],
    ['text, when a time has no offset', ['2026-11-21T06:00:00Z', '2026-11-21T06:00:00'], 'text'],
    ['booleans', [true, false], 'boolean'],
    ['more than one type', [1, 'a'], 'mixed'],
    ['nulls alone', [null, null], 'empty'],
  ])('detects a column of %s', (_, cells, kind) => {
    const slice = toSlice(cells.map((timestamp) => ({ timestamp }) as JsonValue));
    expect(slice.columns[0]?.kind).toBe(kind);
  });

  it('loses no value: every record can be rebuilt, and its parts read from the columns', () => {
    const leaf = fc.oneof(fc.integer(), fc.double({ noNaN: true, noDefaultInfinity: true }), fc.string());
    const value = fc.letrec<{ value: JsonValue }>((tie) => ({
      value: fc.oneof(
        { depthSize: 'small' },
        leaf,
        fc.boolean(),
        fc.constant(null),
        fc.bigInt({ min: 2n ** 60n }),
        fc.array(tie('value'), { maxLength: 3 }),
        fc.dictionary(fc.string(), tie('value'), { maxKeys: 4, noNullPrototype: true }),
      ),
    })).value;
    fc.assert(
      fc.property(fc.array(value, { maxLength: 8 }), fc.nat(8), (records, cut) => {
        const pages = createPages({ memory: createMemory(1e9) });
        pages.add(0, records.slice(0, cut), 1);
        if (cut < records.length) pages.add(cut, records.slice(cut), 1);
        expect(records.map((_, row) => pages.record(row))).toEqual(records);
      }),
    );
  });
});

describe('pages', () => {
  const rows = (from: number, count: number) => Array.from({ length: count }, (_, at) => ({ n: from + at }));
  const cells = (pages: ReturnType<typeof createPages>, from: number, to: number) =>
    Array.from(pages.slice({ from, to }).columns[0]?.cells ?? []);

  it('return rows across their borders, and report missing ones', () => {
    const pages = createPages({ memory: createMemory(1e9) });
    pages.add(4, rows(4, 2), 10);
    pages.add(0, rows(0, 2), 10);
    expect(pages.missing({ from: 0, to: 8 })).toEqual([
      { from: 2, to: 4 },
      { from: 6, to: 8 },
    ]);
    expect(cells(pages, 1, 5)).toEqual([1, undefined, undefined, 4]);
    expect(pages.held()).toBe(4);
  });

  it('of all results share one memory: hidden results are released first, and say what to load again', () => {
    const memory = createMemory(60);
    const [first, second] = [createPages({ memory }), createPages({ memory })];
    const loadPages = (pages: typeof first) => {
      for (const from of [0, 2, 4]) pages.add(from, rows(from, 2), 10);
    };
    loadPages(first);
    loadPages(second);
    expect(memory.size()).toBe(60);
    // The hidden one goes first, although its pages were used last.
    second.setVisible(false);
    first.add(6, rows(6, 2), 20);
    expect([first.held(), second.held()]).toEqual([8, 2]);
    expect(memory.size()).toBeLessThanOrEqual(60);
    expect(second.setVisible(true)).toEqual([
      { from: 0, to: 2 },
      { from: 2, to: 4 },
    ]);
    expect(second.setVisible(true)).toEqual([]);
    first.release();
    expect(memory.size()).toBe(10);
  });

  it('that can’t be loaded again stay', () => {
    const memory = createMemory(25);
    const [statement, other] = [createPages({ memory, isReloadable: false }), createPages({ memory })];
    statement.add(0, rows(0, 2), 20);
    statement.setVisible(false);
    other.add(0, rows(0, 2), 10);
    other.add(2, rows(2, 2), 10);
    expect([statement.held(), other.held()]).toEqual([2, 2]);
  });

  it('release the least recently used, and never the newest', () => {
    const pages = createPages({ memory: createMemory(25) });
    pages.add(0, rows(0, 2), 10);
    pages.add(2, rows(2, 2), 10);
    cells(pages, 0, 1);
    pages.add(4, rows(4, 2), 10);
    expect(pages.missing({ from: 0, to: 6 })).toEqual([{ from: 2, to: 4 }]);
    pages.add(6, rows(6, 2), 100);
    expect(pages.missing({ from: 0, to: 8 })).toEqual([{ from: 0, to: 6 }]);
  });

  it('add columns as they arrive: new ones, wider ones, of another type', () => {
    const pages = createPages({ memory: createMemory(1e9) });
    pages.add(0, [{ data: { rop: 1 } }], 1);
    pages.add(1, [{ data: { rop: 2.5, wob: 'x' } }], 1);
    expect(pages.columns()).toEqual([
      { path: ['data', 'rop'], kind: 'number', characters: 1 },
      { path: ['data', 'wob'], kind: 'text', characters: 1 },
    ]);
    expect(pages.slice({ from: 0, to: 2 }).columns[1]?.cells).toEqual([undefined, 'x']);
  });

  it('return numbers with NaN for every gap, and dates as milliseconds', () => {
    const pages = createPages({ memory: createMemory(1e9) });
    pages.add(0, [{ a: 1, at: '2026-01-01T00:00:00Z' }, { a: null }, {}, { a: -999.25 }], 1);
    pages.add(6, [{ a: 2 }, { a: 'x' }, { a: 2n ** 60n }], 1);
    expect([...pages.numbers('a', { from: 0, to: 9 })]).toEqual([
      1,
      NaN,
      NaN,
      -999.25,
      NaN,
      NaN,
      2,
      NaN,
      2 ** 60,
    ]);
    expect([...pages.numbers('at', { from: 0, to: 1 })]).toEqual([Date.UTC(2026, 0, 1)]);
    expect([...pages.numbers('none', { from: 0, to: 1 })]).toEqual([NaN]);
  });
});
