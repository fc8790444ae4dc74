import { describe, expect, it } from 'vitest';
import type { Calculation } from '../../../../src/shared/calculated/calculated.ts';
import { calculationFacts, createCalculator } from '../../../../src/main/core/records/calculator.ts';
import { createPathTree, RecordScanner } from '../../../../src/main/core/records/scan.ts';
import { seededRandom } from '../../../support/clock.ts';

const fields: Calculation['fields'] = [
  { id: 'timestamp', values: 'time' },
  { id: 'asset_id', values: 'number' },
  { id: 'data.rop', values: 'number', unit: 'ft/h' },
  { id: 'data.wob', values: 'number', unit: 'klbf' },
];
const calculationOf = (columns: Record<string, string>): Calculation => ({
  columns: Object.entries(columns).map(([name, expression]) => ({ name, expression })),
  fields,
  index: 'timestamp',
  order: 'ascending',
  series: ['asset_id'],
});

interface Drilling {
  readonly asset_id: number;
  readonly timestamp?: number | string;
  readonly data: { readonly rop?: number | null; readonly wob?: number };
  readonly ratio?: number;
}

/** The records with calculated columns, page by page. */
function calculated(calculation: Calculation, pages: readonly (readonly unknown[])[]): unknown[] {
  const tree = createPathTree();
  const scanner = new RecordScanner({ tree, keyField: null });
  const calculate = createCalculator(calculation, tree);
  return pages.flatMap((page) => {
    const scanned = scanner.scanArray(JSON.stringify(page));
    const bytes = calculate(scanned, [...page.keys()]);
    const records = JSON.parse(new TextDecoder().decode(bytes)) as unknown[];
    scanner.release(scanned);
    return records;
  });
}

/** Two wells in order of time, at different rates. */
const drilling = (count: number): Drilling[] => {
  const random = seededRandom(7);
  return Array.from({ length: count }, (_, at) => ({
    asset_id: random() < 0.3 ? 2 : 1,
    timestamp: 1_700_000_000_000 + at * 1000,
    data: { rop: random() < 0.1 ? -999.25 : Math.round(random() * 1000) / 10, wob: at % 7 },
  }));
};

describe('calculated columns of an export', () => {
  it('are the last members of a record; where there is no value, there is none', () => {
    const records: Drilling[] = [
      { asset_id: 1, timestamp: 1, data: { rop: 10, wob: 2 } },
      { asset_id: 1, timestamp: 2, data: { rop: 10, wob: 0 } },
      { asset_id: 1, timestamp: 3, data: { rop: null, wob: 1 } },
      { asset_id: 2, timestamp: 4, data: { rop: -999.25, wob: 1 } },
    ];
    expect(calculated(calculationOf({ ratio: 'rop / wob', twice: 'ratio * 2' }), [records])).toEqual([
      { ...records[0], ratio: 5, twice: 10 },
      ...records.slice(1),
    ]);
    // A record's own field stays.
    const own: Drilling = { asset_id: 1, data: { rop: 1, wob: 1 }, ratio: 7 };
    expect(calculated(calculationOf({ ratio: 'rop / wob' }), [[own, {}]])).toEqual([own, {}]);
  });

  it('go by log, in whatever order a record has its fields', () => {
    const calculation = {
      ...calculationOf({ step: 'difference(rop)' }),
      series: ['asset_id', 'log_identifier'],
    };
    const [a, b, c] = [10, 20, 40].map((rop, at) => ({ timestamp: at, data: { rop } }));
    const log = { asset_id: 1, log_identifier: 'x' };
    const records = [
      { ...log, ...a },
      { log_identifier: 'x', asset_id: 1, ...b },
      { log_identifier: 1, asset_id: '"x"', ...b },
      { ...log, ...c },
    ];
    expect(calculated(calculation, [records])).toMatchObject([{}, { step: 10 }, {}, { step: 20 }]);
    expect(calculated(calculation, [records])[2]).not.toHaveProperty('step');
  });

  it('go by well in order of time, however the pages are cut', () => {
    const records = drilling(3000);
    const calculation = calculationOf({
      mean: 'rolling_mean(rop, 30)',
      minute: 'rolling_max(wob, 1 min)',
      step: 'difference(timestamp)',
      smooth: 'rolling_mean(mean, 5)',
      long: 'rolling_sum(rop, 200)',
    });
    const whole = calculated(calculation, [records]);
    const random = seededRandom(11);
    for (let round = 0; round < 5; round += 1) {
      const pages: Drilling[][] = [];
      for (let at = 0; at < records.length;) {
        const size = 1 + Math.floor(random() * 400);
        pages.push(records.slice(at, at + size));
        at += size;
      }
      expect(calculated(calculation, pages)).toEqual(whole);
    }
    // By hand: the last row of the second well.
    const ofWell = records.filter(({ asset_id: well }) => well === 2).slice(-30);
    const rops = ofWell.flatMap(({ data: { rop } }) => (rop === -999.25 ? [] : [rop ?? 0]));
    const last = whole.findLast((record) => (record as Drilling).asset_id === 2) as { mean: number };
    expect(last.mean).toBeCloseTo(rops.reduce((sum, rop) => sum + rop, 0) / rops.length, 10);
  });

  it('refuse records out of order, which would have another value than in the window', () => {
    const [early, late] = [drilling(10), drilling(20).slice(10)];
    const calculation = calculationOf({ step: 'difference(timestamp)' });
    expect(() => calculated(calculation, [late, early])).toThrow(/out of the order of timestamp/);
    expect(calculated(calculationOf({ ratio: 'rop / wob' }), [late, early])).toHaveLength(20);
  });

  it('say which values they need, and what is wrong with them', () => {
    const inputsOf = (columns: Record<string, string>) => {
      const { paths, isOrdered } = calculationFacts(calculationOf(columns));
      return { paths, isOrdered };
    };
    expect(inputsOf({ ratio: 'rop / wob' })).toEqual({
      paths: ['data.rop', 'data.wob'],
      isOrdered: false,
    });
    expect(inputsOf({ mean: 'rolling_mean(rop, 10)' })).toEqual({
      paths: ['data.rop', 'asset_id', 'timestamp'],
      isOrdered: true,
    });
    expect(() => calculationFacts(calculationOf({ ratio: 'rop / torque' }))).toThrow(
      /The column ratio can’t be calculated\. There is no column “torque”/,
    );
  });
});
