import { describe, expect, it } from 'vitest';
import { json } from '../../../../../src/main/core/tables/sources/json.ts';
import { cellsOf, namesOf, recordIndexes, readContent } from '../../../features/upload/support/sources.ts';

const read = (text: string | Uint8Array) => readContent(json, text, 'records.json');

describe('a JSON array of records', () => {
  it('has the paths of its objects as columns, every digit, and lists as JSON', async () => {
    const file = await read(
      '[\n{"_id":"a","asset_id":9007199254740993,"data":{"rop":12.5,"list":[1,2],"note":"a \\"b\\" ]},[{"}},\n{"_id":"b","data":{"rop":null,"deep":{"er":true}}}\n]\n',
    );
    expect(namesOf(file)).toEqual(['_id', 'asset_id', 'data.rop', 'data.list', 'data.note', 'data.deep.er']);
    expect(file.tables[0]?.columns.map(({ type }) => type)).toEqual([
      'text',
      'number',
      'number',
      null,
      'text',
      null,
    ]);
    expect(file.tables[0]?.rows).toBe(2);
    expect(cellsOf(file)).toEqual([
      ['a', '9007199254740993', '12.5', '[1,2]', 'a "b" ]},[{', null],
      ['b', null, null, null, null, 'true'],
    ]);
    expect(recordIndexes(file)).toEqual([1, 2]);
  });

  it('tells of elements with the same name twice, whose last value it has', async () => {
    const file = await read(
      '[{"a":1,"a":2},{"a":3,"b":"\\"a\\":1"},{"b":[{"c":1,"c":{"d":1}}]},{"a":{"b":1},"b":{"b":1}}]',
    );
    expect(cellsOf(file).slice(0, 2)).toEqual([
      ['2', null, null, null],
      ['3', '"a":1', null, null],
    ]);
    expect(file.warnings).toMatchObject([{ code: 'repeated_names', count: 2, place: 1 }]);
  });

  it('may be empty, on one line, or in UTF-16', async () => {
    expect((await read('[]')).tables[0]).toMatchObject({ rows: 0, columns: [] });
    expect(cellsOf(await read('[{"a":1},{"a":2}]'))).toEqual([['1'], ['2']]);
    expect(cellsOf(await read(Buffer.from('\uFEFF[{"a":"ø"}]', 'utf16le')))).toEqual([['ø']]);
  });

  it('with bytes that are invalid in UTF-8, even behind the first megabyte, is refused with the line', async () => {
    const ascii = Array.from({ length: 6000 }, (_, n) => `{"a":"${'x'.repeat(200)}","b":${n}},\n`).join('');
    const fileWith = (last: Uint8Array): Uint8Array =>
      Buffer.concat([Buffer.from(`[${ascii}{"a":"`), last, Buffer.from('"}]')]);
    await expect(read(fileWith(Buffer.from([0xc5])))).rejects.toMatchObject({
      code: 'file_unsuitable',
      details: { place: { line: 6001 } },
    });
    expect(cellsOf(await read(fileWith(Buffer.from('\uFFFDÅ')))).at(-1)).toEqual(['\uFFFDÅ', null]);
  });

  it('is split correctly at any chunk boundary', async () => {
    const records = Array.from({ length: 20_000 }, (_, at) => ({ a: `x\\"${'y'.repeat(at % 50)}\\`, b: at }));
    const file = await read(JSON.stringify(records));
    expect(cellsOf(file)).toEqual(records.map(({ a, b }) => [a, String(b)]));
  });

  it.each([
    ['an object of a text and nothing else', '"a"', /isn’t a list of records/],
    ['a list of numbers', '[1,2]', /element 1 isn’t an object.*line 1/],
    ['a truncated file', '[{"a":1},\n{"a":2', /ends too early, after element 1.*line 2/],
    ['an unclosed list', '[{"a":1},', /ends too early/],
    ['text after the list', '[{"a":1}]\nx', /follows the end.*line 2/],
    ['a malformed element', '[{"a":1},\n{"a":x}]', /element 2 is not valid JSON.*line 2/],
    ['a missing comma', '[{"a":1}\n{"a":2}]', /comma is missing after element 1.*line 2/],
    ['elements between blanks', '[{} {}]', /comma is missing after element 1/],
    ['two commas', '[{"a":1},,{"a":2}]', /element 2 is missing/],
    ['a comma at the start', '[,{"a":1}]', /element 1 is missing/],
    ['a comma at the end', '[{"a":1},]', /element 2 is missing/],
    ['text after an element', '[{"a":1}x]', /comma is missing after element 1/],
  ])('rejects %s', async (_what, text, message) => {
    await expect(read(text)).rejects.toThrow(message);
  });

  it('rejects an endless element', async () => {
    const text = Buffer.concat([Buffer.from('[{"a":"'), Buffer.alloc(40 << 20, 'x')]);
    await expect(read(text)).rejects.toThrow(/longer than 16 MB/);
  });

  it('rejects excessive nesting', async () => {
    await expect(read(`[{"a":${'['.repeat(1e6)}${']'.repeat(1e6)}}]`)).rejects.toThrow(/nested too deeply/);
  });
});

