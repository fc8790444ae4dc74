import * as fc from 'fast-check';
import { basename } from 'node:path';
import { DateTime } from 'luxon';
import { expect, it } from 'vitest';
import { isAppError } from '../../../../src/shared/errors/errors.ts';
import { isObject, type JsonObject, type JsonValue } from '../../../../src/shared/json.ts';
import { matchRequest, type MatchedColumn } from '../../../../src/shared/upload/preview.ts';
import { nullsOf } from '../../../../src/shared/upload/null-tokens.ts';
import { mapping as mappingSchema, type Inspection } from '../../../../src/shared/upload/upload.ts';
import { createValidation } from '../../../../src/main/core/mapping/validation.ts';
import { timeReader } from '../../../../src/main/core/mapping/times.ts';
import { lawRuns } from '../../../support/sample.ts';
import { useServers } from '../../../support/servers.ts';
import { useServices } from '../../../support/services.ts';
import { fileWith, temporaryFolder } from './support/files.ts';
import { createSink } from './support/sink.ts';
import { inProcessThread, planOf, runJob, readingWith } from './support/uploads.ts';

const servers = useServers();
const services = useServices();
const runs = lawRuns(40);

/** A notation of times: its pattern in luxon, and how the mapping names it; null: detected. */
const notations = [
  { pattern: "yyyy-MM-dd'T'HH:mm:ss'Z'", format: null, zone: null },
  { pattern: 'yyyy-MM-dd HH:mm:ss', format: null, zone: 'America/Chicago' },
  { pattern: 'dd.MM.yyyy HH:mm:ss', format: 'dd.MM.yyyy HH:mm:ss', zone: 'UTC' },
  { pattern: 'M/d/yyyy H:mm', format: 'M/d/yyyy H:mm', zone: 'America/Chicago' },
  { pattern: 'yyyyMMddHHmmss', format: null, zone: 'UTC' },
  { pattern: 'X', format: 'unix_s', zone: null },
  { pattern: 'x', format: null, zone: null },
] as const;

const kinds = ['number', 'integer', 'large', 'text', 'flag', 'time', 'date', 'code', 'empty'] as const;
type ColumnKind = (typeof kinds)[number];

const odd = fc.constantFrom(
  'x',
  '12-',
  '1e5',
  ' 7 ',
  '007',
  'TRUE',
  '2024-01-01',
  'a "b" c',
  '1 000',
  '-',
  '1.5',
  '2,5',
);
const nullText = fc.constantFrom('', 'NULL', 'N/A', 'NaN', '-999.25', '-999.2500', '-999,25', ' NULL ', '  ');

const drawnColumn = fc.record({
  kind: fc.constantFrom(...kinds),
  unit: fc.constantFrom('', ' (ft/h)', ' (m)', ' [klbf]'),
  /** Share of null values, in tenths. */
  nulls: fc.integer({ min: 0, max: 6 }),
});

const drawnFile = fc.record({
  delimiter: fc.constantFrom(',', ';', '\t', '|'),
  newline: fc.constantFrom('\n', '\r\n'),
  decimal: fc.constantFrom('.', ','),
  notation: fc.constantFrom(...notations),
  columns: fc.array(drawnColumn, { minLength: 1, maxLength: 4 }),
  rows: fc.array(
    fc.record({
      numbers: fc.array(fc.integer({ min: -99_999, max: 99_999 }), { minLength: 4, maxLength: 4 }),
      nulls: fc.array(fc.tuple(fc.integer({ min: 0, max: 9 }), nullText), { minLength: 4, maxLength: 4 }),
      well: fc.constantFrom(7, 8),
    }),
    { maxLength: 60 },
  ),
  oddCells: fc.array(fc.record({ row: fc.nat(), column: fc.nat(), text: odd }), { maxLength: 3 }),
});
type DrawnFile = typeof drawnFile extends fc.Arbitrary<infer T> ? T : never;

const texts = ['tripping', 'on bottom', 'reaming', 'Straße 5'];

function cellOf(kind: ColumnKind, value: number, decimal: string): string {
  switch (kind) {
    case 'number':
      return (value / 100).toFixed(2).replace('.', decimal);
    case 'integer':
      return String(value);
    case 'text':
      return texts[Math.abs(value) % texts.length] ?? '';
    case 'large':
      return decimal === '.' ? new Intl.NumberFormat('en').format(value) : String(value);
    case 'time':
      return new Date(Date.UTC(2024, 0, 1) + value * 1000).toISOString();
    case 'date':
      return DateTime.fromMillis(Date.UTC(2024, 0, 1) + value * 3_600_000, { zone: 'UTC' }).toFormat(
        'dd.MM.yyyy',
      );
    case 'code':
      return String(Math.abs(value) % 1000).padStart(5, '0');
    case 'flag':
      return value % 2 === 0 ? 'true' : 'false';
    case 'empty':
      return '';
  }
}

