import fc from 'fast-check';
import Papa from 'papaparse';
import { describe, expect, it } from 'vitest';
import { recordsAsCsv } from '../../../../src/main/core/records/as-csv.ts';
import { cell, csvForm, CsvRows, csvHeader } from '../../../../src/main/core/records/csv.ts';
import { Columns } from '../../../../src/main/core/records/columns.ts';
import { TextBuffer } from '../../../../src/main/core/records/text-buffer.ts';
import { createPathTree, RecordScanner } from '../../../../src/main/core/records/scan.ts';
import { csvStyle } from '../../../../src/shared/csv.ts';

const parsed = (csv: string): string[][] =>
  Papa.parse<string[]>(csv, { newline: '\r\n', delimiter: ',' }).data.slice(0, -1);
const csvOf = (records: unknown[], options = {}): string[][] =>
  parsed(recordsAsCsv(JSON.stringify(records), options));

describe('a cell', () => {
  it('is unchanged in any reader of RFC 4180', () => {
    const text = fc.string({
      unit: fc.oneof(
        fc.constantFrom('"', ',', '\r', '\n', ' ', '='),
        fc.string({ minLength: 1, maxLength: 1 }),
      ),
    });
    fc.assert(
      fc.property(fc.array(text, { minLength: 2, maxLength: 5 }), (cells) => {
        expect(parsed(`${cells.map((one) => cell(one)).join(',')}\r\n`)).toEqual([cells]);
      }),
    );
  });

  it('is quoted only when necessary', () => {
    expect(['a b', 'a,b', 'say "no"', 'two\nlines', ''].map((one) => cell(one))).toEqual([
      'a b',
      '"a,b"',
      '"say ""no"""',
      '"two\nlines"',
      '""',
    ]);
  });
});

describe('the CSV of records', () => {
  it('has the union of all columns: envelope, other fields, then data in order of appearance', () => {
    const table = csvOf([
      { data: { rop: 1 }, extra: true, timestamp: 5, _id: 'a' },
      { data: { bit: { depth: 2 }, rop: 3 }, asset_id: 7, metadata: { asset_id: 8 } },
    ]);
    expect(table[0]).toEqual([
      '_id',
      'asset_id',
      'timestamp',
      'metadata.asset_id',
      'extra',
      'data.rop',
      'data.bit.depth',
    ]);
    expect(table.slice(1)).toEqual([
      ['a', '', '5', '', 'true', '1', ''],
      ['', '7', '', '8', '', '3', '2'],
    ]);
  });

  it('has numbers as received, and integers beyond 2^53 with all their digits', () => {
    const text = '[{"data":{"a":9007199254740993,"b":1.0,"c":0.10,"d":-0,"e":1e400}}]';
    expect(recordsAsCsv(text)).toBe(
      'data.a,data.b,data.c,data.d,data.e\r\n9007199254740993,1.0,0.10,-0,1e400\r\n',
    );
  });

  it('has lists as JSON, an empty cell for null and missing values, and quotes for an empty text', () => {
    const text = '[{"data":{"a":[1,"x"],"b":null,"c":"","d":"é\\n\\u0041"}},{"data":{"a":{}}}]';
    expect(recordsAsCsv(text)).toBe('data.a,data.b,data.c,data.d\r\n"[1,""x""]",,"","é\nA"\r\n{},,,\r\n');
  });

  it('has no separate column for a null when other records have an object', () => {
    expect(csvOf([{ data: { a: null } }, { data: { a: { b: 1 } } }, { data: { a: null } }])[0]).toEqual([
      'data.a.b',
    ]);
  });

  it('has the requested fields, in that order, even when no record has them', () => {
    const records = [{ _id: 'x', timestamp: 1, data: { b: 1, a: { c: 2, d: 3 } } }];
    expect(csvOf(records, { fields: ['data.a', 'nowhere', 'timestamp'] })).toEqual([
      ['data.a.c', 'data.a.d', 'nowhere', 'timestamp'],
      ['2', '3', '', '1'],
    ]);
  });

  it('has time and well first, ids last, and units in the header if the layout requires it', () => {
    const records = JSON.stringify([
      {
        _id: 'a',
        company_id: 1,
        asset_id: 7,
        version: 1,
        timestamp: 1_700_000_000_500,
        data: { rop: 1 },
        x: 2,
      },
    ]);
    const layout = { timeAndWellFirst: true, units: { 'data.rop': 'ft/h', timestamp: 'ms' } } as const;
    const csv = (times: 'iso' | 'spreadsheet', timeZone: string | null) =>
      recordsAsCsv(records, { timeZone, layout: { ...layout, times } })
        .split('\r\n')
        .slice(0, 2);
    expect(csv('spreadsheet', 'America/Chicago')).toEqual([
      'timestamp (America/Chicago),asset_id,x,data.rop (ft/h),_id,company_id,version',
      '2023-11-14 16:13:20.500,7,2,1,a,1,1',
    ]);
    expect(csv('iso', 'America/Chicago')[0]).toMatch(/^timestamp,asset_id,/);
    expect(csv('iso', null)[0]).toMatch(/^timestamp \(ms\),asset_id,/);
    expect(recordsAsCsv('[{"constructor":1}]', { layout: { ...layout, times: 'iso' } })).toBe(
      'constructor\r\n1\r\n',
    );
  });

  it('has the last of two values for the same key, as in JSON', () => {
    expect(recordsAsCsv('[{"a":1,"b":2,"a":3}]')).toBe('a,b\r\n3,2\r\n');
  });

  it('has times in the requested time zone', () => {
    const records = [
      {
        timestamp: 1_700_000_000_000,
        datetime: '2024-07-01T12:00:00Z',
        data: { timestamp: 1_700_000_000_000 },
      },
    ];
    expect(csvOf(records, { timeZone: 'America/Chicago' })[1]).toEqual([
      '2023-11-14T16:13:20.000-06:00',
      '2024-07-01T07:00:00.000-05:00',
      '1700000000000',
    ]);
  });

  it('has no time for a null value', () => {
    const options = { timeZone: 'UTC', nullValues: 'blank' };
    expect(csvOf([{ timestamp: -999.25, data: { rop: 1 } }], options)[1]).toEqual(['', '1']);
  });

  it('is empty when there are no records and no fields', () => {
    expect(recordsAsCsv('[]')).toBe('');
    expect(recordsAsCsv('[]', { fields: ['a'] })).toBe('a\r\n');
  });
});

