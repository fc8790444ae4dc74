import { zstdDecompressSync } from 'node:zlib';
import fc from 'fast-check';
import { parquetReadObjects } from 'hyparquet';
import { describe, expect, it } from 'vitest';
import { useFolders } from '../../../../support/folders.ts';
import { lawParameters } from '../../../../support/sample.ts';
import { type GivenSpec, writePages } from '../../../features/export/support/written.ts';

const folder = useFolders();

/** Writes records as Parquet, and reads them with a library of another origin. */
async function stored(pages: readonly string[], given: GivenSpec = {}): Promise<Record<string, unknown>[]> {
  const { bytes } = await writePages(await folder(), pages, { format: 'parquet', ...given });
  return parquetReadObjects({
    file: Uint8Array.from(bytes).buffer,
    compressors: { ZSTD: (input) => zstdDecompressSync(input) },
  });
}

/** The values of a field, each in a record of its own. */
const valuesOf = async (field: string, values: readonly string[]): Promise<unknown[]> =>
  (await stored([`[${values.map((value, n) => `{"_id":"${n}","${field}":${value}}`).join(',')}]`])).map(
    (row) => row[field] ?? null,
  );

const digits = fc
  .array(fc.integer({ min: 0, max: 9 }), { minLength: 1, maxLength: 30 })
  .map((list) => list.join('').replace(/^0+(?=\d)/, ''));
/** A number as JSON can have it: of any length, with a fraction, an exponent, or both. */
const jsonNumber = fc.oneof(
  fc.integer({ min: -1000, max: 1000 }).map(String),
  fc.bigInt({ min: -(2n ** 65n), max: 2n ** 65n }).map(String),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value.toPrecision(17)),
  fc
    .tuple(
      fc.constantFrom('', '-'),
      digits,
      fc.option(digits, { nil: null }),
      fc.option(fc.integer({ min: -400, max: 400 }), { nil: null, freq: 2 }),
    )
    .map(
      ([sign, whole, fraction, exponent]) =>
        `${sign}${whole}${fraction === null ? '' : `.${fraction}`}${exponent === null ? '' : `e${exponent}`}`,
    ),
);

/** The integer that a text is. */
function integerOf(text: string): bigint {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE](.+))?$/.exec(text) ?? [];
  const all = `${whole}${fraction}`;
  const length = whole.length + Number(exponent);
  return /^0*$/.test(all) ? 0n : BigInt(`${sign}${all.padEnd(length, '0').slice(0, length)}`);
}

