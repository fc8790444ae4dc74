import * as fc from 'fast-check';
import Papa from 'papaparse';
import { describe, expect, it } from 'vitest';
import { readFrom } from '../../../../../src/main/core/tables/reading/layout.ts';
import {
  createFieldReader,
  RecordReader,
  maxRecordBytes,
  type RawRecord,
} from '../../../../../src/main/core/tables/reading/records.ts';
import type { ReadAt } from '../../../../../src/main/core/tables/reading/source.ts';

interface Found extends RawRecord {
  readonly cells: readonly string[];
  readonly bytes: string;
}

/** Reads in chunks of this many bytes, like a slow disk. */
const inSteps = (content: Uint8Array, step: number): ReadAt => {
  const read = readFrom(content);
  return (into, offset, length, position) => read(into, offset, Math.min(length, step), position);
};

function recordsOf(
  content: Uint8Array,
  { delimiter = ',', crEnds = false, encoding = 'UTF-8', step = Infinity, columns = 0 } = {},
): Found[] {
  const options = {
    fileName: 'file.csv',
    start: 0,
    line: 1,
    delimiter,
    crEnds,
    encoding: { name: encoding, bom: 0 },
    quotes: true,
  } as const;
  const reader = new RecordReader(inSteps(content, step), options);
  const readFields = createFieldReader(delimiter, '"', columns);
  const found: Found[] = [];
  for (let record = reader.next(); record; record = reader.next())
    found.push({
      ...record,
      cells: readFields(reader, record).cells,
      bytes: Buffer.from(content.subarray(record.start, record.end)).toString('latin1'),
    });
  return found;
}
const bytes = (text: string): Uint8Array => Buffer.from(text);
const cellsOf = (text: string, options = {}): (readonly string[])[] =>
  recordsOf(bytes(text), options).map(({ cells }) => cells);

