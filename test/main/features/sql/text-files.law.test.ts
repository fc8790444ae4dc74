import { globSync } from 'node:fs';
import { readdir, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isAppError } from '../../../../src/shared/errors/errors.ts';
import { useFolders } from '../../../support/folders.ts';
import { openSql } from './support/open-sql.ts';
import { openBothWays } from './support/both-ways.ts';
import { lawParameters, lawRuns, sampleOf } from '../../../support/sample.ts';

const runs = lawRuns(100);
const newFolder = useFolders();
/** By name, so that those of `npm test` have all kinds, and few are large. */
const realFiles = sampleOf(
  globSync('../shared/data/**/*.{csv,CSV,txt}', {
    cwd: join(import.meta.dirname, '../../../..'),
  }).toSorted((a, b) => (basename(a) < basename(b) ? -1 : 1)),
  20,
);

const kinds = {
  integer: fc.integer({ min: -1e6, max: 1e6 }).map(String),
  large: fc.bigInt({ min: -(10n ** 28n), max: 10n ** 28n }).map(String),
  number: fc.oneof(
    fc.double({ noNaN: true, noDefaultInfinity: true }).map(String),
    fc.constantFrom('.5', '5.', '+1.50', '00.25', '-0', '1e-400', '1E5', '-999.25', '007'),
  ),
  comma: fc
    .tuple(fc.integer({ min: -999, max: 9999 }), fc.nat(99))
    .map(([whole, part]) => `${whole},${part}`),
  code: fc.nat(999).map((code) => `00${code}`),
  boolean: fc.constantFrom('true', 'FALSE', 'True', 'false'),
  iso: fc
    .tuple(
      fc.date({ min: new Date('1900-01-01'), max: new Date('2100-01-01'), noInvalidDate: true }),
      fc.constantFrom('T', ' '),
      fc.constantFrom('', 'Z', '+02:00', '-06:30', ' Z'),
      fc.constantFrom(10, 16, 19, 23),
      fc.constantFrom('', '789', '4'),
    )
    .map(([date, between, zone, length, more]) => {
      const text = date.toISOString().replace('T', between).slice(0, length);
      return length === 10 ? text : `${text}${length === 23 ? more : ''}${zone}`;
    }),
  date: fc
    .date({ min: new Date('1990-01-01'), max: new Date('2030-01-01'), noInvalidDate: true })
    .map(
      (date) =>
        `${date.getUTCDate()}.${date.getUTCMonth() + 1}.${date.getUTCFullYear()} ${date.toISOString().slice(11, 19)}`,
    ),
  named: fc
    .date({ min: new Date('1990-01-01'), max: new Date('2030-01-01'), noInvalidDate: true })
    .map((date) => `${date.getUTCDate()}-${date.toUTCString().slice(8, 11)}-${date.getUTCFullYear()}`),
  text: fc.oneof(
    fc.string({ maxLength: 12 }),
    fc.string({ unit: 'grapheme', maxLength: 8 }),
    fc.constantFrom(
      '5" pipe',
      "'=1",
      "'-5",
      'ab"c"d',
      '"',
      ' "x"',
      '#5',
      'a\nb',
      'a\r\nb',
      'nan',
      'inf',
      '1_000',
      '0x1F',
      '12:30',
      '\t"x"',
      '  "a,b"',
      '"a" b',
      '\u00a0x\u3000',
    ),
  ),
} as const;

const blankCells = fc.constantFrom('', '', ' ', 'NULL', 'NaN', '-', '-9999', '\t', '""', "'");

/** The cells of a column, most of one kind. */
const column = (rows: number): fc.Arbitrary<string[]> =>
  fc
    .tuple(
      fc.constantFrom(...Object.values(kinds)),
      fc.constantFrom(0, 1, 3),
      fc.constantFrom(0, 0, 1),
      fc.boolean(),
    )
    .chain(([cells, blanks, others, isPadded]) =>
      fc.array(
        fc
          .oneof(
            { weight: 12, arbitrary: cells },
            { weight: blanks, arbitrary: blankCells },
            { weight: others, arbitrary: fc.oneof(...Object.values(kinds)) },
          )
          .map((cell) => (isPadded ? ` ${cell} ` : cell)),
        { minLength: rows, maxLength: rows },
      ),
    );

