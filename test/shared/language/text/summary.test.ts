import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runStages } from '../../../../src/demo/mongo.ts';
import { isObject, type JsonObject } from '../../../../src/shared/json.ts';
import { parseRelaxedArray } from '../../../../src/shared/language/relaxed.ts';
import {
  computesPath,
  measureColumns,
  measureKinds,
  readSummary,
  recordsColumn,
  writeSummary,
  type Grouping,
  type Measure,
  type Summary,
} from '../../../../src/shared/language/text/summary.ts';
import { nullTokens } from '../../../../src/shared/upload/null-tokens.ts';

const rop: Summary = {
  match: '{ asset_id: {{wells}} }',
  measures: [{ kind: 'mean', path: 'data.rop' }],
  groups: [
    { path: 'asset_id', step: null },
    { path: 'timestamp', step: 3_600_000 },
  ],
  order: null,
};

describe('a summary as a pipeline', () => {
  it('keeps the conditions, has no limit, and leaves out null values', () => {
    const text = writeSummary(rop);
    expect(text).toContain('{ $match: { asset_id: {{wells}} } }');
    expect(text).not.toContain('$limit');
    expect(text).toContain('-999.25');
    expect(text.split('\n').length).toBeLessThan(12);
  });

  it('has one group without a depth for all depths that are null values', () => {
    const byDepth: Summary = { ...rop, match: '{}', groups: [{ path: 'measured_depth', step: 10 }] };
    const stages = parseRelaxedArray(writeSummary(byDepth), 'stages').filter((stage) => isObject(stage));
    const records = [-999.25, 1203, null, 1207, -9999].map((depth, at) => ({
      measured_depth: depth,
      data: { rop: at },
    }));
    const rows = runStages(records, stages);
    expect(rows.map((row) => [row['measured_depth'], row[recordsColumn]])).toEqual([
      [null, 3],
      [1200, 2],
    ]);
  });

  it('has a column for each measure, whose names differ', () => {
    const measures: Measure[] = [
      { kind: 'mean', path: 'data.rop' },
      { kind: 'max', path: 'data.rop' },
      { kind: 'mean', path: 'data.bit.depth' },
      { kind: 'mean', path: 'data.bit_depth' },
    ];
    expect(measureColumns({ measures, groups: [] })).toEqual([
      'rop_mean',
      'rop_max',
      'bit_depth_mean',
      'bit_depth_mean_2',
    ]);
  });

  it('keeps a comment in its conditions, and is none with a comment behind them, which it would lose', () => {
    const match = '{ asset_id: 5001 } // one well';
    expect(readSummary(writeSummary({ ...rop, match }))).toBeNull();
    const inside = '{ asset_id: 5001, /* one well */ }';
    expect(readSummary(writeSummary({ ...rop, match: inside }))?.match).toBe(inside);
  });

  it.each([
    ['a limit', (text: string) => text.replace('  { $group', '  { $limit: 5 },\n  { $group')],
    ['another accumulator', (text: string) => text.replace('$avg', '$push')],
    [
      'a mean that counts null values',
      (text: string) => text.replace(/\{ \$cond: .*? "\$data\.rop"\] \}/, '"$data.rop"'),
    ],
    ['a further stage', (text: string) => text.replace(/\]\n$/, '  { $skip: 1 },\n]\n')],
    [
      'a further stage with a number that no double holds',
      (text: string) => text.replace(/\]\n$/, '  { $match: { records: { $lt: 9007199254740993 } } },\n]\n'),
    ],
    ['a comment', (text: string) => text.replace('  { $sort', '  // by well\n  { $sort')],
    [
      'a stage that is switched off',
      (text: string) => text.replace('  { $sort', '  // { $skip: 2 },\n  { $sort'),
    ],
    ['a half-typed stage', (text: string) => text.slice(0, -12)],
    ['no match', (text: string) => text.replace('$match', '$set')],
    ['nothing', () => ''],
  ])('is no summary with %s', (_what, change) => {
    const text = change(writeSummary(rop));
    expect(text).not.toBe(writeSummary(rop));
    expect(readSummary(text)).toBeNull();
  });
});

