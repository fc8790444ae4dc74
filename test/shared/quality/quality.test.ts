import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { createBatchBuilder, valueKinds } from '../../../src/shared/quality/batch.ts';
import { defaultSpikeThreshold } from '../../../src/shared/settings/settings.ts';
import { createQualityCheck, type QualityOptions } from '../../../src/shared/quality/engine.ts';
import {
  irregularWells,
  qualityReport,
  type QualityReport,
} from '../../../src/shared/quality/quality-report.ts';

interface TestRecord {
  readonly at: number;
  readonly well?: string;
  readonly [field: string]: number | string | null | undefined;
}

const start = Date.UTC(2026, 0, 1);
const second = 1000;

const byTime: QualityOptions = {
  index: { field: 'timestamp', kind: 'time', unit: 's' },
  step: null,
  range: { from: null, to: null, excludesFrom: false, includesTo: false },
  wells: [],
  limitsOf: () => null,
  unitOf: () => null,
  checks: { spikeThreshold: defaultSpikeThreshold, minFlatRecords: 20 },
};

/** Checks records in batches of alternating sizes. */
function check(
  records: readonly TestRecord[],
  options: Partial<QualityOptions> = {},
  sizes: readonly number[] = [7],
): QualityReport {
  const quality = createQualityCheck({ ...byTime, ...options });
  const builder = createBatchBuilder(Math.max(...sizes));
  let cut = 0;
  const flush = (): void => {
    if (builder.rows === 0) return;
    quality.add(builder.batch(), builder.seriesNames);
    builder.clear();
    cut += 1;
  };
  for (const { at, well = '1', ...fields } of records) {
    for (const [name, value] of Object.entries(fields)) {
      const column = builder.column(name);
      if (typeof value === 'number') builder.number(column, value);
      else if (value === null) builder.kind(column, valueKinds.null);
      else if (value !== undefined) builder.kind(column, valueKinds.text);
    }
    builder.endRow(at, builder.series(well));
    if (builder.rows >= (sizes[cut % sizes.length] ?? 1)) flush();
  }
  flush();
  return quality.report();
}

test('a report has finite numbers only, whatever the records have', () => {
  const values = [Infinity, -Infinity, Number.NaN, 1e308, -1e308, Number.MAX_VALUE, 1e300, 0, 1];
  const number = fc.constantFrom(...values);
  const place = fc.oneof(
    number,
    fc.nat(100).map((n) => start + n * second),
  );
  const rows = fc.array(fc.record({ at: place, well: fc.constantFrom('1', '2'), a: number, b: number }), {
    maxLength: 60,
  });
  fc.assert(
    fc.property(rows, (records) => {
      const report = check(records, {
        checks: { ...byTime.checks, minFlatRecords: 2 },
        limitsOf: () => ({ min: 0, max: 1 }),
      });
      expect(qualityReport.safeParse(report).error).toBeUndefined();
    }),
  );
});

/** A pseudorandom number from 0 to 1 of an integer. */
const noise = (n: number): number => {
  const x = Math.sin(n * 12.9898 + 4.1414) * 43_758.5453;
  return x - Math.floor(x);
};

/** A channel that drifts, with noise, and never repeats a value. */
const drilling = (n: number): number => 100 + 20 * Math.sin(n / 40) + noise(n);

const perSecond = (count: number, well = '1'): TestRecord[] =>
  Array.from({ length: count }, (_, n) => ({ at: start + n * second, well, rop: drilling(n) }));

/** Positions of planted faults, far enough apart that they don't overlap. */
const places = fc
  .uniqueArray(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 6 })
  .map((tens) => tens.toSorted((a, b) => a - b).map((ten) => ten * 100));

