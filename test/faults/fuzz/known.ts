import type { Random } from './random.ts';

/** Meaningful values for the application under test, by field name. */
export type Known = Record<string, [unknown, ...unknown[]]>;

const queries: Known[string] = [
  '{}',
  '{ asset_id: 5001 }',
  '{ asset_id: { $in: [5001, 5002] }, timestamp: { $gte: 1700000000, $lt: {{now}} } }',
  '{ asset_id: {{wells}} }',
  '{ "data.bit_depth": { $gt: 1e3, $exists: true } }',
  '{ $or: [{ asset_id: 1 }, { $and: [{ a: /x/i }, { b: null }] }] }',
  '{ _id: ObjectId("507f1f77bcf86cd799439011"), t: ISODate("2026-01-01") }',
  '{ n: NumberLong("9223372036854775807") }',
  '{ __proto__: { a: 1 }, constructor: 1 }',
  '// nothing\n{}',
];
const sorts: Known[string] = ['', '{}', '{ timestamp: -1 }', '{ "data.x": 1, _id: -1 }'];
const stages: Known[string] = [
  '[{ $match: { asset_id: 5001 } }, { $limit: 3 }]',
  '[{ $match: { asset_id: 5001 } }, { $group: { _id: "$asset_id", n: { $sum: 1 } } }, { $sort: { n: -1 } }]',
  '[{ $limit: 5 }, { $project: { data: 0 } }, { $count: "n" }]',
  '[{ $out: "x" }]',
];

/** Pools for fields whose values must exist; ids are added as they are created. */
export function knownValues(): Known {
  return {
    query: queries,
    filter: ['{}', '{ asset_id: 5001 }', ''],
    match: queries,
    sort: sorts,
    sql: [
      'SELECT 1 AS a',
      'SELECT * FROM time',
      'SELECT * FROM range(10) r(i), time ORDER BY ALL',
      "SELECT * FROM read_text('/etc/alpine-release')",
      "COPY (SELECT 1) TO 'x.csv'",
    ],
    stages,
    pipeline: stages,
    group: ['{ _id: "$asset_id" }', '{ _id: null, n: { $sum: 1 } }'],
    project: ['{ a: 1 }', '', '{}'],
    provider: ['demo'],
    dataset: ['wits', 'wits', 'logs.depth', 'uploads.time', '../x'],
    assets: [[5001], [5001, 5002]],
    wells: [[5001], []],
    names: [['5001'], ['Ridge A-100H', 'nobody']],
    limit: [1, 5, 50],
    skip: [0, 1, 1000],
    timeoutMs: [1000, 2000],
    concurrency: [1, 2, 16],
    timeZone: ['UTC', 'America/Chicago', 'Asia/Tokyo'],
    email: ['me@company.example'],
    everyMs: [2000],
    encoding: ['utf-8', 'windows-1252'],
    delimiter: [',', ';'],
    headerRow: [1],
    unitRow: [0],
    footerRows: [0, 1],
  };
}

const maxKnown = 12;

/** Adds a value to the pool of a field; the pool keeps its newest. */
export function learn(known: Known, field: string, ...values: readonly unknown[]): void {
  for (const value of values) {
    const others = (known[field] ?? []).filter((other) => other !== value);
    known[field] = [value, ...others.slice(0, maxKnown - 1)];
  }
}

export const pickKnown = (known: Known, field: string, random: Random): unknown =>
  Object.hasOwn(known, field) && known[field] ? random.pick(known[field]) : undefined;