const paths = [
  'data.rop',
  'data.weight_on_bit',
  'data.1',
  'data.bit.depth',
  'data.bit_depth',
  'data.größe',
  'measured_depth',
];
const measure = fc.record({ kind: fc.constantFrom(...measureKinds), path: fc.constantFrom(...paths) });
const grouping = fc.oneof(
  fc.record<Grouping>({
    path: fc.constantFrom('asset_id', 'data.state', 'metadata.asset_id', 'data.2'),
    step: fc.constant(null),
  }),
  fc.record<Grouping>({
    path: fc.constantFrom('timestamp', 'measured_depth'),
    step: fc.constantFrom(0.5, 10, 60_000, 86_400_000),
  }),
);
const summary = fc
  .record({
    match: fc.constantFrom(
      '{}',
      '{ asset_id: {{wells}}, timestamp: { $gte: {{now-24h}} } }',
      '{ "data.rop": { $gt: 1e2 } }',
    ),
    measures: fc.uniqueArray(measure, { maxLength: 4, selector: ({ kind, path }) => `${kind} ${path}` }),
    groups: fc.uniqueArray(grouping, { maxLength: 3, selector: ({ path }) => path }),
  })
  .map((drawn): Summary => {
    const isOrdered = drawn.measures.some(({ kind }) => kind === 'first' || kind === 'last');
    return { ...drawn, order: isOrdered ? 'timestamp' : null };
  });