describe('records of a file', () => {
  it('end at LF and at CRLF, even mixed', () => {
    const found = recordsOf(bytes('a,b\r\nc,d\ne,f'));
    expect(found.map(({ cells, ending }) => [cells, ending])).toEqual([
      [['a', 'b'], 'CRLF'],
      [['c', 'd'], 'LF'],
      [['e', 'f'], 'none'],
    ]);
  });

  it('end at a lone CR only in a file with CR line endings', () => {
    expect(cellsOf('a\rb\n')).toEqual([['a\rb']]);
    expect(cellsOf('a\rb\r\nc', { crEnds: true })).toEqual([['a'], ['b'], ['c']]);
  });

  it('keep line endings, delimiters, and doubled quotes inside quotes', () => {
    expect(cellsOf('"a\nb","c,d","e ""f"""\n1,2,3\n')).toEqual([
      ['a\nb', 'c,d', 'e "f"'],
      ['1', '2', '3'],
    ]);
  });

  it('have the number of their first line, counting lines inside quotes', () => {
    expect(recordsOf(bytes('h\n"a\nb\r\nc"\nd\n')).map(({ line, nextLine }) => [line, nextLine])).toEqual([
      [1, 2],
      [2, 5],
      [5, 6],
    ]);
  });

  it('may have blanks after a closing quote', () => {
    expect(cellsOf('"a" ,"b"  \n"c"\t,"d" ')).toEqual([
      ['a', 'b'],
      ['c', 'd'],
    ]);
  });

  it('may have blanks between a delimiter and an opening quote', () => {
    expect(cellsOf('a, "x, y" ,b\n "c",\t "d ""e"" "\nf,  "g\nh"\n')).toEqual([
      ['a', 'x, y', 'b'],
      ['c', 'd "e" '],
      ['f', 'g\nh'],
    ]);
    expect(cellsOf('a\t "b\tc"\n', { delimiter: '\t' })).toEqual([['a', 'b\tc']]);
    expect(cellsOf('"a", "b" , c , ""\n')).toEqual([['a', 'b', ' c ', '']]);
  });

  it('keep a quote after blanks that encloses no whole cell', () => {
    const found = recordsOf(bytes('1, ", 2\n3, ", 4\n5, "x" y, "z"\n6, "open\n7, 8\n'));
    expect(found.map(({ cells, damage }) => [cells, damage])).toEqual([
      [['1', ' "', ' 2'], null],
      [['3', ' "', ' 4'], null],
      [['5', ' "x" y', 'z'], null],
      [['6', ' "open'], null],
      [['7', ' 8'], null],
    ]);
  });

  it('keep a quote after blanks that doesn’t close in 64 kB', () => {
    const rows = 'x'.repeat(99) + '\n';
    const found = recordsOf(bytes(`1, "open\n${rows.repeat(700)}2,"\n`));
    expect(found[0]).toMatchObject({ cells: ['1', ' "open'], damage: null });
    expect(found).toHaveLength(702);
  });

  it('keep a quote inside an unquoted cell: 9 5/8" casing', () => {
    expect(cellsOf('9 5/8" casing,x\n')).toEqual([['9 5/8" casing', 'x']]);
  });

  it('keep a single quote inside a quoted cell when the cell closes on its line', () => {
    expect(cellsOf('"9 5/8" casing, new",x\n')).toEqual([['9 5/8" casing, new', 'x']]);
  });

  it('limit a misplaced quote to its line', () => {
    const found = recordsOf(bytes('a,b\n"9" casing,1\nc,d\n'));
    expect(found.map(({ damage, bytes }) => [bytes, damage])).toEqual([
      ['a,b', null],
      ['"9" casing,1', 'bad_quotes'],
      ['c,d', null],
    ]);
  });

  it('limit an unclosed quote to its line', () => {
    const found = recordsOf(bytes('a,b\n"never closed,1\nc,d\ne,f\n'));
    expect(found.map(({ damage, line, bytes }) => [line, bytes, damage])).toEqual([
      [1, 'a,b', null],
      [2, '"never closed,1', 'unclosed_quote'],
      [3, 'c,d', null],
      [4, 'e,f', null],
    ]);
  });

  it('don’t wait more than 4 MB for a closing quote', () => {
    const rows = 'x'.repeat(99) + '\n';
    const found = recordsOf(bytes(`"open\n${rows.repeat(60_000)}`));
    expect(found[0]).toMatchObject({ bytes: '"open', damage: 'unclosed_quote' });
    expect(found).toHaveLength(60_001);
  });

  it('are rejected with line and byte when a line is longer than 4 MB', () => {
    expect(() => recordsOf(bytes(`a\n${'x'.repeat(maxRecordBytes + (2 << 20))}\n`))).toThrow(
      /longer than 4 MB \(line 2, byte 2\)/,
    );
  });

  it('don’t join a later line to a cell with a missing closing quote', () => {
    // Read to the next quote, both lines would make one row of two cells.
    const found = recordsOf(bytes('a,b\n"never closed,1\n"c",d\n'));
    expect(found.map(({ damage, bytes }) => [bytes, damage])).toEqual([
      ['a,b', null],
      ['"never closed,1', 'unclosed_quote'],
      ['"c",d', null],
    ]);
  });

  it('stay lines when each of many lines lacks a closing quote', () => {
    const found = recordsOf(bytes('"a,b\n'.repeat(5000)));
    expect(found).toHaveLength(5000);
    expect(found.every(({ damage }) => damage === 'unclosed_quote')).toBe(true);
  });

  it.each(['UTF-16LE', 'UTF-16BE'])('are found in %s, byte by byte', (encoding) => {
    const content = Buffer.from('näme,"a\n""ж"""\r\n1,2\n', 'utf16le');
    if (encoding === 'UTF-16BE') content.swap16();
    const found = recordsOf(content, { encoding, step: 3 });
    expect(found.map(({ cells, start, next }) => [cells, start, next])).toEqual([
      [['näme', 'a\n"ж"'], 0, 32],
      [['1', '2'], 32, 40],
    ]);
  });
});