test('planted gaps are found exactly, in the middle and at both edges of the requested range', () => {
  fc.assert(
    fc.property(
      places,
      fc.integer({ min: 1, max: 60 }),
      fc.integer({ min: 0, max: 50 }),
      fc.integer({ min: 0, max: 50 }),
      (at, length, before, after) => {
        const kept = perSecond(1000)
          .slice(before, 1000 - after)
          .filter(({ at: time }) => {
            const n = (time - start) / second;
            return !at.some((gap) => n >= gap && n < gap + length);
          });
        const range = { from: start, to: start + 1000 * second, excludesFrom: false, includesTo: false };
        const report = check(kept, { range });
        const last = (n: number) => start + (n - 1) * second;
        const expected = at
          .map((gap) => ({
            from: last(Math.max(gap, 0)),
            to: start + Math.min(gap + length, 1000) * second,
            missing: Math.min(length, 1000 - gap),
          }))
          .filter(({ missing }) => missing > 0);
        const edges = [
          ...(before > 0 ? [{ from: start, to: start + before * second, missing: before }] : []),
          ...(after > 0 ? [{ from: last(1000 - after), to: start + 1000 * second, missing: after }] : []),
        ];
        // A gap of 60 records from 900 on can reach the edge.
        fc.pre(!at.some((gap) => gap + length >= 1000 - after));
        expect(report.gaps.map(({ from, to, missing }) => ({ from, to, missing }))).toEqual(
          [...expected, ...edges].toSorted((a, b) => a.from - b.from),
        );
        expect(report.missing).toBe(1000 - kept.length);
        expect(report.gapCount).toBe(report.gaps.length);
        expect(report.index.step).toBe(second);
      },
    ),
  );
});

test('an empty range is reported as one gap, for each requested well', () => {
  const range = { from: start, to: start + 60 * second, excludesFrom: false, includesTo: false };
  const missing = { well: '', from: start, to: start + 60 * second, missing: 60 };
  expect(check([], { range, step: second }).gaps).toEqual([missing]);
  expect(check([], { range }).gaps).toEqual([{ ...missing, missing: null }]);
  expect(check(perSecond(60), { range, wells: ['1', '2'] }).gaps).toEqual([{ ...missing, well: '2' }]);
});

test('a requested well without records is a gap as long as the records of the others, where the range is open', () => {
  const gap = { well: '2', from: start, to: start + 59 * second };
  const report = check(perSecond(60), { wells: ['1', '2'] });
  expect(report).toMatchObject({ gaps: [{ ...gap, missing: 60 }], gapCount: 1, missing: 60 });
  // Between records of one well: such a gap is reported with the well.
  expect(report.longest).toMatchObject({ to: start + second });
  const from = start - 10 * second;
  const range = { ...byTime.range, from };
  expect(check(perSecond(60), { range, wells: ['2'] }).gaps).toContainEqual({ ...gap, from, missing: 70 });
});

test('a range that excludes its start expects no record there, and one that includes its end expects one', () => {
  const range = { from: start, to: start + 59 * second, excludesFrom: true, includesTo: true };
  const wells = ['1', '2'];
  expect(check([], { range, step: second, wells }).gaps.map(({ missing }) => missing)).toEqual([59, 59]);
  const after = (well: string) => perSecond(60, well).slice(1);
  const complete = check([...after('1'), ...after('2')], { range, wells });
  expect(complete).toMatchObject({ missing: 0, gaps: [] });
  expect(complete.completeness.rows.every((share) => share === 100)).toBe(true);
  expect(check([...after('1'), ...after('2').slice(4)], { range, wells })).toMatchObject({
    missing: 4,
    gaps: [{ well: '2', from: start, to: start + 5 * second, missing: 4 }],
  });
});

test('a requested well whose records are counted, but not checked, is not reported as empty', () => {
  const wells = Array.from({ length: 1001 }, (_, index) => String(index + 1));
  const records = wells.map((well) => ({ at: start, well }));
  const range = { from: start, to: start + second, excludesFrom: false, includesTo: false };
  expect(check(records, { range, step: second, wells })).toMatchObject({ uncheckedWells: 1, gaps: [] });
});

test('repeated times are counted, and out-of-order records, which fill the gap that they left', () => {
  fc.assert(
    fc.property(places, fc.integer({ min: 1, max: 5 }), (at, times) => {
      const records = perSecond(1000).flatMap((record, n) =>
        at.includes(n) ? Array.from({ length: times + 1 }, () => record) : [record],
      );
      expect(check(records)).toMatchObject({ duplicates: at.length * times, gapCount: 0, disorder: 0 });
    }),
  );
  fc.assert(
    fc.property(places, fc.integer({ min: 2, max: 40 }), (at, late) => {
      const records = perSecond(1100);
      for (const n of at) records.splice(n + late, 0, ...records.splice(n, 1));
      expect(check(records)).toMatchObject({ disorder: at.length, duplicates: 0, gapCount: 0, missing: 0 });
    }),
  );
});

test('one or two planted flat lines are found exactly', () => {
  fc.assert(
    fc.property(places, fc.integer({ min: 20, max: 80 }), (all, length) => {
      const at = all.slice(0, 2);
      const records = perSecond(1000).map((record, n) => {
        const flat = at.find((from) => n >= from && n < from + length);
        return flat === undefined ? record : { ...record, rop: drilling(flat) };
      });
      const [rop] = check(records).fields;
      expect(rop?.flat).toEqual(
        at.map((from) => ({
          well: '1',
          from: start + from * second,
          to: start + (from + length - 1) * second,
          records: length,
          value: drilling(from),
        })),
      );
      expect(rop?.spikes).toBe(0);
    }),
  );
});

