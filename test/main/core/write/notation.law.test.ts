import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { DuckDBInstance } from '@duckdb/node-api';
import { describe, expect, it } from 'vitest';
import { useFolders } from '../../../support/folders.ts';
import { lawParameters } from '../../../support/sample.ts';
import { folderPlanFor, tableIn } from '../../features/export/support/folders.ts';
import { runExport } from '../../features/export/support/jobs.ts';
import { idAt, Rows } from '../../features/export/support/rows.ts';
import { writePages } from '../../features/export/support/written.ts';
import { day, start, useRowServices } from './folder/support.ts';

// Services, their earlier versions, and programs that fill them write the same number in several ways.

const folder = useFolders();
const service = useRowServices();

/** A double as services write it: the shortest text, 17 digits, 20 decimals, with an exponent, with a fraction of zeros. */
const notations: readonly ((value: number) => string)[] = [
  String,
  (value) => value.toPrecision(17),
  (value) => value.toFixed(20),
  (value) => value.toExponential(16),
  (value) => value.toExponential(),
  (value) => (Number.isInteger(value) ? `${value}.0` : String(value)),
];

interface Valued {
  readonly value: number | string | boolean | null;
  readonly notation: number;
}

const textOf = ({ value, notation }: Valued): string =>
  typeof value === 'number' ? (notations[notation]?.(value) ?? String(value)) : JSON.stringify(value);

const number = fc.oneof(
  fc.integer({ min: -100, max: 100 }),
  fc.double({ min: -1e6, max: 1e6, noNaN: true }).map((value) => Number(value.toFixed(2)) + 0),
  fc.double({ min: 1e-6, max: 1e15, noNaN: true }),
);
const values = fc.oneof(
  { weight: 6, arbitrary: fc.array(number, { minLength: 1, maxLength: 12 }) },
  { weight: 2, arbitrary: fc.array(fc.integer({ min: -5000, max: 5000 }), { minLength: 1, maxLength: 12 }) },
  {
    weight: 2,
    arbitrary: fc.array(fc.oneof(number, fc.constantFrom('none', 'I/O Timeout', true, null)), {
      minLength: 2,
      maxLength: 12,
    }),
  },
);

const recordOf = (n: number, json: string, field = 'rop'): string =>
  `{"_id":"${idAt(n)}","asset_id":5001,"timestamp":${start + n * 1000},"data":{"${field}":${json}}}`;

/** The engine of all tests: opening one takes longer than most of its statements. */
const instance = DuckDBInstance.create(':memory:');

/** Types and rows of Parquet files, as the engine reads them. */
async function readParquet(files: readonly string[]) {
  const connection = await (await instance).connect();
  const from = `read_parquet([${files.map((file) => `'${file}'`).join(', ')}], union_by_name = true, hive_partitioning = false)`;
  const types = await connection.runAndReadAll(`DESCRIBE SELECT * FROM ${from}`);
  const rows = await connection.runAndReadAll(`SELECT * FROM ${from} ORDER BY _id`);
  connection.closeSync();
  return {
    types: Object.fromEntries(types.getRows().map(([name, type]) => [String(name), String(type)])),
    rows: rows.getRowObjects().map((row) =>
      Object.fromEntries(
        Object.entries(row)
          .filter(([, value]) => value !== null)
          .map(([name, value]) => [name, typeof value === 'bigint' ? Number(value) : value]),
      ),
    ),
  };
}

/** A file of these records, in this order. */
async function exported(records: readonly string[]) {
  const home = await folder();
  const { finished } = await writePages(home, [`[${records.join(',')}]`], { format: 'parquet' });
  return { ...(await readParquet([join(home, 'out.parquet')])), warnings: finished.warnings };
}

async function update(path: string, rows: Rows) {
  const plan = await folderPlanFor(path, rows, { mirror: { overlapMs: day } });
  return (await runExport(await service(rows), await folder(), plan)).result;
}

/** The rows of a mirror. */
async function mirrored(path: string) {
  const { parts } = await tableIn(path);
  return readParquet(parts.map((part) => join(path, part.path)));
}

