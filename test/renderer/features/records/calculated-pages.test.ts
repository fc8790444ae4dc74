import { describe, expect, it } from 'vitest';
import { createCalculatedPages } from '../../../../src/renderer/features/records/calculated-pages.ts';
import { createMemory, createPages } from '../../../../src/renderer/features/records/pages.ts';
import type { Calculation } from '../../../../src/shared/calculated/calculated.ts';

const start = 1_700_000_000_000;
const record = (well: number, second: number, rop: number | null) => ({
  timestamp: start + second * 1000,
  asset_id: well,
  data: { rop },
});
/** Two wells whose records alternate. */
const records = Array.from({ length: 12 }, (_, at) =>
  record(at % 2 === 0 ? 1 : 2, Math.floor(at / 2), (at % 2 === 0 ? 10 : 1000) + Math.floor(at / 2)),
);

const calculation = (...expressions: string[]): Calculation => ({
  columns: expressions.map((expression, at) => ({ name: `c${at}`, expression })),
  fields: [
    { id: 'timestamp', values: 'time' },
    { id: 'asset_id', values: 'number' },
    { id: 'data.rop', values: 'number', unit: 'ft/h' },
  ],
  index: 'timestamp',
  order: 'ascending',
  series: ['asset_id'],
});

function open(extent: { rows: number; isAll: boolean; startsAtFirst: boolean }) {
  const memory = createMemory(1e9);
  const pages = createCalculatedPages(createPages({ memory }), () => extent, memory);
  return {
    pages,
    memory,
    column: (id: string) =>
      [...pages.numbers(id, { from: 0, to: extent.rows })].map((value) =>
        Number.isNaN(value) ? null : value,
      ),
  };
}
const all = { rows: 12, isAll: true, startsAtFirst: true };
const perWell = [null, null, ...Array.from({ length: 10 }, () => 1)];