/** The cells of the file, with a number in the last column by which its rows are recognized. */
function tableOf({ notation, columns, rows, decimal, oddCells }: DrawnFile): string[][] {
  const zone = notation.zone ?? 'UTC';
  const start = Date.UTC(2024, 2, 1, 12);
  const body = rows.map(({ numbers, nulls, well }, n) => {
    const time = DateTime.fromMillis(start + n * 60_000, { zone }).toFormat(notation.pattern);
    const values = columns.map(({ kind, nulls: share }, at) => {
      const [roll, text] = nulls[at] ?? [9, ''];
      return roll < share ? text : cellOf(kind, numbers[at] ?? 0, decimal);
    });
    return [time, String(well), ...values, String(n)];
  });
  for (const { row, column, text } of oddCells) {
    const cells = body[row % Math.max(body.length, 1)];
    if (cells) cells[2 + (column % columns.length)] = text;
  }
  const names = columns.map(({ unit }, at) => `Channel ${'ABCD'[at]}${unit}`);
  return [['Time', 'Well', ...names, 'row'], ...body];
}

function textOf(table: readonly string[][], { delimiter, newline }: DrawnFile): string {
  const quoted = (cell: string): string =>
    cell.includes(delimiter) || cell.includes('"') ? `"${cell.replaceAll('"', '""')}"` : cell;
  return table.map((cells) => cells.map(quoted).join(delimiter) + newline).join('');
}

const valueOf = (record: JsonObject | undefined, to: string): JsonValue | undefined => {
  let value: JsonValue | undefined = record;
  for (const part of to.split('.')) value = isObject(value) ? value[part] : undefined;
  return value;
};

const typesOfStored: Record<Inspection['columns'][number]['type'], readonly string[]> = {
  integer: ['number'],
  number: ['number'],
  string: ['string'],
  boolean: ['boolean'],
  time: ['string', 'number'],
  empty: [],
};

/** A number or text of an inspection as a number. */
const numberOf = (value: number | string | null, decimal: string): number =>
  typeof value === 'number' ? value : Number(String(value).replace(decimal, '.'));

