import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createComparison, type ComparedRecord } from '../../../../src/main/features/quality/compare.ts';
import { createComparedReader } from '../../../../src/main/features/quality/compared-records.ts';
import { createPathTree, RecordScanner } from '../../../../src/main/core/records/scan.ts';
import {
  comparison,
  isSame,
  summarizeComparison,
  type ComparedValue,
  toleranceOf,
} from '../../../../src/shared/quality/comparison.ts';

type Values = Readonly<Record<string, ComparedValue>>;

/** The columns of all fields of these tests. */
const names: string[] = [];
function columnOf(name: string): number {
  const known = names.indexOf(name);
  return known === -1 ? names.push(name) - 1 : known;
}

function record(at: number, values: Values, series = '', line: number | null = null): ComparedRecord {
  const byColumn: ComparedValue[] = [];
  for (const [name, value] of Object.entries(values)) byColumn[columnOf(name)] = value;
  return { at, series, line, values: byColumn };
}

interface Options {
  readonly tolerance?: string;
  readonly shift?: number;
  /** Records per page of each side. */
  readonly pages?: readonly [source: number, against: number];
  readonly kind?: 'time' | 'depth';
  /** Requested fields. */
  readonly fields?: readonly string[];
}

/** Compares two lists of records, given in pages as they are asked for. */
function compare(
  source: readonly ComparedRecord[],
  against: readonly ComparedRecord[],
  { tolerance = '0', shift = 0, pages = [7, 3], kind = 'time', fields = [] }: Options = {},
) {
  const left = { source: [...source], against: [...against] };
  const comparison = createComparison({
    index: { field: 'timestamp', kind, unit: null },
    shift,
    tolerance: toleranceOf(tolerance) ?? { amount: 0, isShare: false },
    names,
    unitOf: () => null,
    fields,
  });
  for (let side = comparison.advance(); side; side = comparison.advance()) {
    if (left[side].length === 0) comparison.end(side);
    else comparison.add(side, left[side].splice(0, side === 'source' ? pages[0] : pages[1]));
  }
  return comparison.result();
}

const log = (count: number, start = 0) =>
  Array.from({ length: count }, (_, n) => record(start + n, { rop: n + 1, wob: 2 * n + 1 }));

