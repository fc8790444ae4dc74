import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  isOneTable,
  TableFinder,
  type FoundTables,
  type SkippedLines,
} from '../../../../../src/main/core/tables/layout/below.ts';

/** The lines of some kinds that are no rows, all of them if there are at most twenty of a kind. */
function skippedOf({ skipped }: FoundTables, ...kinds: readonly SkippedLines['kind'][]) {
  const some = skipped.filter(({ kind }) => kinds.includes(kind));
  return {
    count: some.reduce((sum, { count }) => sum + count, 0),
    lines: some.flatMap(({ lines }) => lines).toSorted((a, b) => a - b),
  };
}

/** The tables of lines, the first of which is the header. */
function find(
  lines: readonly string[],
  above: readonly string[] = [],
  units: string | null = null,
): FoundTables {
  const cellsOf = (text: string): string[] => text.split(',');
  const rowOf = (text: string, at: number) => ({ cells: cellsOf(text), line: at + 1 });
  const [header = '', ...rows] = lines;
  const first = above.length + 1;
  const finder = new TableFinder(
    { header: rowOf(header, first - 1), units: units === null ? null : rowOf(units, first) },
    above.map(rowOf),
  );
  const start = first + (units === null ? 1 : 2);
  for (const [at, row] of rows.entries()) finder.add(cellsOf(row), start + at);
  return finder.end();
}
const spansOf = ({ spans }: FoundTables): number[][] =>
  spans.map(({ table, from, to, rows }) => [table, from, to, rows]);
const numbers = (count: number, from = 0): string[] =>
  Array.from({ length: count }, (_, n) => `${from + n},${n * 0.5},${n * 2}`);

