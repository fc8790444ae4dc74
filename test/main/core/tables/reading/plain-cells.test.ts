import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createRecordWriter } from '../../../../../src/main/core/mapping/record-writer.ts';
import type { Conversion, Rules } from '../../../../../src/main/core/mapping/upload-plan.ts';
import { readFrom, type Layout } from '../../../../../src/main/core/tables/reading/layout.ts';
import { PlainCells, RowReader } from '../../../../../src/main/core/tables/reading/rows.ts';
import { lawRuns } from '../../../../support/sample.ts';

const columns = 3;
const layoutOf = (delimiter: string): Layout => ({
  jsonLines: false,
  delimiter,
  crEnds: false,
  comments: true,
  hasEscapes: true,
  encoding: { name: 'UTF-8', bom: 0 },
  headerLine: 0,
  unitLine: null,
  header: null,
  columns: Array.from({ length: columns }, (_, index) => ({
    name: `c${index}`,
    key: `c${index}`,
    unit: null,
  })),
  dataStart: 0,
  dataLine: 1,
});

const oddCells = (
  '|0|-0|-0.0|007|1e5|5.|.5|+3|--|-| 4|1,338|-999.25|-999|#1|NaN|é|9007199254740993|123456789012345.6|' +
  `1700000000|1700000000000|"7"|"a;b"|\0|'-5|'=1|''+2|'a|"'@"`
).split('|');
/** Cells that are nearly plain, and some that are far from it. */
const cell = fc.oneof(
  { weight: 6, arbitrary: fc.stringMatching(/^-?\d{0,9}(\.\d{0,8})?$/) },
  fc.constantFrom(...oddCells),
);
const table = fc.array(fc.array(cell, { minLength: 1, maxLength: columns + 2 }), { maxLength: 12 });
const delimiter = fc.constantFrom(',', ';', '\t', ' ', '.');

const style = { decimal: '.', thousands: false } as const;
const conversions: Conversion[] = [
  { kind: 'number', style },
  { kind: 'number', style: { decimal: '.', thousands: true } },
  { kind: 'number', style: { decimal: ',', thousands: false } },
  { kind: 'integer', style },
  { kind: 'string', json: true, trim: true },
  { kind: 'string', json: false, trim: false, digits: 5 },
  { kind: 'boolean' },
  { kind: 'time', format: 'unix_ms', zone: 'UTC', as: 'ms' },
  { kind: 'time', format: 'unix_s', zone: 'UTC', as: 'ms' },
  { kind: 'time', format: 'unix_s', zone: 'UTC', as: 'iso' },
];
const rules = fc
  .tuple(
    fc.array(fc.constantFrom(...conversions), { minLength: columns, maxLength: columns }),
    fc.constantFrom<string[][]>([''], ['', '-999.25', '0'], ['', '5', 'NaN']),
  )
  .map(([chosen, nulls]): Rules => ({
    columns: chosen.map((conversion, index) => ({
      index,
      column: `c${index}`,
      path: ['data', index === 1 ? 'nested' : `c${index}`, ...(index === 1 ? ['c'] : [])],
      conversion,
    })),
    constants: [{ path: ['version'], json: '1' }],
    nulls,
    required: [['version'], ['data', 'c0']],
  }));

/** The records of a text's rows, and how many rows were parsed as bytes. */
function recordsOf(text: string, mark: string, mapped: Rules, fleeting: boolean) {
  const rows = new RowReader(
    { fileName: 'f', read: readFrom(Buffer.from(text)), placeOf: null },
    layoutOf(mark),
    {
      byte: 0,
      line: 1,
      fleeting,
    },
  );
  const write = createRecordWriter(mapped, columns);
  const written: unknown[] = [];
  let plain = 0;
  for (let row = rows.next(); row; row = rows.next()) {
    written.push({ ...write([row]), line: row.record.line });
    if (row.plain) plain++;
  }
  const { comments, hashRows, escapes } = rows;
  return { plain, found: { written, comments, hashRows, escapes } };
}

describe('cells parsed as bytes', () => {
  it('produce the same records as text', () => {
    let plain = 0;
    fc.assert(
      fc.property(table, delimiter, rules, (cells, mark, mapped) => {
        const text = cells.map((row) => row.join(mark)).join('\n');
        const quick = recordsOf(text, mark, mapped, true);
        plain += quick.plain;
        expect(quick.found).toEqual(recordsOf(text, mark, mapped, false).found);
      }),
      { numRuns: lawRuns(150) },
    );
    expect(plain).toBeGreaterThan(30);
  });

  it('have the same value as their text', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^-?(0|[1-9]\d{0,7})(\.\d{1,7})?$/), (text) => {
        const cells = PlainCells.for(',', 1);
        const bytes = Buffer.from(`x,${text},y`);
        expect(cells?.split(bytes, 2, 2 + text.length)).toBe(true);
        expect(cells?.values[0]).toBe(Number(text));
      }),
      { numRuns: 1000 },
    );
  });
});
