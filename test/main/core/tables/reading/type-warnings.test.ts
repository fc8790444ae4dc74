import { describe, expect, it } from 'vitest';
import { scanWarnings, inspectionOf } from '../../../../../src/main/core/tables/reading/warnings.ts';
import { scanText } from '../../../features/upload/support/files.ts';

const codes = async (values: readonly string[]) => {
  const warnings = scanWarnings(await scanText(`n;x\n${values.map((value) => `1;${value}\n`).join('')}`));
  return warnings.filter(({ column }) => column === 'x').map(({ code }) => code);
};

it.each([
  ['a unit', ['0.5 psi', '1.5 psi', '12 psi']],
  ['a percent sign', ['5%', '7.5 %', '9%']],
  ['blanks between thousands', ['1\u00a0000', '1\u00a0001', '12\u202f000']],
  ['a minus that isn’t a hyphen', ['\u22125', '\u22126', '\u22127.5']],
  ['brackets', ['(5)', '(6.5)', '(7)']],
])('numbers with %s are reported as text', async (_what, values) => {
  expect(await codes(values)).toEqual(['numbers_as_text']);
});

it.each([
  ['names of wells', ['101H', '102H', '103H']],
  ['names with a number', ['12 Badger', '13 Badger', '14 Badger']],
  ['wellbores', ['15/9-F-1', '15/9-F-4', '15/9-F-9']],
  ['years', ['197 519 761 977 197 000', '197 519 761 977 197 001', '2 519 761 977 197 000']],
  ['texts', ['drilling', 'tripping', 'idle']],
])('%s are not', async (_what, values) => {
  expect(await codes(values)).toEqual([]);
});

it.each(['-1.#IND', '1.#QNAN', '1.#INF', '-1.#INF00', '1.#IND000', '1.#J'])(
  '%s among numbers is null, as NaN is',
  async (text) => {
    const { columns, rows } = inspectionOf(await scanText(`n;x\n1;0.21\n2;${text}\n3;0.23\n4;${text}\n`));
    expect([rows, columns[1]?.type, columns[1]?.nulls]).toEqual([4, 'number', 2]);
  },
);

it.each([0, 3])('a date without a time of day among others that have one is reported: row %i', async (at) => {
  const times = Array.from({ length: 6 }, (_, n) => `13.01.2026${n === at ? '' : ` 00:0${n}`}`);
  const text = `n;x\n${times.map((time) => `1;${time}\n`).join('')}`;
  const [, warning] = scanWarnings(await scanText(text));
  expect(warning).toMatchObject({ code: 'type_exceptions', cell: '13.01.2026', count: 1, line: at + 2 });
});

const repeated = (text: string, count: number): string[] => Array.from({ length: count }, () => text);
const numbers = (count: number): string[] => Array.from({ length: count }, (_, at) => `${at}.5`);
const warningsOf = async (values: readonly string[]) =>
  scanWarnings(await scanText(`n;x\n${values.map((value) => `1;${value}\n`).join('')}`));

it.each([
  ['thousands', ['12.450', '12,420', '12.460'], '“12,420” is 12420'],
  ['thousands', ['1.5', '229,932.50', '1,338'], '“229,932.50” is 229932.50'],
  ['decimal_comma', ['0,5', '1.338,25'], '“0,5” is 0.5'],
])('the warning %s has a cell and its value: %j', async (code, values, words) => {
  const warning = (await warningsOf(values)).find((other) => other.code === code);
  expect(warning?.message).toContain(words);
});

it.each([
  ['feet and inches', [`40' 6"`, `41' 0"`, `102' 11.5"`]],
  ['feet', [`10,250'`, `10,280'`, `9,990'`]],
  ['fractions', ['9 5/8', '13 3/8', '7', '4 1/2"', '20']],
  ['Fortran exponents', ['1.234D+03', '-2.5D-01', '0.0D+00']],
])('%s are reported as text by what they are', async (what, values) => {
  const { columns, warnings } = inspectionOf(
    await scanText(`n\tx\n${values.map((value) => `1\t${value}\n`).join('')}`),
  );
  expect(columns[1]?.type).toBe('string');
  const warning = warnings.find(({ code }) => code === 'numbers_as_text');
  expect(warning).toMatchObject({ column: 'x', cell: values[0] });
  expect(warning?.message).toContain(what);
});

