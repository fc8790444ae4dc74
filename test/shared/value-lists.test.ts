import { describe, expect, it } from 'vitest';
import { readList, writeList, type ListOf } from '../../src/shared/value-lists.ts';

describe('a list as people type and paste it', () => {
  it.each<[string, string, string[]]>([
    ['between commas', 'A 1, B 2,C', ['A 1', 'B 2', 'C']],
    ['between semicolons', 'A 1;B 2 ; C', ['A 1', 'B 2', 'C']],
    ['of a column, with the line end that Excel adds', 'A 1\r\nB 2\r\nC\r\n', ['A 1', 'B 2', 'C']],
    ['of a row', 'A 1\tB 2\tC', ['A 1', 'B 2', 'C']],
    ['of several columns and rows', 'A\t1\r\nB\t2\r\n', ['A', '1', 'B', '2']],
    ['of old line ends', 'A\rB\u2028C', ['A', 'B', 'C']],
    ['once, in the order of their first place', '-9, NULL,-9, nul', ['-9', 'NULL', 'nul']],
    ['without blanks around them, and without empty ones', ' A 1 ,, \t; B \n\n', ['A 1', 'B']],
    ['none in an empty text', ' \r\n,;\t ', []],
  ])('has values %s', (_where, text, values) => {
    expect(readList(text)).toEqual(values);
  });

  it.each<[string, string, string[]]>([
    ['in double quotes', '"A 1","B"', ['A 1', 'B']],
    ['in single quotes', `'A 1', 'B'`, ['A 1', 'B']],
    ['in quotes, a column with commas at its ends', `'A',\n'B',\n'C'`, ['A', 'B', 'C']],
    ['in quotes, with separators', '"Smith, A #1";"B;2"', ['Smith, A #1', 'B;2']],
    ['that Excel quotes because of their quotes', '"the ""Big"" one"\r\nB', ['the "Big" one', 'B']],
    ['with a line end in a cell', '"Ridge\nA-1"\r\nB', ['Ridge A-1', 'B']],
    ['with a doubled apostrophe', `'O''Brien','B'`, [`O'Brien`, 'B']],
    ['that a CSV file protects as formulas', '="0012"\r\n="0013"', ['0012', '0013']],
    ['some of them in quotes', `A 1\r\n"B"\t'C', A 1;;\n 42-123 `, ['A 1', 'B', 'C', '42-123']],
  ])('has values %s', (_how, text, values) => {
    expect(readList(text)).toEqual(values);
  });

  it.each([
    ['inches', '7" liner, 5" casing', ['7" liner', '5" casing']],
    ['a nickname', '"Big" Smith 1\n"Old" Jones', ['"Big" Smith 1', '"Old" Jones']],
    ['an apostrophe', `O'Brien #1, D'Arcy`, [`O'Brien #1`, `D'Arcy`]],
    ['a quote that is never closed', '"A, B', ['"A', 'B']],
  ])('keeps quotes that are part of a value: %s', (_what, text, values) => {
    expect(readList(text)).toEqual(values);
  });

  it('has texts, never numbers', () => {
    expect(readList('0012\n42-123-45678-00-00\n1e5\n42000000010000')).toEqual([
      '0012',
      '42-123-45678-00-00',
      '1e5',
      '42000000010000',
    ]);
  });

  it('drops the apostrophe with which Excel marks texts, and characters that nobody sees', () => {
    expect(readList(`\uFEFF'0012\n'0013\n\u00A0A\u00A01\u200B\n`)).toEqual(['0012', '0013', 'A 1']);
  });

  it.each<[string, string, string[]]>([
    ['in a column', 'Smith, A #1\r\nJones, B #2\r\n', ['Smith, A #1', 'Jones, B #2']],
    ['in a row', 'Smith, A #1\tJones, B #2', ['Smith, A #1', 'Jones, B #2']],
    ['between semicolons', 'Smith, A #1; Jones, B #2', ['Smith, A #1', 'Jones, B #2']],
    ['beside a value in quotes', '"Smith, A"\nJones B, Inc.', ['Smith, A', 'Jones B, Inc.']],
    ['of decimals', '12,5\n13,5\n-1,5', ['12,5', '13,5', '-1,5']],
  ])('keeps commas of values %s', (_where, text, values) => {
    expect(readList(text)).toEqual(values);
  });

  it.each<[string, string, string[]]>([
    ['a list that continues after a comma', 'A 1, B 2,\nC, D', ['A 1', 'B 2', 'C', 'D']],
    ['numbers', '5001, 5002\n5003, 42-123', ['5001', '5002', '5003', '42-123']],
    ['one line of a file', '\nA 1, B 2\n', ['A 1', 'B 2']],
    ['a list that ends with a semicolon', 'A, B;', ['A', 'B']],
  ])('is split at commas in %s', (_what, text, values) => {
    expect(readList(text)).toEqual(values);
  });

  it('of words is split at each separator, and in one line at blanks too, except in quotes', () => {
    expect(readList('5001 5002,5003;5004  "Hook Load" \'a,b\' 5001\n', 'words')).toEqual([
      '5001',
      '5002',
      '5003',
      '5004',
      'Hook Load',
      'a,b',
    ]);
    expect(readList('data.Hook Load\ndata.rop, data.wob\t42 123', 'words')).toEqual([
      'data.Hook Load',
      'data.rop',
      'data.wob',
      '42 123',
    ]);
  });
});

describe('a list as text', () => {
  const values = [
    'A 1',
    'Smith, A #1',
    'a;b',
    'a\tb',
    'the "Big" one',
    '"Big"',
    '"',
    `'0012`,
    `O'Brien`,
    '=1+1',
    '="x"',
    '-999.25',
    '42-123-45678',
  ];

  it('has quotes only where it needs them', () => {
    expect(writeList(['A 1', `O'Brien`, 'Smith, A #1', '"Big" one'])).toBe(
      `A 1, O'Brien, "Smith, A #1", """Big"" one"`,
    );
    expect(writeList(['1,5', '-2', 'Smith, A'], 'decimals')).toBe('1,5; -2; "Smith, A"');
    expect(readList('1,5, -2,-3,25', 'decimals')).toEqual(['1,5', '-2', '-3,25']);
    expect(writeList(['data.rop', 'data.Hook Load'], 'words')).toBe('data.rop, "data.Hook Load"');
  });

  it.each<ListOf>(['texts', 'words', 'decimals'])('has the same %s when it is read again', (kind) => {
    expect(readList(writeList(values, kind), kind)).toEqual(values);
    for (const first of values)
      for (const second of values)
        expect(readList(writeList([first, second], kind), kind)).toEqual([...new Set([first, second])]);
  });
});

it('a list of any length is read in one pass', () => {
  const all = Array.from({ length: 100_000 }, (_, at) => `"Smith, A #${at}"`);
  expect(readList(all.join('\r\n'))).toHaveLength(100_000);
});