describe('a value in a Parquet file', () => {
  it.each<[string, readonly string[], readonly unknown[]]>([
    [
      'numbers',
      ['-0', '0', '1.50', '1e-7', '1E5', '-1.7976931348623157e308'],
      [-0, 0, 1.5, 1e-7, 1e5, -1.7976931348623157e308],
    ],
    [
      'integers of 64 bits',
      ['9007199254740993', '-9007199254740993', '1'],
      [9_007_199_254_740_993n, -9_007_199_254_740_993n, 1n],
    ],
    [
      'the first and the last integers of 64 bits, however they are written',
      ['9223372036854775807', '-9223372036854775808', '9.223372036854775806e18', '9223372036854775805.00'],
      [
        9_223_372_036_854_775_807n,
        -9_223_372_036_854_775_808n,
        9_223_372_036_854_775_806n,
        9_223_372_036_854_775_805n,
      ],
    ],
    ['numbers beside texts', ['1.50', '"x"', '1e3', 'true', '-0'], ['1.50', 'x', '1e3', 'true', '-0']],
    [
      'texts',
      [String.raw`"a\u0000b"`, String.raw`"\ud800 \ud83d\ude00"`, '""', String.raw`"\"\\\/\n"`, '"null"'],
      ['a\0b', '\uFFFD 😀', '', '"\\/\n', 'null'],
    ],
    [
      'lists and objects',
      ['[1.50, "a"]', '[]', '{}', '["\\u0041"]'],
      ['[1.50, "a"]', '[]', '{}', '["\\u0041"]'],
    ],
    ['booleans', ['true', 'null', 'false'], [true, null, false]],
    ['nothing but null', ['null', 'null'], [null, null]],
  ])('is exact: %s', async (_, values, expected) => {
    expect(await valuesOf('v', values)).toEqual(expected);
  });

  it.each<[string, readonly string[]]>([
    ['larger integers', ['12345678901234567890123456789012345678901', '7']],
    ['the first integer beyond 64 bits', ['9223372036854775808', '1']],
    [
      'fractions with all the digits of their notation',
      ['0.1234567890123456789', '84.739999999999995', '1.50'],
    ],
    ['large integers beside fractions', ['9007199254740993', '0.5']],
    ['an exponent that makes long digits short', ['12345678901234567890000e-4', '1']],
    ['numbers beyond the smallest and the largest double', ['1e400', '-1e400', '1e-4000', '2']],
  ])('is the double that is nearest: %s', async (_, values) => {
    expect(await valuesOf('v', values)).toEqual(values.map(Number));
  });

  it('is a number in a column of numbers, whatever they are and however they are written', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(jsonNumber, { minLength: 1, maxLength: 20 }), async (values) => {
        const written = await valuesOf('v', values);
        const isWhole = written.every((value) => typeof value === 'bigint');
        // An integer column has all digits; zero has no sign there.
        expect(written.map((value) => Number(value) + 0)).toEqual(values.map((text) => Number(text) + 0));
        if (!isWhole) expect(written.every((value) => typeof value === 'number')).toBe(true);
        else expect(written).toEqual(values.map(integerOf));
      }),
      lawParameters(40),
    );
  });

  it.each([
    ['timestamp', ['0', '-1', '999999999999999'], [0, -1, 999_999_999_999_999]],
    [
      'datetime',
      ['"1969-12-31T23:59:59.999Z"', '"2026-01-31T24:00:00+05:30"', '"0001-01-01T00:00:00Z"'],
      ['1969-12-31T23:59:59.999Z', '2026-01-31T18:30:00Z', '0001-01-01T00:00:00Z'].map((text) =>
        Date.parse(text),
      ),
    ],
  ])('is the same instant: %s', async (field, values, expected) => {
    const instants = await valuesOf(field, values);
    expect(instants.map((value) => (value instanceof Date ? value.getTime() : value))).toEqual(expected);
  });

  it('is a text, as the others of its column, if its day doesn’t exist', async () => {
    const texts = ['2028-02-29T10:00:00Z', '2025-02-29T10:00:00Z'];
    expect(
      await valuesOf(
        'datetime',
        texts.map((text) => JSON.stringify(text)),
      ),
    ).toEqual(texts);
  });

  it('is in the column of its path, whatever the names are', async () => {
    const record = String.raw`{"_id":"a","":1,"'\"; --":2,"r":3,"data":{"rop":4,"ROP":5,"Rop":{"x":6}},"\u0000":7,"a":8,"a":null}`;
    expect(await stored([`[${record}]`])).toEqual([
      expect.objectContaining({
        _id: 'a',
        _: 1n,
        [`'"; --`]: 2n,
        r: 3n,
        __2: 7n,
        'data.rop': 4n,
        'data.ROP_2': 5n,
        'data.Rop.x': 6n,
        a: 8n,
      }),
    ]);
  });

  it('is in order with columns that come late, over several pages', async () => {
    const rows = await stored(['[{"a":1},{"b":"x"}]', '[]', '[{"c":[2],"a":3}]', '[{}]'], {
      fields: ['c', 'b', 'a'],
    });
    expect(rows.map((row) => Object.values(row))).toEqual([
      [null, null, 1n],
      [null, 'x', null],
      ['[2]', null, 3n],
      [null, null, null],
    ]);
  });

  it('is read from bytes that aren’t UTF-8 as other readers do', async () => {
    const { bytes } = await writePages(await folder(), [Buffer.from('[{"v":"a\xe9"}]', 'latin1')], {
      format: 'parquet',
    });
    const [row] = await parquetReadObjects({
      file: Uint8Array.from(bytes).buffer,
      compressors: { ZSTD: (input) => zstdDecompressSync(input) },
    });
    expect(row).toEqual({ v: 'a\uFFFD' });
  });

  it('can be very long', async () => {
    const [long, short] = await valuesOf('v', [`"${'x'.repeat(20 << 20)}"`, '"y"']);
    expect([String(long).length, short]).toEqual([20 << 20, 'y']);
  });

  it('can be one of thousands in a record', async () => {
    const record = (n: number): string =>
      `{${Array.from({ length: 3000 }, (_, at) => `"c${at}":${n + at}.5`).join(',')}}`;
    const rows = await stored([`[${record(0)},${record(1)}]`]);
    expect(rows.map((row) => [Object.keys(row).length, row['c2999']])).toEqual([
      [3000, 2999.5],
      [3000, 3000.5],
    ]);
  });
});
