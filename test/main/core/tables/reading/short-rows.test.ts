import { describe, expect, it } from 'vitest';
import { inspectionOf } from '../../../../../src/main/core/tables/reading/warnings.ts';
import { RowReader } from '../../../../../src/main/core/tables/reading/rows.ts';
import { openSource } from '../../../../../src/main/core/tables/reading/source.ts';
import type { ReadingOptions } from '../../../../../src/shared/upload/upload.ts';
import { fileWith, scanPath } from '../../../features/upload/support/files.ts';

/** The counts of short rows, and the cells of all rows as an upload reads them. */
async function read(text: string, reading: Partial<ReadingOptions> = {}) {
  const path = await fileWith(text);
  const scan = scanPath(path, reading);
  const found = inspectionOf(scan);
  const source = openSource(path, 'file.csv');
  try {
    const { dataStart: byte, dataLine: line } = scan.layout;
    const rows = new RowReader(source, scan.layout, { byte, line, fleeting: true });
    const cells: string[][] = [];
    for (let row = rows.next(); row; row = rows.next()) cells.push([...row.texts()]);
    const short = found.warnings.filter(({ code }) => code === 'ragged_rows' || code === 'filled_rows');
    return {
      cells,
      short: short.map(({ code, count, line: first }) => [code, count, first]),
      nulls: found.columns.map(({ nulls }) => nulls),
    };
  } finally {
    source.close();
  }
}

describe('the end mark of DOS', () => {
  const end = '\u001A';
  it.each([
    ['behind the last line', end],
    ['twice', end + end],
    ['filled up with NUL', end + '\0'.repeat(20)],
  ])('%s is no row, and no part of one', async (_what, mark) => {
    const { cells, short } = await read(`a,b\n1,2\n3,4\n${mark}`);
    expect(cells).toEqual([
      ['1', '2'],
      ['3', '4'],
    ]);
    expect(short).toEqual([]);
    expect((await read(`a,b\n1,2\n3,"4"${mark}`)).cells).toEqual(cells);
  });

  it('within the file is a character like others', async () => {
    expect((await read(`a,b\n1,x${end}\n3,y\n`)).cells[0]).toEqual(['1', `x${end}`]);
  });
});

const full = Array.from({ length: 20 }, (_, at) => `${at},${at * 2},ok`);
const omitted = ['1,2', '3,4', '5,6'];

describe('rows with fewer cells than the header', () => {
  it('have blank cells at the end if the file omits them there', async () => {
    const { cells, short, nulls } = await read(`MD,Inc,Note\n${[...full, ...omitted].join('\n')}\n7,8,end\n`);
    expect(short).toEqual([['filled_rows', 3, 22]]);
    expect(cells).toHaveLength(24);
    expect(cells[20]).toEqual(['1', '2', '']);
    expect(nulls).toEqual([0, 0, 3]);
  });

  it('have blank cells, and aren’t short, if only the header ends with delimiters', async () => {
    const { cells, short } = await read('MD,Inc,\n1,2\n3,4\n5,6\n');
    expect(short).toEqual([]);
    expect(cells[0]).toEqual(['1', '2', '']);
    const time = await read('Time,A,B,\n1/13/2019 10:00:00,1,2\n1/13/2019 10:00:01,1,2');
    expect(time.short).toEqual([]);
    for (const shortRows of [undefined, 'reject'] as const) {
      const cut = await read('MD,Inc,Azi,\n1,2\n3,4,5\n6,7,8\n', { shortRows });
      expect(cut.short).toEqual([['ragged_rows', 1, 2]]);
      expect(cut.cells[1]).toEqual(['3', '4', '5', '']);
    }
  });

  it.each([
    ['a row in a full file', [...full, '1,2', '7,8,end']],
    ['rows beside blank cells at the ends', [...full, ...omitted, '7,8,']],
    ['rows that are halves of broken ones', [...full, '1', 'rig,2,x', 'up,3', '2', 'rig,3,x', 'up,4']],
    ['rows of words where the others have numbers', [...full, 'a,b', 'c,d', 'e,f', 'g,h']],
    ['all rows below a header with a delimiter in a name', omitted],
  ])('stay rejected: %s', async (_, rows) => {
    const { short, cells } = await read(
      `MD,Inc,Note\n${rows.join('\n')}\n7,8,x\n`.replace(/\n7,8,x\n$/, '\n'),
    );
    expect(short.map(([code]) => code)).not.toContain('filled_rows');
    expect(short.map(([code]) => code)).toContain('ragged_rows');
    expect(cells.some(({ length }) => length < 3)).toBe(true);
  });

  it('of one cell stay rejected where others are filled: they can be titles', async () => {
    const { cells, short } = await read(
      `Well,Inc,Note\n${['A,1,x', ...omitted, 'Section B', 'B,2,y'].join('\n')}\n`,
    );
    expect(short).toEqual([
      ['ragged_rows', 1, 6],
      ['filled_rows', 3, 3],
    ]);
    expect(cells[4]).toEqual(['Section B']);
  });

  it('are filled or rejected as the user sets', async () => {
    const text = `MD,Inc,Note\n${full.join('\n')}\n1\n7,8,end\n`;
    const filled = await read(text, { shortRows: 'fill' });
    expect(filled.short).toEqual([['filled_rows', 1, 22]]);
    expect(filled.cells[20]).toEqual(['1', '', '']);
    const rejected = await read(`MD,Inc,Note\n${[...full, ...omitted].join('\n')}\n7,8,end\n`, {
      shortRows: 'reject',
    });
    expect(rejected.short).toEqual([['ragged_rows', 3, 22]]);
    expect(rejected.cells[20]).toEqual(['1', '2']);
  });
});