describe('an object around lists', () => {
  it('is the table of its only list, with the values beside it as the header', async () => {
    const file = await read('{"count":2,"well":"Badger 1H","data":[{"a":1},\n{"a":2,"b":{"c":"x"}}]}');
    expect(file.tables).toMatchObject([{ name: 'data', rows: 2 }]);
    expect(namesOf(file)).toEqual(['a', 'b.c']);
    expect(cellsOf(file)).toEqual([
      ['1', null],
      ['2', 'x'],
    ]);
    expect(recordIndexes(file)).toEqual([1, 2]);
    expect(file.header.map(({ name, value }) => [name, value])).toEqual([
      ['count', '2'],
      ['well', 'Badger 1H'],
    ]);
    expect(file.warnings).toEqual([]);
  });

  it.each([
    ['deep', '{"response":{"took":3,"docs":[{"a":1},{"a":2}]}}', 'response.docs'],
    ['as the only element of a list', '[{"results":[{"a":1},{"a":2}]}]', 'results'],
    ['after values in lists', '{"tags":["x","y"],"rows":[{"a":1},{"a":2}]}', 'rows'],
  ])('is found %s', async (_what, text, name) => {
    const file = await read(text);
    expect(file.tables[0]).toMatchObject({ name, rows: 2 });
    expect(cellsOf(file)).toEqual([['1'], ['2']]);
  });

  it('has several tables if it has several lists, or values that may be a row of their own', async () => {
    const several = await read('{"wells":[{"id":1}],"logs":[{"d":1,"gr":5},{"d":2,"gr":6}]}');
    expect(several.tables.map(({ name, rows }) => [name, rows])).toEqual([
      ['logs', 2],
      ['wells', 1],
      ['Whole file', 1],
    ]);
    expect(cellsOf(several, 1)).toEqual([['1']]);
    expect(cellsOf(several, 2)).toEqual([['[{"id":1}]', '[{"d":1,"gr":5},{"d":2,"gr":6}]']]);
    const record = await read(
      '{"asset_id":5001,"version":1,"data":{"remark":"x","stations":[{"md":1},{"md":2}]}}',
    );
    expect(record.tables.map(({ name, rows }) => [name, rows])).toEqual([
      ['Whole file', 1],
      ['data.stations', 2],
    ]);
    expect(record.warnings).toEqual([]);
  });

  it('is one row with a warning if it has no list of objects', async () => {
    for (const text of ['{"depth":[1,2],"gr":[5,6]}', '{"data":[]}', '{\n"a": 1\n}']) {
      const file = await read(text);
      expect(file.tables).toMatchObject([{ name: 'Whole file', rows: 1 }]);
      expect(file.warnings).toMatchObject([{ code: 'single_record', table: 0 }]);
    }
  });
});

describe('objects one after another', () => {
  it('are records', async () => {
    const file = await read('{\n  "a": 1\n}\n{\n  "a": 2\n}\n');
    expect(cellsOf(file)).toEqual([['1'], ['2']]);
    expect(file.tables[0]?.name).toBe('Records');
  });
});