describe('the same records in any order and any notation', () => {
  it('are the same Parquet file', async () => {
    await fc.assert(
      fc.asyncProperty(
        values.chain((original) =>
          fc.record({
            plain: fc.constant(original.map((value) => ({ value, notation: 0 }))),
            written: fc.tuple(
              ...original.map((value) => fc.record({ value: fc.constant(value), notation: fc.nat(5) })),
            ),
            order: fc.shuffledSubarray([...original.keys()], { minLength: original.length }),
          }),
        ),
        async ({ plain, written, order }) => {
          const expected = await exported(plain.map((each, n) => recordOf(n, textOf(each))));
          const found = await exported(
            order.map((n) => recordOf(n, textOf(written[n] ?? { value: null, notation: 0 }))),
          );
          expect(found.types).toEqual(expected.types);
          const isMixed = expected.types['data.rop'] === 'VARCHAR';
          if (!isMixed) expect(found.rows).toEqual(expected.rows);
          expect(found.warnings.length).toBe(expected.warnings.length);
        },
      ),
      { ...lawParameters(25) },
    );
  });

  it('have a column for each field, whichever of those with almost the same name came first', async () => {
    const records = [
      recordOf(0, '1'),
      recordOf(1, '2', 'ROP'),
      recordOf(2, '3', 'rop '),
      recordOf(3, '4', 'Rop'),
    ];
    const expected = await exported(records);
    expect(Object.keys(expected.types)).toHaveLength(7);
    const mirrors: unknown[] = [];
    for (const order of [
      [3, 2, 1, 0],
      [1, 3, 0, 2],
    ]) {
      const found = await exported(order.map((n) => records[n] ?? ''));
      expect(found.types).toEqual(expected.types);
      expect(found.rows).toEqual(expected.rows);
      const path = join(await folder(), 'wits');
      await update(path, new Rows(order.map((n) => records[n] ?? '')));
      mirrors.push(await mirrored(path));
    }
    expect(mirrors[0]).toEqual(mirrors[1]);
  });
});

describe('numbers in a mirror', () => {
  const shortest = Array.from({ length: 60 }, (_, n) =>
    recordOf(n, String(Number((n * 1.37 + 0.01).toFixed(2)))),
  );
  const long = Array.from({ length: 60 }, (_, n) =>
    recordOf(100 + n, notations[1 + (n % 4)]?.(Number((n * 1.37 + 0.01).toFixed(2))) ?? ''),
  );
  const expectedMean = (2 * 60 * 0.01 + 2 * 1.37 * 1770) / 120;

  it('stay in the column of their field when the service begins to write them with all digits', async () => {
    const path = join(await folder(), 'wits');
    const rows = new Rows(shortest);
    await update(path, rows);
    rows.add(...long);
    expect(await update(path, rows)).toMatchObject({ rows: 120, warnings: [] });
    const { types, rows: found } = await mirrored(path);
    expect(Object.keys(types).filter((name) => name.startsWith('data.'))).toEqual(['data.rop']);
    const sum = found.reduce((total, row) => total + Number(row['data.rop']), 0);
    expect(sum / found.length).toBeCloseTo(expectedMean, 9);
  });

  it('that are texts, and texts among booleans, are said with their number, an example, and their column', async () => {
    const path = join(await folder(), 'wits');
    const rows = new Rows([recordOf(0, '1.5'), recordOf(1, 'true', 'on')]);
    await update(path, rows);
    rows.add(
      recordOf(2, '"none"'),
      recordOf(3, '"2.5"'),
      recordOf(4, '"false"', 'on'),
      recordOf(5, '"maybe"', 'on'),
    );
    const { warnings } = await update(path, rows);
    expect(warnings).toEqual([
      'Texts that are written like numbers became numbers: 1 of data.rop.',
      'Texts that are written like booleans became booleans: 1 of data.on.',
      expect.stringMatching(
        /^Values of another type are in separate columns: 1 text such as "none" of data\.rop in data\.rop_string, 1 text such as "(?:false|maybe)" of data\.on in data\.on_string\.$/,
      ),
    ]);
    const { columns, snapshot } = await tableIn(path);
    expect(columns.find((column) => column.path === 'data.rop')?.fields.map(({ name }) => name)).toEqual([
      'data.rop',
      'data.rop_string',
    ]);
    expect(snapshot.metaData.schemaString).toContain('Values of data.rop of another type');
  });
});