describe('laws of records', () => {
  const cell = fc.string({
    unit: fc.constantFrom('a', '1', ' ', '"', ',', '\n', '\r', 'ø', '日', '𝄞'),
    maxLength: 6,
  });
  const table = fc.array(fc.array(cell, { minLength: 2, maxLength: 4 }), { minLength: 1, maxLength: 8 });
  const newline = fc.constantFrom('\n', '\r\n', '\r');
  const encoding = fc.constantFrom('UTF-8', 'UTF-16LE', 'UTF-16BE');
  const encode = (text: string, name: string): Buffer => {
    const content = Buffer.from(text, name === 'UTF-8' ? 'utf8' : 'utf16le');
    return name === 'UTF-16BE' ? content.swap16() : content;
  };

  it('quoted cells read back unchanged, for any line ending, encoding, and read size', () => {
    fc.assert(
      fc.property(table, newline, encoding, fc.integer({ min: 1, max: 9 }), (rows, end, name, step) => {
        const text = rows
          .map((cells) => cells.map((value) => `"${value.replaceAll('"', '""')}"`).join(','))
          .join(end);
        const found = recordsOf(encode(text, name), { encoding: name, crEnds: end === '\r', step });
        expect(found.map(({ cells }) => cells)).toEqual(rows);
      }),
    );
  });

  it('blanks around quoted cells are no part of their values, for any encoding and read size', () => {
    const blanks = fc.constantFrom('', ' ', '\t', '  ');
    const padded = fc.array(fc.array(fc.tuple(blanks, cell, blanks), { minLength: 2, maxLength: 4 }), {
      minLength: 1,
      maxLength: 8,
    });
    // A mark right before a delimiter or a blank opens no cell that follows blanks.
    const isClear = (value: string): boolean => !/^[ \t]*(?:[,\r\n]|$)/.test(value);
    fc.assert(
      fc.property(padded, encoding, fc.integer({ min: 1, max: 9 }), (rows, name, step) => {
        const text = rows
          .map((cells) =>
            cells
              .map(
                ([before, value, after]) =>
                  `${isClear(value) ? before : ''}"${value.replaceAll('"', '""')}"${after}`,
              )
              .join(','),
          )
          .join('\n');
        const found = recordsOf(encode(text, name), { encoding: name, step });
        expect(found.map(({ cells }) => cells)).toEqual(rows.map((cells) => cells.map(([, value]) => value)));
      }),
    );
  });

  it('records are adjacent and cover every byte, however malformed the text', () => {
    const broken = fc.string({
      unit: fc.constantFrom('a', ' ', '"', ',', '\n', '\r', '""', '",', '\r\n', 'ø'),
      maxLength: 60,
    });
    fc.assert(
      fc.property(
        broken,
        encoding,
        fc.boolean(),
        fc.integer({ min: 1, max: 9 }),
        (text, name, crEnds, step) => {
          const content = encode(text, name);
          const found = recordsOf(content, { encoding: name, crEnds, step });
          let at = 0;
          for (const { start, end, next } of found) {
            expect(start).toBe(at);
            expect(end).toBeGreaterThanOrEqual(start);
            expect(next).toBeGreaterThan(start);
            at = next;
          }
          expect(at).toBe(content.length);
          const whole = recordsOf(content, { encoding: name, crEnds });
          expect(found).toEqual(whole);
        },
      ),
    );
  });

  it('well-formed text reads as in papaparse', () => {
    const sound = fc.array(
      fc.array(
        fc.oneof(
          fc.constantFrom('a', '', '12.5', 'x"y'),
          cell.map((value) => `"${value.replaceAll('"', '""').replaceAll('\r', '')}"`),
        ),
        { minLength: 2, maxLength: 4 },
      ),
      { minLength: 1, maxLength: 8 },
    );
    fc.assert(
      fc.property(sound, (rows) => {
        const text = rows.map((cells) => cells.join(',')).join('\n');
        const expected = Papa.parse<string[]>(text, { delimiter: ',', newline: '\n' }).data;
        expect(cellsOf(text)).toEqual(expected);
      }),
    );
  });

  it('reading from any record returns the remaining records', () => {
    fc.assert(
      fc.property(table, fc.nat(), (rows, pick) => {
        const text = rows
          .map((cells) => cells.map((value) => `"${value.replaceAll('"', '""')}"`).join(','))
          .join('\n');
        const content = bytes(text);
        const found = recordsOf(content);
        const from = found[pick % found.length];
        if (!from) return;
        const options = {
          fileName: 'f',
          start: from.start,
          line: from.line,
          delimiter: ',',
          crEnds: false,
          encoding: { name: 'UTF-8', bom: 0 },
          quotes: true,
        } as const;
        const reader = new RecordReader(readFrom(content), options);
        expect(reader.next()).toMatchObject({
          start: from.start,
          end: from.end,
          next: from.next,
          line: from.line,
        });
      }),
    );
  });
});

describe('a single quote at the start of a cell', () => {
  const stray = 'T1,"MW 9.2,100.5,"no loss, no gain",ok\nT2,b,101.5,"drag, 20 klb",ok';

  it('is text if only then the row has all cells of its table', () => {
    expect(cellsOf(stray, { columns: 5 })).toEqual([
      ['T1', '"MW 9.2', '100.5', 'no loss, no gain', 'ok'],
      ['T2', 'b', '101.5', 'drag, 20 klb', 'ok'],
    ]);
  });

  it('encloses its cell in a table of fewer columns, and where the other reading has another number of cells', () => {
    const enclosed = ['T1', 'MW 9.2,100.5,"no loss, no gain', 'ok'];
    expect(cellsOf(stray, { columns: 3 })[0]).toEqual(enclosed);
    expect(cellsOf(stray, { columns: 6 })[0]).toEqual(enclosed);
  });

  it('encloses its cell if a later one is part of its text', () => {
    expect(cellsOf('T1,"he said "stop", and left",x', { columns: 4 })).toEqual([
      ['T1', 'he said "stop', ' and left"', 'x'],
    ]);
  });
});