describe('comparing', () => {
  it('has finite numbers only', () => {
    const found = compare([record(1, { v: Number.MAX_VALUE })], [record(1, { v: -Number.MAX_VALUE })]);
    expect(comparison.safeParse(found).error).toBeUndefined();
    expect(found.fields[0]?.largest?.difference).toBe(Number.MAX_VALUE);
  });

  it('finds no difference between two notations of a time', () => {
    const note = (text: string) => [record(1, { at: text }), record(2, { at: text })];
    const [local, utc, later] = [
      '2026-01-31T00:00:00-06:00',
      '2026-01-31T06:00:00.000Z',
      '2026-01-31T06:00:01Z',
    ];
    expect(isSame(compare(note(local), note(utc)))).toBe(true);
    expect(compare(note(local), note(later)).fields[0]?.differing).toBe(2);
  });

  it('finds each difference of whole numbers, and none that a conversion of units leaves', () => {
    const of = (api: number, rop: number) => [record(1, { api, rop })];
    const { fields } = compare(of(42_301_345_670_000, 32.808), of(42_301_345_680_000, 32.808_000_000_001));
    expect(fields.map(({ name, differing }) => [name, differing])).toEqual([
      ['api', 1],
      ['rop', 0],
    ]);
  });

  it('finds nothing between a log and itself, whatever the pages', () => {
    const found = compare(log(50), log(50), { pages: [1, 50] });
    expect(isSame(found)).toBe(true);
    expect(found).toMatchObject({
      matched: 50,
      source: { rows: 50, only: 0 },
      against: { rows: 50, only: 0 },
    });
  });

  it('finds exactly the planted ranges, fields, and values', () => {
    const size = 200;
    const at = fc.integer({ min: 0, max: size - 1 });
    const range = fc.tuple(at, at).map(([a, b]) => ({ from: Math.min(a, b), to: Math.max(a, b) }));
    const changes = fc.uniqueArray(fc.record({ at, by: fc.integer({ min: -9, max: 9 }) }), {
      selector: ({ at: place }) => place,
      maxLength: 30,
    });
    const pageSize = fc.integer({ min: 1, max: 60 });
    const planted = fc.record({
      missing: range,
      changes,
      blanks: fc.uniqueArray(at, { maxLength: 5 }),
      extra: fc.uniqueArray(at, { maxLength: 5 }),
      hasField: fc.boolean(),
      pages: fc.tuple(pageSize, pageSize),
      shift: fc.integer({ min: -1000, max: 1000 }),
    });
    fc.assert(
      fc.property(planted, ({ missing, changes: changed, blanks, extra, hasField, pages, shift }) => {
        const isThere = (n: number): boolean => n < missing.from || n > missing.to;
        const bigger = changed.filter((change) => Math.abs(change.by) > 4 && isThere(change.at));
        const base = log(size);
        const other = base.flatMap(({ at: n, values }) => {
          if (!isThere(n)) return [];
          const by = changed.find((change) => change.at === n)?.by ?? 0;
          const made = record(n + shift, {
            rop: Number(values[columnOf('rop')]) + by,
            ...(hasField ? { torque: n } : {}),
            ...(blanks.includes(n) ? {} : { wob: Number(values[columnOf('wob')]) }),
          });
          return extra.includes(n) ? [made, made] : [made];
        });
        const found = compare(base, other, { tolerance: '4', pages, shift });
        const lost = missing.to - missing.from + 1;
        expect(found.matched).toBe(size - lost);
        expect(found.source).toMatchObject({ rows: size, only: lost, extra: 0, rangeCount: 1 });
        expect(found.source.ranges).toEqual([{ well: '', line: null, ...missing, records: lost }]);
        expect(found.against).toMatchObject({ only: 0, ranges: [], extra: extra.filter(isThere).length });
        if (lost === size) return;
        expect(found.against.fields).toEqual(hasField ? ['torque'] : []);
        const [rop, wob] = ['rop', 'wob'].map((name) => found.fields.find((field) => field.name === name));
        expect(rop).toMatchObject({ differing: bigger.length, lacking: { source: 0, against: 0 } });
        const largest = Math.max(0, ...bigger.map(({ by }) => Math.abs(by)));
        expect(rop?.largest?.difference ?? 0).toBe(largest);
        expect(rop?.places.map((place) => place.at)).toEqual(
          bigger
            .map((change) => change.at)
            .toSorted((a, b) => a - b)
            .slice(0, 20),
        );
        const blank = blanks.filter(isThere).length;
        if (blank < size - lost)
          expect(wob).toMatchObject({ differing: 0, lacking: { source: 0, against: blank } });
      }),
    );
  });

  it('allows a share of the larger number', () => {
    const found = compare(
      [record(0, { rop: 100 }), record(1, { rop: 100 })],
      [record(0, { rop: 101 }), record(1, { rop: 102 })],
      { tolerance: '1%' },
    );
    expect(found.fields).toMatchObject([{ name: 'rop', differing: 1, places: [{ at: 1 }] }]);
  });

  it('isn’t the same without a value of a requested field', () => {
    const found = compare(log(3), log(3), { fields: ['rop', 'rpo'] });
    expect([found.absent, isSame(found)]).toEqual([['rpo'], false]);
  });

  it('compares texts and truth values by equality, and other types as different', () => {
    const found = compare(
      [record(0, { state: 'drilling', on: true, mode: 1 })],
      [record(0, { state: 'tripping', on: true, mode: '1' })],
      { tolerance: '50%' },
    );
    expect(found.fields.map(({ name, differing }) => [name, differing])).toEqual([
      ['state', 1],
      ['on', 0],
      ['mode', 1],
    ]);
  });

  it('pairs the records of each well, and lists the ranges of each', () => {
    const both = (at: number) => [record(at, { rop: 1 }, '5001'), record(at, { rop: 2 }, '5002')];
    const places = [0, 1, 2, 3, 4];
    const found = compare(
      places.flatMap(both),
      places.flatMap((at) =>
        both(at)
          .toReversed()
          .filter(({ series }) => series === '5001' || at < 2 || at > 3),
      ),
    );
    expect(found.fields).toMatchObject([{ differing: 0 }]);
    expect(found.source.ranges).toEqual([{ well: '5002', line: null, from: 2, to: 3, records: 2 }]);
  });

  it('pairs the one log of two wells whatever their names are, and refuses several', () => {
    const tree = createPathTree();
    const scanner = new RecordScanner({ tree, keyField: null });
    const index = { field: 'measured_depth', kind: 'depth', unit: 'ft' } as const;
    const shape = { index, wellFields: ['asset_id'], logField: 'log_identifier', units: {}, fields: [] };
    const ignores = { ignoresWell: true, ignoresLog: true };
    const spec = { ...shape, ...ignores, tolerance: { amount: 0, isShare: false }, shift: 0 };
    const read = (...logs: string[]) => {
      const text = JSON.stringify(logs.map((log, at) => ({ measured_depth: at, log_identifier: log })));
      const all = logs.map((_, at) => at);
      return createComparedReader(spec, tree, columnOf).read(scanner.scanArray(text), all);
    };
    expect(read('main', 'main').map(({ series }) => series)).toEqual(['', '']);
    expect(() => read('main', 'main', 'repeat')).toThrow(/“main” and “repeat”.*Add log_identifier/);
  });

  it('compares objects by their values: members in any order, without nulls, and to the last digit; lists in their order', () => {
    const tree = createPathTree();
    const scanner = new RecordScanner({ tree, keyField: null });
    const index = { field: 'measured_depth', kind: 'depth', unit: 'ft' } as const;
    const shape = { index, wellFields: ['asset_id'], logField: 'log_identifier', units: {}, fields: [] };
    const spec = {
      ...shape,
      ignoresWell: true,
      ignoresLog: true,
      tolerance: { amount: 0, isShare: false },
      shift: 0,
    };
    const read = (text: string) =>
      createComparedReader(spec, tree, columnOf).read(
        scanner.scanArray(`[{"measured_depth":1,"data":{"stations":${text}}}]`),
        [0],
      );
    const [stored] = read('[{"md":10,"inc":null,"at":"2026-01-01T00:00:00Z","id":9007199254740993}]');
    expect(read('[{"at":"2026-01-01T01:00:00+01:00","id":9007199254740993,"md":10.0}]')).toEqual([stored]);
    expect(read('[1,null,-999.25]')[0]?.values).toContain('[1,null,null]');
    expect(read('[2,1]')).not.toEqual(read('[1,2]'));
    expect(read('[{"at":"2026-01-01T00:00:00Z","id":9007199254740992,"md":10}]')).not.toEqual([stored]);
  });

  it('pairs depths that a conversion of units has rounded', () => {
    const found = compare([record(0.3, { rop: 1 })], [record(0.1 + 0.2, { rop: 1 + 1e-12 })], {
      kind: 'depth',
    });
    expect(isSame(found)).toBe(true);
  });

  it('does not compare records without an index', () => {
    const found = compare([record(Number.NaN, { rop: 1 }), ...log(3)], log(3));
    expect(found).toMatchObject({ matched: 3, source: { rows: 4, unplaced: 1, only: 0 } });
    expect(isSame(found)).toBe(false);
  });

  it('has differences in its headline unless both sides are the same', () => {
    const one = [record(1, { rop: 1 })];
    const headline = (source: readonly ComparedRecord[]) => {
      const { only, differing } = summarizeComparison(compare(source, one));
      return [only, differing];
    };
    expect(headline(one)).toEqual([0, 0]);
    expect(headline([record(Number.NaN, { rop: 1 }), ...one])).toEqual([1, 0]);
    expect(headline([record(1, { rop: 1, wob: 2 })])).toEqual([0, 1]);
    const same = compare(one, one);
    expect(summarizeComparison({ ...same, source: { ...same.source, rejected: 2 } }).only).toBe(2);
  });

  it('refuses records that are out of order', () => {
    expect(() => compare([record(2, {}), record(1, {})], [])).toThrow(/order/);
  });
});
