import { describe, expect, it } from 'vitest';
import { wits0 } from '../../../../../src/main/core/tables/sources/wits.ts';
import { cellsOf, namesOf, recordIndexes, readContent } from '../../../features/upload/support/sources.ts';

const read = (lines: readonly string[]) => readContent(wits0, lines.join('\r\n') + '\r\n', 'stream.wits');

describe('a WITS0 stream', () => {
  it('has dates and times of loggers that drop zeros at their start', async () => {
    const file = await read([
      '&&',
      '010550131',
      '010660000',
      '01401.50',
      '!!',
      '&&',
      '0105610131',
      '010660000',
      '!!',
    ]);
    expect(cellsOf(file).map(([time]) => time)).toEqual(['2005-01-31T06:00:00', '1961-01-31T06:00:00']);
  });

  it('has a table per record type, items by name, and date and time combined', async () => {
    const file = await read([
      'noise',
      '&&',
      '010115/9-F-7',
      '0105160730',
      '0106015129',
      '0116-9.08',
      '01401.50',
      '!!',
      '&&',
      '070115/9-F-7',
      '07138.85',
      '0799x',
      '!!',
      '&&',
      '0105990101',
      '0106235959',
      '!!',
    ]);
    expect(file.tables.map(({ name, rows }) => [name, rows])).toEqual([
      ['record 1', 2],
      ['record 7', 1],
    ]);
    expect(namesOf(file)).toEqual(['DATETIME', 'WELLID', 'DATE', 'TIME', 'WOBA', 'GASA']);
    expect(file.tables[0]?.index).toEqual({ name: 'DATETIME', unit: null, kind: 'time' });
    expect(cellsOf(file)).toEqual([
      ['2016-07-30T01:51:29', '15/9-F-7', '160730', '015129', '-9.08', '1.50'],
      ['1999-01-01T23:59:59', null, '990101', '235959', null, null],
    ]);
    expect(recordIndexes(file)).toEqual([2, 14]);
    expect(namesOf(file, 1)).toEqual(['WELLID', 'SINC', 'record_7_item_99']);
    expect(file.header).toMatchObject([{ name: 'WELL', value: '15/9-F-7' }]);
    expect(file.warnings).toEqual([]);
  });

  it('names items without a known mnemonic by record and item number', async () => {
    const file = await read(['&&', '0101A-1', '01400.5', '01411.0', '07222.0', '20073.0', '!!']);
    expect([0, 1, 2].map((table) => namesOf(file, table))).toEqual([
      ['WELLID', 'GASA', 'record_1_item_41'],
      ['record_7_item_22'],
      ['record_20_item_07'],
    ]);
  });

  it('may have items of several records in a frame', async () => {
    const file = await read(['&&', '0108100', '0813200', '!!']);
    expect(file.tables.map(({ name }) => name)).toEqual(['record 1', 'record 8']);
  });

  it('may have several records of a type in a frame: each is a row', async () => {
    const file = await read([
      '&&',
      '010115/9',
      '01081000',
      '0108',
      '010115/9',
      '01081001',
      '!!',
      '&&',
      '010115/9',
      '01081002',
      '!!',
    ]);
    expect(cellsOf(file).map(([, depth]) => depth)).toEqual([null, '1001', '1002']);
    expect(recordIndexes(file)).toEqual([1, 1, 8]);
  });

  it('has warnings about items outside of frames, and twice in a record', async () => {
    const times = ['2024-05-01 12:00:00', '2024/05/01', '20240501 120000'];
    const lines = ['&&', '0101A', '01082', '01083', '0101A', '01084', '!!', '0116-9.0', '01085000', ...times];
    const file = await read(lines);
    expect(cellsOf(file)).toEqual([
      ['A', '3'],
      ['A', '4'],
    ]);
    expect(file.warnings).toMatchObject([
      { code: 'ragged_rows', place: 8, count: 2 },
      { code: 'repeated_names', place: 4, count: 1 },
    ]);
  });

  it('that is truncated, or has other lines, is read with a warning', async () => {
    const file = await read(['&&', '01081', 'x', '&&', '01082', '!!', '&&', '01083']);
    expect(cellsOf(file)).toEqual([['1'], ['2'], ['3']]);
    expect(file.warnings).toMatchObject([
      { code: 'ragged_rows', place: 3 },
      { code: 'cut_short', place: 1 },
    ]);
  });

  it('without items is rejected', async () => {
    await expect(read(['&&', 'x', '!!'])).rejects.toThrow(/no frame with items/);
  });

  it('is recognized by its content', () => {
    expect(wits0.recognize(Buffer.from('&&\r\n01081.0\r\n!!'), 'a.txt')).toBe(true);
    expect(wits0.recognize(Buffer.from('a && b\n1234'), 'a.wits')).toBe(false);
  });

  it('whose encoding is a guess warns about it with the line, also where lines end in CR', async () => {
    const frames = ['&&', '01081.0', '!!', '&&', '0108Åsgard', '!!', ''];
    for (const lineEnd of ['\n', '\r']) {
      const content = Buffer.from(frames.join(lineEnd), 'latin1');
      expect((await readContent(wits0, content, 'a.wits')).warnings).toMatchObject([
        { code: 'encoding_guessed', cell: 'Windows-1252', place: 5 },
      ]);
    }
  });

  it('with frames that are invalid in UTF-8 rejects them', async () => {
    const frames = ['&&', '01081.0', '!!', '&&', '0108\xc5', '07132.0', '!!', '&&', '01083.0', '!!', ''];
    const content = Buffer.from(frames.join('\n'), 'latin1');
    const file = await readContent(wits0, content, 'a.wits', { encoding: 'UTF-8' });
    expect(file.tables.map(({ found }) => found.map(({ problem }) => problem))).toEqual([
      [null, 'bad_bytes', null],
      [null],
    ]);
  });
});