describe('numbers with more digits than a double has', () => {
  const field = async (path: string, name: string) =>
    (await tableIn(path)).columns.find((column) => column.path === name)?.fields.map((each) => each.name);

  it('are in the column of their field, also where it has texts', async () => {
    const path = join(await folder(), 'wits');
    const rows = new Rows([recordOf(0, '1.5'), recordOf(1, '"none"')]);
    await update(path, rows);
    rows.add(
      recordOf(2, '0.12345678901234567890123'),
      recordOf(3, '9007199254740993'),
      recordOf(4, '12345678901234567890'),
      recordOf(5, '1e400'),
    );
    const { warnings } = await update(path, rows);
    expect(warnings).toContainEqual(expect.stringContaining('data.rop (3 '));
    const found = (await mirrored(path)).rows.map((row) => row['data.rop']);
    expect(found).toEqual([
      1.5,
      undefined,
      0.12345678901234568,
      9_007_199_254_740_992,
      12_345_678_901_234_567_000,
      Infinity,
    ]);
    expect(await field(path, 'data.rop')).toEqual(['data.rop', 'data.rop_string']);
  });

  it('that are whole keep their digits, and later fractions in a column of their own are said', async () => {
    const path = join(await folder(), 'wits');
    const rows = new Rows([recordOf(0, '9007199254740993')]);
    expect(await update(path, rows)).toMatchObject({ warnings: [] });
    rows.add(recordOf(1, '0.5'), recordOf(2, '7'));
    const { warnings } = await update(path, rows);
    expect(warnings).toEqual([expect.stringContaining('data.rop in data.rop_double')]);
    const connection = await (await instance).connect();
    const { parts } = await tableIn(path);
    const sums = await connection.runAndReadAll(
      `SELECT sum("data.rop")::VARCHAR, sum("data.rop_double") FROM read_parquet([${parts.map((part) => `'${join(path, part.path)}'`).join(', ')}])`,
    );
    connection.closeSync();
    expect(sums.getRows()).toEqual([['9007199254741000', 0.5]]);
  });

  it('that are rounded in a file are said, with their number and an example', async () => {
    const { types, warnings } = await exported([
      recordOf(0, '0.5'),
      recordOf(1, '9007199254740993'),
      recordOf(2, '0.12345678901234567890'),
    ]);
    expect(types).toMatchObject({ 'data.rop': 'DOUBLE' });
    expect(warnings).toEqual([expect.stringMatching(/data\.rop \(1 .* such as 9007199254740993\)/)]);
  });
});

it('a column of texts because of a few values says so, with their number and an example', async () => {
  const { warnings, types } = await exported([
    recordOf(0, '84.739999999999995'),
    recordOf(1, '1e3'),
    recordOf(2, '"I/O Timeout"'),
    recordOf(3, '9007199254740993'),
    recordOf(4, '9007199254740993', 'whole'),
  ]);
  expect(types).toMatchObject({ 'data.rop': 'VARCHAR', 'data.whole': 'BIGINT' });
  expect(warnings).toEqual([
    'Columns with values of several types are written as text: data.rop (2 numbers such as 84.739999999999995, 1 number with more digits than a double has such as 9007199254740993, 1 text such as "I/O Timeout").',
  ]);
});

const cases = join(import.meta.dirname, '../../../../../shared/data/cases');
describe.skipIf(!existsSync(join(cases, 'service-F-precision.ndjson')))(
  `the records of a service that prints all digits (needs ${cases})`,
  () => {
    const linesOf = (name: string): string[] => readFileSync(join(cases, name), 'utf8').trim().split('\n');

    it('have columns of numbers', async () => {
      const { types, warnings } = await exported(linesOf('service-F-precision.ndjson'));
      const data = Object.entries(types).filter(([name]) => name.startsWith('data.'));
      expect(data.length).toBeGreaterThan(3);
      expect(data.filter(([, type]) => type !== 'DOUBLE')).toEqual([]);
      expect(warnings).toEqual([]);
    });

    it('have one column in a mirror that began before', async () => {
      const path = join(await folder(), 'wits');
      const rows = new Rows(linesOf('service-G1-first.ndjson'));
      await update(path, rows);
      const first = new Set(linesOf('service-G1-first.ndjson'));
      rows.add(...linesOf('service-G2-later.ndjson').filter((line) => !first.has(line)));
      expect((await update(path, rows)).warnings).toEqual([]);
      const { types, rows: found } = await mirrored(path);
      expect(types['data.rop']).toBe('DOUBLE');
      const rop = found.map((row) => Number(row['data.rop']));
      expect(rop).toHaveLength(200);
      expect(rop.reduce((sum, value) => sum + value, 0) / rop.length).toBeCloseTo(49.4429, 4);
    });
  },
);