/** A day of one value a second in each of two wells. */
const day = (valueOf: (n: number, well: string) => number): TestRecord[] =>
  Array.from({ length: 20_000 }, (_, n) =>
    ['1', '2'].map((well) => ({ at: start + n * second, well, value: valueOf(n, well) })),
  ).flat();
const flatsOf = (records: readonly TestRecord[], minFlatRecords = 30) =>
  check(records, { checks: { ...byTime.checks, minFlatRecords } }, [4096]).fields[0]?.flat;

test('a value that stays for 15 minutes in a channel that changes each second is flat, in its well only', () => {
  const stuck = day((n, well) => drilling(well === '2' && n >= 5000 && n < 5900 ? 5000 : n));
  const flat = { well: '2', from: start + 5000 * second, to: start + 5899 * second, records: 900 };
  expect(flatsOf(stuck)).toMatchObject([flat]);
  expect(flatsOf(stuck, 900)).toMatchObject([flat]);
  expect(flatsOf(stuck, 901)).toEqual([]);
  expect(flatsOf(day((n) => (n < 29 ? 1 : drilling(n))))).toEqual([]);
  expect(flatsOf(day((n) => (n < 30 ? 1 : drilling(n))))).toMatchObject([{ well: '1' }, { well: '2' }]);
});

test.each<[string, (n: number) => number]>([
  ['a constant, such as a bit size', () => 8.5],
  ['a set point that changes now and then', (n) => Math.floor(noise(Math.floor(n / 700)) * 1000)],
  ['a counter of stands', (n) => Math.floor(n / 300)],
  ['a set point that stays for long once', (n) => (n < 8000 ? 1 : Math.floor(n / 500))],
  [
    'a depth that waits at each connection',
    (n) => (n % 1500 < 400 ? Math.floor(n / 1500) : n / 1500 + noise(n)),
  ],
  [
    'a sensor that repeats each value a few times',
    (n) => drilling(Math.floor(n / (10 + Math.floor(noise(n) * 3)))),
  ],
])('%s isn’t flat', (_what, valueOf) => {
  expect(flatsOf(day(valueOf))).toEqual([]);
});

test('the flat lines of a channel are the same however its records are cut into batches', () => {
  const records = day((n, well) => (n % 4000 < 60 && well === '1' ? 7 : drilling(n)));
  const [one, other] = [[4096], [1, 777]].map((sizes) => check(records, {}, sizes).fields[0]?.flat);
  expect(one).toHaveLength(5);
  expect(other).toEqual(one);
});

test('planted spikes are found exactly, but not steps or longer excursions', () => {
  fc.assert(
    fc.property(places, fc.integer({ min: 1, max: 2 }), fc.boolean(), (at, width, isUp) => {
      const records = perSecond(1000).map((record, n) => {
        const isSpike = at.some((from) => n >= from && n < from + width);
        return isSpike ? { ...record, rop: drilling(n) + (isUp ? 80 : -80) } : record;
      });
      const [rop] = check(records).fields;
      const planted = at.flatMap((from) => Array.from({ length: width }, (_, n) => from + n));
      expect(rop?.spikePlaces.map((spike) => spike.at)).toEqual(planted.map((n) => start + n * second));
      expect(rop?.spikes).toBe(planted.length);
    }),
  );
  fc.assert(
    fc.property(places, fc.integer({ min: 4, max: 80 }), (at, width) => {
      const records = perSecond(1000).map((record, n) =>
        at.some((from) => n >= from && n < from + width) ? { ...record, rop: drilling(n) + 80 } : record,
      );
      expect(check(records).fields[0]?.spikes).toBe(0);
    }),
  );
});

test('spikes are found at the first and the last record', () => {
  const records = perSecond(100);
  const spiked = records.map((record, n) => (n === 0 || n === 99 ? { ...record, rop: 900 } : record));
  expect(check(spiked).fields[0]?.spikePlaces.map(({ at }) => at)).toEqual([start, start + 99 * second]);
});