it('numbers in formulas of texts are reported with the type that stores them', async () => {
  const [warning] = (await warningsOf(['="1.5"', '="2.5"'])).filter(({ code }) => code === 'numbers_as_text');
  expect(warning?.message).toContain('"type": "number"');
});

describe('numbers and words in a column of text', () => {
  it('are reported if the numbers can be times', async () => {
    for (const unit of ['', '000'])
      expect(
        await warningsOf([1, 2, 3, 4].map((at) => `170000000${at}${unit}`).concat('open', 'pending')),
      ).not.toEqual([]);
  });

  it.each([
    ['a fifth', numbers(16), ['Bad Input', 'Bad Input', 'I/O Timeout', 'No Data']],
    ['a few of many', numbers(300), [...repeated('Bad Input', 2), 'I/O Timeout', 'No Data']],
    ['most', numbers(5), ['Bad Input', 'I/O Timeout', ...repeated('No Data', 6)]],
  ])('%s of which are words have a warning with each word and its count', async (_share, good, bad) => {
    const [warning, ...others] = await warningsOf([...good, ...bad]);
    expect(others).toEqual([]);
    expect(warning).toMatchObject({ code: 'mixed_types', column: 'x', count: bad.length });
    expect(new Set(warning?.cells)).toEqual(new Set(bad));
    for (const word of new Set(bad)) {
      const count = bad.filter((text) => text === word).length;
      expect(warning?.message).toContain(`“${word}” (${count})`);
    }
    const again = await scanText(`n;x\n${[...good, ...bad].map((value) => `1;${value}\n`).join('')}`, {}, [
      ...(warning?.cells ?? []),
    ]);
    expect(inspectionOf(again).columns[1]?.type).toBe('number');
  });

  it('have the words of rows that are rejected in a column of numbers, too', async () => {
    const [warning] = await warningsOf([...numbers(400), 'Bad Input', 'No Data', 'No Data']);
    expect(warning).toMatchObject({ code: 'type_exceptions', cells: ['No Data', 'Bad Input'] });
    expect(warning?.message).toContain('3 of 403 values are not numbers');
  });

  it('have results below a limit as one kind', async () => {
    const [warning] = await warningsOf([...numbers(8), '<0.01', '<0.05', '<0.05', 'ND', 'ND']);
    expect(warning).toMatchObject({ code: 'mixed_types', cells: ['<0.01', 'ND'], count: 5 });
    expect(warning?.message).toContain('“<0.01” (3)');
  });

  it('don’t have null values as numbers, which have a warning of their column', async () => {
    const text =
      'Well,Zone,Top\n100,ZoneA,3083.6\n100,-9999,3131\n101,ZoneB,3083.6\n101,-9999,3131\n102,-9999,3131';
    const warnings = scanWarnings(await scanText(text));
    expect(warnings).toMatchObject([{ code: 'sentinel_values', column: 'Zone', cell: '-9999', count: 3 }]);
  });

  it('have a warning without the null values', async () => {
    const warnings = await warningsOf([...numbers(6), ...repeated('-9999', 3), 'No Data', 'No Data']);
    expect(warnings.map(({ code, count }) => [code, count])).toEqual([
      ['sentinel_values', 3],
      ['mixed_types', 2],
    ]);
    expect(warnings[1]?.message).toContain('75%');
  });

  it('have at most five words, the most frequent ones', async () => {
    const words = ['a b', 'c d', 'e f', 'g h', 'i j', 'k l'];
    const [warning] = await warningsOf([...numbers(20), ...words, ...words.slice(1)]);
    expect(warning?.cells).toEqual(words.slice(1));
    expect(warning).toMatchObject({ count: 11 });
  });

  it.each([
    ['numbers of wells beside words', ['42501012340000', '42501012350000', 'Test well', 'no number']],
    ['names, of which some are numbers', ['101H', '102H', '103', '104', '105']],
    [
      'prose, of which a fifth is numbers',
      [...numbers(5), ...numbers(20).map((text) => `Run ${text} of today`)],
    ],
    [
      'prose, of which a third is numbers',
      [...numbers(15), ...numbers(30).map((text) => `Run ${text} of today`)],
    ],
  ])('are not reported: %s', async (_what, values) => {
    expect(await warningsOf(values)).toEqual([]);
  });
});