describe('CSV in another style', () => {
  const styled = (records: unknown[], style: object): string => {
    const tree = createPathTree();
    const page = new RecordScanner({ tree, keyField: null }).scanArray(JSON.stringify(records));
    const columns = new Columns(tree, []);
    for (let record = 0; record < page.count; record += 1) columns.addRecord(page, record);
    const paths = columns.inOrder().map(({ path }) => path);
    const form = csvForm(csvStyle.parse(style));
    const rows = new CsvRows(columns, paths, { zone: null, form, nullValues: 'blank' });
    const lines = new TextBuffer();
    lines.text(csvHeader(paths, form));
    for (let record = 0; record < page.count; record += 1) rows.add(lines, page, record);
    return Buffer.from(lines.take()).toString();
  };

  it('has the selected delimiter, line ending, and byte order mark', () => {
    const records = [{ a: 'x;y', b: 'x,y' }];
    expect(styled(records, { delimiter: ';', newline: 'LF', bom: true })).toBe('\uFEFFa;b\n"x;y";x,y\n');
    expect(styled(records, { delimiter: '\t' })).toBe('a\tb\r\nx;y\tx,y\r\n');
  });

  it('has decimal commas only in numbers', () => {
    expect(
      styled([{ a: -1.5, b: '1.5', c: 1e21, d: [1.5], e: true }], { delimiter: ';', decimal: ',' }),
    ).toBe('a;b;c;d;e\r\n-1,5;1.5;1e+21;[1.5];true\r\n');
  });

  it('rejects a comma as both delimiter and decimal sign', () => {
    expect(csvStyle.safeParse({ decimal: ',' }).error?.issues[0]?.path).toEqual(['delimiter']);
  });

  it('escapes texts that a spreadsheet would run as formulas, and keeps numbers', () => {
    const records = [
      { a: '=1+1', b: '-2', c: -2, d: '@x', e: 'a=1', f: '\t=1', g: "'=1", h: "'a", '=i': '' },
    ];
    expect(styled(records, { escapeFormulas: true })).toBe(
      `a,b,c,d,e,f,g,h,'=i\r\n'=1+1,'-2,-2,'@x,a=1,'\t=1,''=1,'a,""\r\n`,
    );
    expect(styled([{ a: '=1+1' }], {})).toBe('a\r\n=1+1\r\n');
  });
});