const file = fc
  .record({
    rows: fc.integer({ min: 2, max: 24 }),
    width: fc.integer({ min: 1, max: 5 }),
    delimiter: fc.constantFrom(',', ',', ';', '\t', '|'),
    lineEnd: fc.constantFrom('\n', '\n', '\r\n'),
    quoting: fc.constantFrom('needed', 'needed', 'always', 'never'),
    start: fc.constantFrom('', '', '\ufeff', '# a comment, "quoted"\n', 'Report of well 7\n\n', 'sep=,\n'),
    units: fc.boolean(),
    lines: fc.constantFrom('', '', '', '\n', '  \n', '# later\n', '1,2\n'),
    lastEnd: fc.boolean(),
  })
  .chain((shape) =>
    fc.tuple(
      fc.constant(shape),
      fc.array(column(shape.rows), { minLength: shape.width, maxLength: shape.width }),
      fc.nat(shape.rows),
    ),
  )
  .map(([{ rows, delimiter, lineEnd, quoting, start, units, lines, lastEnd }, columns, at]) => {
    const needsQuotes = (cell: string): boolean => /["\r\n]/.test(cell) || cell.includes(delimiter);
    const written = (cell: string): string =>
      quoting === 'always' || (quoting === 'needed' && needsQuotes(cell))
        ? `"${cell.replaceAll('"', '""')}"`
        : cell;
    const names = columns.map((_, index) => `column ${'abcde'[index] ?? ''}`);
    const head = [names, ...(units ? [columns.map(() => 'ft')] : [])];
    const body = Array.from({ length: rows }, (_, row) => columns.map((cells) => cells[row] ?? ''));
    const text = [...head, ...body].map((cells) => cells.map(written).join(delimiter));
    text.splice(head.length + at, 0, ...(lines === '' ? [] : [lines.slice(0, -1)]));
    return start.replaceAll('\n', lineEnd) + text.join(lineEnd) + (lastEnd ? lineEnd : '');
  });

const jsonKinds = [
  fc.integer({ min: -1e6, max: 1e6 }),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.string({ maxLength: 8 }),
  fc.string({ unit: 'grapheme', maxLength: 6 }),
  fc.boolean(),
  kinds.iso,
  fc.constantFrom('7', '0.5', 'true', 'NULL', ' x ', '-9999'),
];
const jsonOther = fc.oneof(...jsonKinds, fc.constantFrom([1], { a: 1 }, {}, { $numberLong: '5' }, -9999));

/** A file of JSON lines, whose columns have mostly values of one kind. */
const jsonFile = fc
  .record({
    rows: fc.integer({ min: 2, max: 16 }),
    names: fc.uniqueArray(fc.constantFrom('a', 'b', 'B', 'c.d', '$e', 'f g', "h'", '"'), {
      minLength: 1,
      maxLength: 4,
    }),
    line: fc.constantFrom(
      '',
      '',
      '',
      '\n',
      '{"a":1,"a":2}\n',
      '[1]\n',
      '{"a":1.50}\n',
      '{"a":12345678901234567890}\n',
    ),
    lineEnd: fc.constantFrom('\n', '\n', '\r\n'),
    others: fc.constantFrom(0, 0, 1),
  })
  .chain(({ rows, names, line, lineEnd, others }) =>
    fc
      .tuple(
        ...names.map((name) =>
          fc.constantFrom(...jsonKinds).chain((values) =>
            fc.array(
              fc
                .tuple(fc.nat(10 + others), values, fc.constantFrom(null, undefined), jsonOther)
                .map(([at, value, none, other]): readonly [string, unknown] => [
                  name,
                  at === 0 ? none : at > 10 ? other : value,
                ]),
              { minLength: rows, maxLength: rows },
            ),
          ),
        ),
      )
      .map((columns) => {
        const lines = Array.from({ length: rows }, (_, row) =>
          JSON.stringify(Object.fromEntries(columns.map((values) => values[row] ?? ['a', null]))),
        );
        return `${lines.join(lineEnd)}${lineEnd}${line}`;
      }),
  );

describe('a file of text', () => {
  it.each([
    ['drawn.csv', file],
    ['drawn.ndjson', jsonFile],
  ] as const)(
    'such as %s that the engine reads itself has the values that the reader of uploads finds',
    { timeout: 60_000 + runs * 400 },
    async (name, content) => {
      const folder = await newFolder();
      const both = await openBothWays(folder);
      let direct = 0;
      const path = join(folder, name);
      await fc.assert(
        fc.asyncProperty(content, async (text) => {
          await writeFile(path, text);
          // Some drawn files have no table.
          const { isDirect, difference } = await both.compare(path).catch((error: unknown) => {
            if (isAppError(error, 'file_unsuitable')) return { isDirect: false, difference: null };
            throw error;
          });
          if (isDirect) direct += 1;
          expect(difference).toBeNull();
        }),
        lawParameters(100),
      );
      await both.close();
      expect(direct).toBeGreaterThan(runs / 6);
    },
  );

  it.skipIf(realFiles.length === 0)(
    'of the field has the same values both ways (skipped without ../shared/data)',
    { timeout: 300_000 },
    async () => {
      const folder = await newFolder();
      const both = await openBothWays(folder);
      const differing: string[] = [];
      let direct = 0;
      for (const path of realFiles) {
        // Some are texts without a table.
        const result = await both.compare(path).catch(() => ({ isDirect: false, difference: null }));
        if (result.isDirect) direct += 1;
        if (result.difference !== null)
          differing.push(`${basename(path)}: ${JSON.stringify(result.difference)}`);
      }
      await both.close();
      expect(differing).toEqual([]);
      expect(direct).toBeGreaterThan(realFiles.length / 3);
    },
  );

  it('with the end mark of DOS, NaN of Windows, and days of the year has the same values both ways', async () => {
    const folder = await newFolder();
    const both = await openBothWays(folder);
    const path = join(folder, 'old.csv');
    const rows = Array.from(
      { length: 20 },
      (_, at) => `2025-0${at + 10}T06:00:00,${at % 3 ? at : '-1.#IND'}`,
    );
    for (const text of [
      `t,x\n${rows.join('\n')}\n`,
      't,x\n2025-01-01,1\n2025-01-02,2\n\u001A',
      'x\n1\n2\u001A\0',
    ]) {
      await writeFile(path, text);
      expect((await both.compare(path)).difference).toBeNull();
    }
    await both.close();
  });

  it('with a row in its middle that the engine refuses becomes a whole table all the same', async () => {
    const sql = await openSql();
    const rows = Array.from({ length: 20_000 }, (_, row) => `2026-01-30 10:00:00,${row}`);
    // More digits than the engine has.
    rows.splice(15_000, 1, '2026-02-01 00:00:00.0000000,15000');
    const table = await sql.add('log.csv', `time,depth\n${rows.join('\n')}\n`);
    expect(table).toMatchObject({ rows: 20_000, warnings: [{ code: 'zone_missing' }] });
    expect(await sql.rows('SELECT count(*) AS n, max(time) AS last, sum(depth) AS sum FROM log')).toEqual([
      { n: 20_000, last: '2026-02-01T00:00:00.000Z', sum: 199_990_000 },
    ]);
    const files = await readdir(join(sql.dataFolder, 'sql'), { recursive: true });
    expect(files.filter((file) => /parquet|json/.test(file))).toHaveLength(1);
  });
});