test('a second well between the records makes no gaps, disorder, or spikes', () => {
  fc.assert(
    fc.property(fc.integer({ min: -5000, max: 5000 }), fc.integer({ min: 1, max: 9 }), (shift, every) => {
      const second2 = perSecond(500, '2').map((record, n) => ({
        ...record,
        at: record.at + shift * second,
        rop: 5000 + drilling(n),
      }));
      const mixed = perSecond(1000).flatMap((record, n) =>
        n % every === 0 && second2.length > 0 ? [record, ...second2.splice(0, 1)] : [record],
      );
      const report = check(mixed);
      expect(report).toMatchObject({ gapCount: 0, disorder: 0, duplicates: 0 });
      expect(report.wells.map(({ well }) => well)).toEqual(['1', '2']);
      expect(report.fields[0]).toMatchObject({ spikes: 0, flatCount: 0 });
    }),
  );
});

test('gaps are found in a log with decreasing depths', () => {
  const records = perSecond(100)
    .filter((_, n) => n < 40 || n >= 50)
    .toReversed();
  expect(check(records)).toMatchObject({
    disorder: 0,
    missing: 10,
    gaps: [{ from: start + 39 * second, to: start + 50 * second, missing: 10 }],
  });
});

test('a clock with jitter has a step and no gaps; an irregular one has neither', () => {
  const jitter = perSecond(500).map((record, n) => ({
    ...record,
    at: record.at + Math.round(300 * noise(n)),
  }));
  const report = check(jitter);
  expect(report.gapCount).toBe(0);
  expect(report.index.step).toBeGreaterThan(700);
  expect(report.index.step).toBeLessThan(1300);
  let time = start;
  const events = perSecond(500).map((record, n) => {
    time += 1000 * 2 ** Math.floor(12 * noise(n)) + n;
    return { ...record, at: time };
  });
  expect(check(events)).toMatchObject({ index: { step: null }, gaps: [], gapCount: 0 });
});

test('gaps aren’t checked in wells whose records have no index, or no regular step', () => {
  const records = perSecond(100);
  const untimed = records.map((record) => ({ ...record, at: Number.NaN }));
  expect(irregularWells(check(records))).toEqual([]);
  expect(irregularWells(check(untimed))).toHaveLength(1);
});

test('nulls, null values, types, and values outside limits are counted', () => {
  const records: TestRecord[] = perSecond(100).map(({ at }, n) => ({
    at,
    rop: n < 10 ? null : n < 30 ? -999.25 : n,
    ...(n < 50 ? { mud: 'x' } : {}),
    mixed: n % 2 === 0 ? n : 'on',
  }));
  const limitsOf = (name: string) => (name === 'rop' ? { min: 0, max: 89 } : null);
  const { fields } = check(records, { limitsOf });
  expect(fields[0]).toMatchObject({ name: 'rop', nulls: 10, tokens: 20, values: 70, outside: 10 });
  expect(fields[0]?.outsidePlaces.map(({ value }) => value)).toEqual([
    90, 91, 92, 93, 94, 95, 96, 97, 98, 99,
  ]);
  expect(fields[0]).toMatchObject({
    first: start + 30 * second,
    last: start + 99 * second,
    min: 30,
    max: 99,
  });
  expect(fields[1]).toMatchObject({ name: 'mud', nulls: 50, types: { text: 50 } });
  expect(fields[2]).toMatchObject({ types: { number: 50, text: 50 } });
});

test('completeness is 100 percent when every record exists, and 0 when none does', () => {
  const kept = perSecond(4000).filter((_, n) => n < 1000 || n >= 3000);
  const { completeness } = check(kept);
  const { from, width, rows } = completeness;
  rows.forEach((share, bucket) => {
    const begin = (from + bucket * width - start) / second;
    const end = begin + width / second;
    if (end <= 1000 || begin >= 3000) expect(share).toBe(100);
    if (begin >= 1000 && end <= 3000) expect(share).toBe(0);
  });
  expect(completeness.fields).toEqual([rows]);
});

test('completeness counts each well and log by its own step', () => {
  const every = (step: number, from: number, count: number, well: string): TestRecord[] =>
    Array.from({ length: count }, (_, n) => ({ at: from + n * step, well }));
  const byDepth = { index: { field: 'measured_depth', kind: 'depth', unit: 'ft' } } as const;
  const logs = [...every(0.5, 1000, 2000, 'A'), ...every(1, 2000, 1000, 'B')];
  expect(new Set(check(logs, byDepth).completeness.rows)).toEqual(new Set([100]));
  // Buckets of two short steps wouldn't have a record of the long ones each.
  const wells = [...every(second, start, 3600, '1'), ...every(10 * second, start + 3600 * second, 360, '2')];
  expect(new Set(check(wells).completeness.rows)).toEqual(new Set([100]));
  // A well that lost most of its records beside one with rare records.
  const lost = every(second, start, 4000, '1').filter((_, n) => n % 15 < 3);
  const { completeness } = check([...lost, ...every(10 * second, start + 4000 * second, 2000, '2')]);
  const shareAt = (at: number): number =>
    completeness.rows[Math.floor((start + at * second - completeness.from) / completeness.width)] ?? -1;
  expect(Math.abs(shareAt(2000) - 20)).toBeLessThan(10);
  expect(shareAt(10_000)).toBe(100);
});