describe('rows below a header', () => {
  it('are one table if they have numbers in the same columns', () => {
    const found = find(['MD,Inc,Azi', ...numbers(200)]);
    expect(isOneTable(found)).toBe(true);
    expect(spansOf(found)).toEqual([[0, 2, 201, 200]]);
  });

  it.each([
    ['a comment in a text column', 'MD,Inc,Remark', '30,0.5,Pump off'],
    ['a state in one of the columns of numbers', 'MD,Inc,State', 'shut,0.5,on'],
    ['no values', 'MD,Inc,Azi', ',,'],
    ['null values', 'MD,Inc,Azi', 'N/A,NaN,NULL'],
    ['the same word in each column', 'MD,Inc,Azi', 'closed,closed,closed'],
    ['a value alone', 'MD,Inc,Azi', 'Rig down,,'],
    ['a remark on the well', 'MD,Inc,Azi', 'Well shut in,,'],
    ['a remark with a colon', 'MD,Inc,Remark', ',,POOH; well: static'],
    ['a remark with a time', 'MD,Inc,Remark', ',,At 12:30; well: static'],
    ['a time and words', 'Time,Inc,Azi', '2020-01-01,off,closed'],
  ])('and stay one table with a row of %s', (_what, header, row) => {
    for (const before of [3, 100]) {
      const found = find([header, ...numbers(before), row, ...numbers(40, before)]);
      expect(isOneTable(found)).toBe(true);
      expect(found.spans.reduce((sum, { rows }) => sum + rows, 0)).toBe(before + 41);
    }
  });

  it.each([
    ['a total', ['Total,Sum=3,Sum=4']],
    ['totals', ['Total,Sum=3,Sum=4', 'Average,Avg=1,Avg=2']],
    ['a remark', ['Note: oil in Sm3, gas in MSm3']],
    ['a row of words', ['preliminary,not,checked']],
  ])('and stay one table with %s at the end', (_what, rows) => {
    expect(isOneTable(find(['MD,Inc,Azi', ...numbers(60), ...rows]))).toBe(true);
  });

  it('end at a row of words above numbers, which is the header of another table', () => {
    const found = find([
      'MD,Inc,Azi',
      ...numbers(60),
      ',,',
      'Survey tools,,',
      'From,To,Tool',
      'ft,ft,',
      '0,77,MWD',
      '77,350,Gyro',
    ]);
    expect(spansOf(found)).toEqual([
      [0, 2, 61, 60],
      [1, 66, 67, 2],
    ]);
    expect(found.tables[1]).toMatchObject({
      header: { line: 64, cells: ['From', 'To', 'Tool'] },
      units: { line: 65 },
    });
  });

  it('continue below the same header, with or without its units, also after another table', () => {
    const header = 'MD,Inc,Azi';
    const found = find(
      [
        header,
        ...numbers(3),
        header,
        'm,deg,deg',
        ...numbers(2),
        header,
        ...numbers(1),
        'Well,Oil,Gas',
        '1,2,3',
        header,
        ...numbers(2),
      ],
      [],
      'm,deg,deg',
    );
    expect(spansOf(found)).toEqual([
      [0, 3, 5, 3],
      [0, 8, 9, 2],
      [0, 11, 11, 1],
      [1, 13, 13, 1],
      [0, 15, 16, 2],
    ]);
    expect(skippedOf(found, 'repeated_header')).toEqual({ count: 3, lines: [6, 10, 14] });
    expect(found.tables).toHaveLength(2);
  });

  it('continue below the same header in a table of text', () => {
    const found = find([
      'Name,Field',
      'A-1,North',
      'B-2,South',
      'Name,Field',
      ...Array.from({ length: 60 }, () => 'C,East'),
      'Name,Field',
      'D,West',
    ]);
    expect(skippedOf(found, 'repeated_header')).toEqual({ count: 2, lines: [4, 65] });
    expect(found.tables).toHaveLength(1);
  });

  it('have the values of the lines above each header', () => {
    const found = find(
      [
        'MD,Inc,Azi',
        ...numbers(3),
        'Date,28-DEC-1996,',
        'MD,Inc,Azi',
        ...numbers(2),
        'Well: B-2,,',
        'MD,Inc,Azi',
        ...numbers(2),
      ],
      ['Well: A-1,,', 'Date,28-DEC-1995,'],
    );
    expect(
      found.spans.map(({ values }) => Object.fromEntries(values.map(({ name, value }) => [name, value]))),
    ).toEqual([
      { Well: 'A-1', Date: '28-DEC-1995' },
      { Well: 'A-1', Date: '28-DEC-1996' },
      { Well: 'B-2', Date: '28-DEC-1996' },
    ]);
  });

  it('are of the well that a title names behind its words, in one cell', () => {
    const header = 'MD,Inc,Azi';
    const titles = ['Directional Survey; Well: A-1,,', 'Daily report 06:00; Well: B-2,,'] as const;
    const { spans } = find([header, ...numbers(3), titles[1], header, ...numbers(2)], [titles[0]]);
    expect(spans.map(({ values }) => values.map(({ value }) => value))).toEqual([['A-1'], ['B-2']]);
  });

  it.each([
    ['above the first page', ['Well Summary,,', 'Well: A-1,,'], []],
    ['above later pages', ['Well: A-1,,'], ['Well Summary,,']],
    [
      'above each page, beside the well',
      ['Well Summary,,', 'Well Name: A-1,,'],
      ['Well Summary,,', 'Well Name: A-1,,'],
    ],
  ])('are of the well above them, not of a title %s', (_where, first, later) => {
    const header = 'MD,Inc,Azi';
    const { spans } = find([header, ...numbers(3), ...later, header, ...numbers(2)], first);
    for (const { values } of spans) expect(values.map(({ value }) => value)).toEqual(['A-1']);
  });

  it.each([
    ['a digit above', ['Well A-1,,', 'Well Badger,,']],
    ['a digit between', ['Well Badger,,', 'Well A-1,,', 'Well Carl,,']],
  ])(
    'are of the well above them, also one without digits after one with %s',
    (_where, [first = '', ...later]) => {
      const header = 'MD,Inc,Azi';
      const { spans } = find(
        [header, ...numbers(3), ...later.flatMap((line) => [line, header, ...numbers(2)])],
        [first],
      );
      expect(spans.map(({ values }) => values.map(({ value }) => `Well ${value},,`))).toEqual(
        [first, ...later].map((line) => [line]),
      );
    },
  );

  it('have the values of lines between them, also without a header between', () => {
    const wells = ({ spans }: FoundTables) =>
      spans.map(({ rows, values }) => [rows, ...values.map(({ value }) => value)]);
    const rows = numbers(3);
    const blocks = ['Well: A-1,Field: X,', ...rows, 'Survey,,', 'Well:,B-2,', ',,', ...rows];
    expect(wells(find(['MD,Inc,Azi', ...blocks]))).toEqual([
      [4, 'A-1', 'X'],
      [3, 'X', 'B-2'],
    ]);
    expect(wells(find(['MD,Inc,Azi', ...rows, 'Well: B-2', ...rows], ['Well: A-1']))).toEqual([
      [3, 'A-1'],
      [3, 'B-2'],
    ]);
    // Without digits and a colon, it is a remark, unless the well above is written like that, too.
    for (const [first, next, line] of [
      ['Well: A-1', 'Well flowing,,', null],
      ['Well A-1', ',,Well flowing', null],
      ['Well,A-1,,', 'Well shut in,,', 6],
      ['Well Badger', 'Well Bravo,,', 6],
      ['Well Badger', 'Well flowing,,', null],
    ] as const) {
      const tables = find(['MD,Inc,Remark', ...rows, next, ...rows], [first]);
      expect(wells(tables)).toMatchObject([[7, expect.stringMatching(/^(?:A-1|Badger)$/)]]);
      expect(tables.unclear?.from ?? null).toBe(line);
    }
    expect(find(['MD,Inc,Remark', ...rows, 'Well shut in,,', ...rows], ['Well Test']).unclear).toBeNull();
    const list = 'Well,Badger,Operator,Acme';
    expect(wells(find(['MD,Inc,Azi', ...rows], [list]))).toEqual([[3, 'Badger']]);
    for (const names of ['Well,Badger,Operator,Lease', 'Well,C1,C2,C3'])
      expect(wells(find(['MD,Inc,Azi', ...rows], [names]))).toEqual([[3]]);
    // A table of names and values has rows of them.
    expect(isOneTable(find(['Name,Value', 'Well,A-1', 'Depth,100', 'Rig,R7', 'Speed,3']))).toBe(true);
  });

  it('that are no rows between pages are titles or totals with their lines', () => {
    const page = (n: number): string[] => [...numbers(20, n * 20), 'Total,,123.4', 'Total:,99.5,', ',,'];
    const header = ['MD,Inc,Azi'];
    const tables = find([
      ...header,
      ...page(0),
      'Survey of A-1,,',
      'Well A-1 page 2 of 3,,',
      ...header,
      ...page(1),
      'Survey of A-1,,',
      'Well A-1 page 3 of 3,,',
      ...header,
      ...numbers(20, 40),
    ]);
    expect(skippedOf(tables, 'repeated_header')).toEqual({ count: 2, lines: [27, 53] });
    expect(skippedOf(tables, 'total')).toEqual({ count: 4, lines: [22, 23, 48, 49] });
    expect(skippedOf(tables, 'title', 'value').lines).toEqual([25, 26, 51, 52]);
    expect(tables.spans.flatMap(({ values }) => values.map(({ name }) => name))).not.toContain('Total');
    expect(tables.unclear).toBeNull();
  });

  it('and that fill only columns of numbers stay rows above a repeated header', () => {
    const page = [...numbers(20), ',,123.4'];
    const tables = find(['MD,Inc,Azi', ...page, 'MD,Inc,Azi', ...page, 'MD,Inc,Azi', '1,2,3']);
    expect(tables.spans.map(({ rows }) => rows)).toEqual([21, 21, 1]);
    expect(skippedOf(tables, 'total').count).toBe(0);
  });

  it('law: each line is a row of a table, a header with its units, blank, or counted as skipped', () => {
    const line = fc.constantFrom(
      '1,2,3',
      '4,5.5,6',
      ',,7',
      ',,',
      'MD,Inc,Azi',
      'm,deg,deg',
      'From,To,Tool',
      'Page 2,,',
      'Well: B-2,,',
      'Total,,123.4',
      'Total:,9,',
      'off,,',
    );
    fc.assert(
      fc.property(fc.array(line, { maxLength: 60 }), (lines) => {
        const { spans, skipped, tables } = find(['MD,Inc,Azi', '0,0,0', ...lines]);
        const rows = spans.reduce((sum, span) => sum + span.rows, 0);
        const others = skipped.reduce((sum, { count }) => sum + count, 0) + tables.length - 1;
        const isFree = (text: string): boolean => text === ',,' || text === 'm,deg,deg';
        const needed = lines.filter((text) => !isFree(text)).length + 1;
        expect(rows + others).toBeGreaterThanOrEqual(needed);
        expect(rows + others).toBeLessThanOrEqual(lines.length + 1);
      }),
      { numRuns: 500 },
    );
  });

  it('have other units below the same header: they are another table', () => {
    const header = 'MD,Inc,Azi';
    const tables = find(
      [header, ...numbers(20), header, '(m),[deg],deg', ...numbers(20), header, 'ft,deg,deg', ...numbers(20)],
      [],
      'm,deg,deg',
    );
    expect(skippedOf(tables, 'repeated_header')).toEqual({ count: 1, lines: [23] });
    expect(tables.tables.map(({ units }) => units?.cells[0])).toEqual(['m', 'ft']);
  });

  it('have units below them, although one of them isn’t known', () => {
    const found = find([
      'MD,Inc,Azi',
      ...numbers(60),
      'From,Length,Joint',
      'm,ft,stands',
      '1,2,3',
      '4,5,6',
      '7,8,9',
    ]);
    expect(found.tables[1]).toMatchObject({ header: { line: 62 }, units: { line: 63 } });
    expect(found.unclear).toBeNull();
  });

  it('are unclear if several rows of words follow each other', () => {
    const found = find(['MD,Inc,Azi', ...numbers(60), 'one,two,three', 'four,five,six', '1,2,3']);
    expect(found.unclear).toEqual({ from: 62, to: 63 });
  });
});