describe('calculated columns of loaded rows', () => {
  it('are columns beside those that identify records, with cells where there is a value', () => {
    const { pages } = open(all);
    pages.add(0, [record(1, 0, 5), record(1, 1, -999.25), record(1, 2, null)], 1);
    const facts = pages.calculate(calculation('rop * 2', 'c0 + 1', 'nothing + 1'));
    expect(facts.map(({ unit, problem }) => [unit, problem === null])).toEqual([
      ['ft/h', true],
      ['ft/h', true],
      [null, false],
    ]);
    const { columns } = pages.slice({ from: 0, to: 3 });
    expect(columns.map(({ path }) => path.join('.'))).toEqual([
      'timestamp',
      'asset_id',
      'c0',
      'c1',
      'c2',
      'data.rop',
    ]);
    expect(columns.slice(2, 5).map(({ cells }) => Array.from(cells))).toEqual([
      [10, undefined, undefined],
      [11, undefined, undefined],
      [undefined, undefined, undefined],
    ]);
    const walked: unknown[] = [];
    pages.walk(['data.rop', 'c0'], null, (_, cells) => walked.push([...cells]));
    expect(walked).toEqual([
      [5, 10],
      [-999.25, undefined],
      [null, undefined],
    ]);
    pages.calculate(null);
    expect(pages.columns()).toHaveLength(3);
  });

  it('go by well and in order of time, whichever way the rows are sorted', () => {
    const ascending = open(all);
    ascending.pages.add(0, records, 1);
    ascending.pages.calculate(calculation('difference(rop)', 'rolling_mean(rop, 3)'));
    expect(ascending.column('c0')).toEqual(perWell);
    expect(ascending.column('c1').slice(-2)).toEqual([14, 1004]);
    for (const order of [
      records.toReversed(),
      records.toSorted((a, b) => ((a.data.rop ?? 0) % 7) - ((b.data.rop ?? 0) % 7)),
    ]) {
      const other = open(all);
      other.pages.add(0, order, 1);
      other.pages.calculate(calculation('difference(rop)'));
      const expected = order.map((one) => perWell[records.indexOf(one)]);
      expect(other.column('c0')).toEqual(expected);
    }
  });

  it('count in the memory of the window while their values are kept', () => {
    const [{ pages, memory, column }, other] = [open(all), open(all)];
    pages.add(0, records, 100);
    other.pages.add(0, records, 100);
    pages.calculate(calculation('rop * 2', 'rolling_mean(rop, 3)'));
    column('c0');
    column('c1');
    // Eight bytes for each row of the mean; the other column is calculated as it is read.
    expect([memory.size(), other.memory.size()]).toEqual([100 + 12 * 8, 100]);
    pages.release();
    expect(memory.size()).toBe(0);
  });

  it('have no value where rows before them may be missing, and get it when those are loaded', () => {
    const extent = { rows: 12, isAll: true, startsAtFirst: true };
    const { pages, column } = open(extent);
    pages.add(0, records.slice(0, 4), 1);
    pages.add(6, records.slice(6), 1);
    pages.calculate(calculation('rolling_sum(rop, 2)', 'rolling_sum(rop, 2 s)', 'rop'));
    const [byRows, byTime] = [column('c0'), column('c1')];
    expect(byRows.slice(0, 4)).toEqual([10, 1000, 21, 2001]);
    expect(byRows.slice(4, 8)).toEqual([null, null, null, null]);
    expect(byRows.slice(8)).toEqual([27, 2007, 29, 2009]);
    expect(byTime.slice(6)).toEqual([null, null, null, null, 29, 2009]);
    pages.add(4, records.slice(4, 6), 1);
    expect(column('c0').slice(6, 8)).toEqual([25, 2005]);
  });

  it('have no value at the last row of a descending result that ends at its limit', () => {
    const extent = { rows: 4, isAll: false, startsAtFirst: true };
    const { pages, column } = open(extent);
    pages.add(0, records.toReversed().slice(0, 4), 1);
    pages.calculate({ ...calculation('difference(rop)'), order: 'descending' });
    expect(column('c0')).toEqual([1, 1, null, null]);
  });

  it('have no value in a part of rows that aren’t sorted by time, as its wells have other rows between these', () => {
    for (const order of ['none', 'unknown'] as const) {
      const { pages, column } = open({ rows: 4, isAll: false, startsAtFirst: true });
      pages.add(0, [record(1, 5, 3), record(2, 9, 4), record(1, 8, 5), record(3, 2, 6)], 1);
      const [mean, row] = pages.calculate({ ...calculation('rolling_mean(rop, 2)', 'rop'), order });
      expect(column('c0')).toEqual([null, null, null, null]);
      expect([mean?.isOutOfReach, row?.isOutOfReach]).toEqual([true, false]);
    }
  });

  it('tell that no row has what a window needs, until it is loaded', () => {
    const { pages } = open({ rows: 12, isAll: true, startsAtFirst: true });
    pages.add(6, records.slice(6), 1);
    const long = calculation('rolling_mean(rop, 4)', 'rolling_mean(rop, 3)');
    const isOutOfReach = () => pages.calculate(long).map((facts) => facts.isOutOfReach);
    expect(isOutOfReach()).toEqual([true, false]);
    pages.add(0, records.slice(0, 6), 1);
    expect(isOutOfReach()).toEqual([false, false]);
  });

  it('leave a column alone that has their name', () => {
    const { pages, column } = open({ rows: 2, isAll: true, startsAtFirst: true });
    pages.add(
      0,
      [5, 6].map((c0) => ({ c0, timestamp: start, data: { rop: 1 } })),
      1,
    );
    const facts = pages.calculate(calculation('rop * 9', 'rop * 2', 'c0 + 1'));
    expect(facts.map(({ name, problem }) => [name, problem === null])).toEqual([
      ['c1', true],
      ['c2', false],
      ['c0', false],
    ]);
    expect([column('c0'), column('c1')]).toEqual([
      [5, 6],
      [2, 2],
    ]);
    expect(pages.columns().filter(({ path }) => path[0] === 'c0')).toHaveLength(1);
  });

  it('leave out rows whose depth is a null value', () => {
    const { pages, column } = open({ rows: 3, isAll: true, startsAtFirst: true });
    pages.add(
      0,
      [-999.25, 100, 101].map((depth) => ({ measured_depth: depth, data: { rop: 1 } })),
      1,
    );
    const { fields, ...base } = calculation('difference(measured_depth)');
    const depths = [...fields, { id: 'measured_depth', values: 'number' as const, unit: 'ft' }];
    pages.calculate({ ...base, fields: depths, index: 'measured_depth' });
    expect(column('c0')).toEqual([null, null, 1]);
  });
});