test('a null value such as -999.25 is no index', () => {
  const byDepth = { index: { field: 'measured_depth', kind: 'depth', unit: 'ft' } } as const;
  const report = check(
    [100, 101, -999.25, 103, 104, 105].map((at) => ({ at })),
    byDepth,
  );
  expect(report).toMatchObject({
    index: { first: 100, last: 105, step: 1 },
    unplaced: 1,
    missing: 1,
    disorder: 0,
    gaps: [{ from: 101, to: 103, missing: 1 }],
  });
});

test('the result does not depend on the batches of records', () => {
  const records = fc.array(
    fc.record({
      at: fc.integer({ min: start, max: start + 5000 * second }),
      well: fc.constantFrom('1', '2', '3'),
      a: fc.option(fc.oneof(fc.integer({ min: 0, max: 3 }), fc.double({ noNaN: true, min: -1e4, max: 1e4 }))),
      b: fc.constantFrom(-999.25, 5, 'text', null),
    }),
    { maxLength: 300 },
  );
  const sizes = fc.array(fc.integer({ min: 1, max: 90 }), { minLength: 1, maxLength: 5 });
  fc.assert(
    fc.property(records, sizes, fc.boolean(), (all, cuts, isSorted) => {
      const ordered = isSorted ? all.toSorted((a, b) => a.at - b.at) : all;
      expect(check(ordered, {}, cuts)).toEqual(check(ordered, {}, [1000]));
    }),
  );
});

test('every gap counts, however many distances there are, and the missing records are those of the gaps', () => {
  // A frequent step that begins after thousands of distinct distances.
  let at = start;
  const lengths = Array.from({ length: 12_000 }, (_, n) => ((n * 7919) % 12_000) + 1);
  const records = [...lengths, ...Array.from({ length: 20_000 }, () => 1)].map((steps) => {
    at += steps * second;
    return { at };
  });
  const report = check(records, {}, [4096]);
  const gaps = lengths.slice(1).filter((steps) => steps > 1);
  expect(report).toMatchObject({
    index: { step: second },
    gapCount: gaps.length,
    missing: gaps.reduce((sum, steps) => sum + steps - 1, 0),
  });
  // Late records in the longest gaps, whose distances are together with similar ones.
  const isLong = (n: number) => (lengths[n] ?? 0) > 11_900;
  const late = records.flatMap((record, n) =>
    n > 0 && isLong(n) ? [record, { at: record.at - second }] : [record],
  );
  expect(report.missing - check(late, {}, [4096]).missing).toBe(late.length - records.length);
});

/** Records of wells whose fields are each out of limits once. */
const wide = (wells: number, fields: number): TestRecord[] =>
  Array.from({ length: wells }, (_, well) =>
    [start, start + second].map((at, n) => {
      const values = Array.from(
        { length: fields },
        (_value, field) => [`c${field}`, n === 0 ? 5 : -5] as const,
      );
      return { ...Object.fromEntries(values), at, well: String(well) };
    }),
  ).flat();

test('values and limits are those of all wells, and it is said where flat lines and spikes are not checked', () => {
  const limitsOf = () => ({ min: 0, max: 10 });
  const report = check(wide(350, 200), { limitsOf }, [500]);
  for (const field of report.fields)
    expect(field).toMatchObject({ values: 700, nulls: 0, outside: 350, min: -5, max: 5 });
  const unchecked = report.fields.reduce((sum, { uncheckedWells }) => sum + uncheckedWells, 0);
  expect(unchecked).toBe(350 * 200 - 60_000);
  expect(check(wide(3, 200)).fields.every(({ uncheckedWells }) => uncheckedWells === 0)).toBe(true);
});

test('fields beyond the maximum are counted', () => {
  expect(check(wide(2, 2003))).toMatchObject({ uncheckedFields: 3, fields: { length: 2000 } });
  expect(check(wide(2, 2000))).toMatchObject({ uncheckedFields: 0 });
});