describe('GeoJSON', () => {
  it('has properties as columns, and points as longitude and latitude', async () => {
    const feature = (properties: unknown, geometry: unknown, more = {}) => ({
      type: 'Feature',
      ...more,
      properties,
      geometry,
    });
    const file = await read(
      JSON.stringify({
        type: 'FeatureCollection',
        features: [
          feature(
            { well: 'Badger 1H', api: '42' },
            { type: 'Point', coordinates: [-102.1, 31.9, 850] },
            { id: 7 },
          ),
          feature({ well: 'Lease', api: null }, { type: 'LineString', coordinates: [[1, 2]] }),
          feature({ latitude: 'x' }, { type: 'Point', coordinates: [1, 2] }),
          feature(null, null),
        ],
      }),
    );
    expect(namesOf(file)).toEqual([
      'well',
      'api',
      'id',
      'longitude',
      'latitude',
      'elevation',
      'geometry.type',
      'geometry.coordinates',
      'feature.longitude',
      'feature.latitude',
    ]);
    expect(cellsOf(file).map((cells) => cells.filter((cell) => cell !== null))).toEqual([
      ['Badger 1H', '42', '7', '-102.1', '31.9', '850'],
      ['Lease', 'LineString', '[[1,2]]'],
      ['x', '1', '2'],
      [],
    ]);
  });
});

const log = (name: string, rows: unknown[]) => ({
  header: { name, well: 'Badger 1H', externalIds: { UWI: '42' }, startIndex: 1 },
  curves: [
    { name: 'DEPT', unit: 'm', description: 'Measured depth', valueType: 'float', dimensions: 1 },
    { name: 'TIME', unit: null, valueType: 'datetime', dimensions: 1 },
    { name: 'IMG', valueType: 'integer', dimensions: 3 },
  ],
  data: rows,
});

describe('a JSON Well Log', () => {
  it('is a table for each log, with names and units of its curves', async () => {
    const file = await read(
      JSON.stringify(
        [
          log('Main', [
            [1.5, '2026-01-31T06:00:00Z', [1, 2, 3]],
            [2, null, null],
          ]),
          log('Repeat', [[9, null, [4]]]),
        ],
        null,
        1,
      ),
    );
    expect(file.tables).toMatchObject([
      { name: 'Main', rows: 2, index: { name: 'DEPT', unit: 'm', kind: 'depth' } },
      { name: 'Repeat', rows: 1 },
    ]);
    expect(file.tables[0]?.columns).toMatchObject([
      { name: 'DEPT', unit: 'm', type: null },
      { name: 'TIME', unit: null, type: 'time' },
      { name: 'IMG', type: null },
    ]);
    expect(cellsOf(file)).toEqual([
      ['1.5', '2026-01-31T06:00:00Z', '[1,2,3]'],
      ['2', null, null],
    ]);
    expect(cellsOf(file, 1)).toEqual([['9', null, '[4]']]);
    expect(file.header).toContainEqual(
      expect.objectContaining({ group: 'Main', name: 'well', value: 'Badger 1H' }),
    );
  });

  it('has the header of each log with its table', async () => {
    const two = ['A', 'B'].map((well) => ({ ...log(well, [[1, null, null]]), header: { name: well, well } }));
    const { tables } = await read(JSON.stringify(two));
    expect(tables.map(({ header = [] }) => header.find(({ name }) => name === 'well')?.value)).toEqual([
      'A',
      'B',
    ]);
  });

  it('may be an object, and is refused without curves', async () => {
    const file = await read(JSON.stringify(log('', [[1, null, null]])));
    expect(file.tables).toMatchObject([{ name: 'Log 1', rows: 1 }]);
    await expect(
      read('[{"header":{},"curves":[{"name":"A"}],"data":[[1]]},{"header":{"name":"B"},"data":[[1]]}]'),
    ).rejects.toThrow(/log 2 has no curves/);
    await expect(read('[{"header":{},"curves":[{"name":"A"}],"data":[[1],2]}]')).rejects.toThrow(
      /row 2 of its data isn’t a valid list/,
    );
  });
});