describe('any summary', () => {
  it('is read back from its text, however that is spaced and quoted', () => {
    fc.assert(
      fc.property(summary, (drawn) => {
        const text = writeSummary(drawn);
        expect(readSummary(text)).toEqual(drawn);
        expect(readSummary(text.replaceAll('\n', ' '))).toEqual(drawn);
        const quoted = text.replaceAll(/([{,] )(\$?\w+):/g, '$1"$2":');
        expect(readSummary(quoted)).toMatchObject({ measures: drawn.measures, groups: drawn.groups });
      }),
    );
  });

  it('is not read from a text with another result: what is read is what is written', () => {
    const cut = fc.record({ drawn: summary, at: fc.nat(), to: fc.constantFrom('', '1', 'x', '}', '"', ' ') });
    fc.assert(
      fc.property(cut, ({ drawn, at, to }) => {
        const text = writeSummary(drawn);
        const place = at % text.length;
        const changed = text.slice(0, place) + to + text.slice(place + 1);
        const read = readSummary(changed);
        if (read === null) return;
        const withoutMatch = (each: string, match: string) =>
          parseRelaxedArray(each.replace(match, '{}'), 'stages');
        expect(withoutMatch(writeSummary(read), read.match)).toEqual(withoutMatch(changed, read.match));
      }),
    );
  });

  it('computes what a loop over all records computes', () => {
    const record = fc.record({
      asset_id: fc.constantFrom(5001, 5002, 5003),
      timestamp: fc.integer({ min: 0, max: 10_000_000 }),
      rop: fc.option(fc.oneof(fc.integer({ min: -500, max: 500 }), fc.constantFrom(...nullTokens))),
    });
    fc.assert(
      fc.property(
        fc.uniqueArray(record, { maxLength: 40, selector: ({ timestamp }) => timestamp }),
        fc.constantFrom(...measureKinds),
        (records, kind) => {
          const drawn: Summary = {
            match: '{}',
            measures: [{ kind, path: 'data.rop' }],
            groups: rop.groups,
            order: kind === 'first' || kind === 'last' ? 'timestamp' : null,
          };
          const stored = records.map(({ rop: value, ...rest }): JsonObject => ({
            ...rest,
            data: { rop: value },
          }));
          const stages = parseRelaxedArray(writeSummary(drawn), 'stages').filter((stage) => isObject(stage));
          const wanted = Map.groupBy(
            records.toSorted((a, b) => a.timestamp - b.timestamp),
            ({ asset_id: well, timestamp }) => `${well} ${Math.floor(timestamp / 3_600_000) * 3_600_000}`,
          );
          const found = runStages(stored, stages);
          expect(found.reduce((sum, row) => sum + Number(row[recordsColumn]), 0)).toBe(records.length);
          expect(found).toHaveLength(wanted.size);
          for (const row of found) {
            const group = wanted.get(`${String(row['asset_id'])} ${String(row['timestamp'])}`) ?? [];
            expect(row[recordsColumn]).toBe(group.length);
            const all = group.map(({ rop: value }) =>
              value === null || nullTokens.includes(value) ? null : value,
            );
            const numbers = all.filter((value) => value !== null);
            const sorted = numbers.toSorted((a, b) => a - b);
            const total = numbers.reduce((sum, value) => sum + value, 0);
            const figures = {
              mean: numbers.length === 0 ? null : total / numbers.length,
              sum: total,
              min: sorted[0] ?? null,
              max: sorted.at(-1) ?? null,
              first: all[0] ?? null,
              last: all.at(-1) ?? null,
              median: null,
            };
            const value = row[`rop_${kind}`] ?? null;
            if (kind !== 'median') expect(value === null ? null : Number(value)).toEqual(figures[kind]);
            else if (numbers.length > 0) {
              // Of an even number, the service may select either.
              expect(Number(value)).toBeGreaterThanOrEqual(sorted[Math.floor((sorted.length - 1) / 2)]!);
              expect(Number(value)).toBeLessThanOrEqual(sorted[Math.floor(sorted.length / 2)]!);
            }
          }
        },
      ),
    );
  });
});

it('a pipeline computes the paths that it sets to something else than their field', () => {
  const computed = (stages: string) =>
    ['depth', 'data.rop', 'data.wob'].filter((path) => computesPath(stages)(path));
  expect(computed('[{ $addFields: { "data.rop": { $multiply: ["$data.rop", 0.3048] } } }]')).toEqual([
    'data.rop',
  ]);
  expect(computed('[{ $set: { data: { wob: "$data.rop" }, depth: "$depth" } }]')).toEqual(['data.wob']);
  expect(
    computed('[{ $group: { _id: "$w", depth: { $max: "$depth" } } }, { $project: { depth: 1 } }]'),
  ).toEqual([]);
  expect(computed('[{ $group: { _id: "$w", depth: { $max: "$other" } } }]')).toEqual(['depth']);
  // A sum of temperatures would be converted wrongly.
  const sums = computesPath('[{ $group: { _id: "$w", flow: { $sum: "$flow" }, temp: { $sum: "$temp" } } }]');
  expect([sums('flow', 'bbl'), sums('flow', 'joints')]).toEqual([false, false]);
  expect(['degF', '°C', 'K'].map((unit) => sums('temp', unit))).toEqual([true, true, true]);
  expect(computed('[{ $project: { data: "$other" } }, { $sort: { depth: 1 } }]')).toEqual([
    'data.rop',
    'data.wob',
  ]);
  expect(computed('[{ $replaceRoot: { newRoot: "$data" } }]')).toHaveLength(3);
  const newest = '{ $group: { _id: "$asset_id", newest: { $first: "$$ROOT" } } }';
  expect(computed(`[${newest}, { $replaceRoot: { newRoot: "$newest" } }]`)).toEqual([]);
  expect(computed(`[${newest}, { $replaceWith: "$newest" }]`)).toEqual([]);
  expect(computed(`[${newest}, { $replaceWith: "$newest.data" }]`)).toHaveLength(3);
  // The steps of a summary are in the unit of their field.
  expect(computed(writeSummary({ ...rop, groups: [{ path: 'depth', step: 10 }] }))).toEqual([]);
});