it('preview, inspection, check, and stored records of a file agree', async () => {
  const file = { path: '' };
  const validation = createValidation({
    files: { source: () => ({ place: 'path', path: file.path, name: basename(file.path) }) },
    connections: { services: () => expect.fail('no service is asked') },
    store: { related: async () => [], plan: async () => null },
    ...readingWith(inProcessThread),
  });
  const sink = createSink();
  const open = services((await servers.raw(sink.server)).url);
  const source = 'a'.repeat(24);

  await fc.assert(
    fc.asyncProperty(drawnFile, async (drawn) => {
      const table = tableOf(drawn);
      const [header = [], ...body] = table;
      file.path = await fileWith(textOf(table, drawn));
      const { format, zone } = drawn.notation;
      const nulls = ['-999.25'];
      const reading = { delimiter: drawn.delimiter, headerRow: 1, unitRow: 0, footerRows: 0 };
      const mapping = mappingSchema.parse({
        columns: {
          Time: { to: 'timestamp', ...(format && { format }), ...(zone && { zone }) },
          Well: { to: 'asset_id' },
        },
        nulls,
        rest: 'data',
      });

      // The preview has the first rows as they are.
      const preview = await validation.preview({ source, ...reading }, {});
      expect(preview.rows.map(({ cells }) => cells)).toEqual(body.slice(0, 50));
      const inspection = await validation.inspect({ source, ...reading, nulls }, {});
      const match = await validation.match(
        matchRequest.parse({ source, provider: 'p', dataset: 'd', type: 'time', mapping, reading }),
        {},
      );
      const keys = inspection.columns.map(({ key, name }) => key ?? name);
      expect(preview.columns.map(({ key }) => key)).toEqual(keys);
      expect(match.columns.map(({ column }) => column)).toEqual(keys);
      expect(keys).toEqual(header);
      expect(match.columns.map(({ unit }) => unit)).toEqual(inspection.columns.map(({ unit }) => unit));
      expect(preview.columns.map(({ unit }) => unit)).toEqual(inspection.columns.map(({ unit }) => unit));
      expect(inspection.rows).toBe(body.length);

      // An upload starts if the check says so.
      const planFor = async (dryRun: boolean) =>
        planOf(file.path, open, { mapping, reading, dryRun }).catch((error: unknown) => {
          if (!isAppError(error, 'invalid_input')) throw error;
          return null;
        });
      const [checked, sent] = [await planFor(true), await planFor(false)];
      expect([checked !== null, sent !== null]).toEqual([match.ready, match.ready]);
      if (!checked || !sent) return;
      sink.stored.length = 0;
      const run = async (plan: typeof sent) =>
        (await runJob({ plan, services: open, folder: await temporaryFolder() })).result;
      const check = await run(checked);
      const result = await run(sent);
      expect(check?.problems).toEqual(result?.problems);
      expect(check?.ledger.rejected).toBe(result?.ledger.rejected);
      expect(result?.ledger.accepted).toBe(sink.stored.length);
      expect(sent.warnings).toEqual(expect.arrayContaining(match.warnings));

      const byRow = new Map(sink.stored.map((record) => [Number(valueOf(record, 'data.row')), record]));
      for (const [at, column] of match.columns.entries()) {
        const inspected = inspection.columns[at];
        if (!inspected || column.to === null) continue;
        const to = column.to;
        const cells = body.map((cells) => cells[at] ?? '');
        const isNull = (cell: string): boolean =>
          cell.trim() === '' ||
          nullsOf({ nulls }).includes(cell.trim()) ||
          Number(cell.replace(',', '.')) === -999.25;
        expect(inspected.nulls).toBe(cells.filter(isNull).length);
        expectExamples(column, cells, isNull, (row) => byRow.get(row));
        const stored = [...byRow].map(([row, record]) => ({ row, value: valueOf(record, to) }));
        for (const { row, value } of stored) {
          // A null value is left out, and no other.
          expect(value === undefined).toBe(isNull(cells[row] ?? ''));
          if (value === undefined) continue;
          expect(typesOfStored[inspected.type]).toContain(typeof value);
          if (column.kind === 'auto')
            expect(column.reading?.as).toBe(typeof value === 'string' ? 'string' : typeof value);
        }
        if (result?.ledger.rejected !== 0) continue;
        const numbers = stored.flatMap(({ value }) => (typeof value === 'number' ? [value] : []));
        if (numbers.length === 0) continue;
        const ends = [Math.min(...numbers), Math.max(...numbers)];
        if (to === 'timestamp') {
          const read = timeReader(column.reading?.format ?? 'iso', column.reading?.zone ?? 'UTC');
          const times = [inspected.min, inspected.max].map((text) => read(String(text)));
          expect(times).toEqual(ends.map((ms) => expect.objectContaining({ ms })));
        } else {
          expect([inspected.min, inspected.max].map((end) => numberOf(end, drawn.decimal))).toEqual(ends);
        }
      }
    }),
    { numRuns: runs },
  );
});

/** The examples are the first different values in the order of the file, and those with a problem. */
function expectExamples(
  { examples, to }: MatchedColumn,
  cells: readonly string[],
  isNull: (cell: string) => boolean,
  recordOf: (row: number) => JsonObject | undefined,
): void {
  const rows = examples.map(({ line }) => line - 2);
  expect(rows).toEqual(rows.toSorted((a, b) => a - b));
  const firsts = [...new Set(cells.slice(0, 50).filter((cell) => cell.trim() !== ''))];
  const plain = examples.filter(({ problem }) => problem === null);
  // No value is passed over: those shown are the first ones, but for values with a problem.
  const bad = new Set(examples.filter(({ problem }) => problem !== null).map(({ cell }) => cell));
  expect(plain.map(({ cell }) => cell)).toEqual(
    firsts.filter((cell) => !bad.has(cell)).slice(0, plain.length),
  );
  for (const { line, cell, value, problem } of examples) {
    const row = line - 2;
    expect(cells[row]).toBe(cell);
    expect(cells.indexOf(cell)).toBe(row);
    const record = recordOf(row);
    if (problem !== null) expect(record).toBeUndefined();
    else if (record) {
      const stored = valueOf(record, to ?? '');
      expect(value === null ? undefined : JSON.parse(value)).toEqual(stored);
      if (value === null) expect(isNull(cell)).toBe(true);
    }
  }
}
