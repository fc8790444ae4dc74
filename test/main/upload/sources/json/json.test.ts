import { describe, expect, it } from 'vitest';
import { json } from '../../../../../src/main/upload/sources/json/json.ts';
import { cellsOf, namesOf, placesOf, readContent } from '../../support/sources.ts';

const read = (text: string | Uint8Array) => readContent(json, text, 'records.json');

describe('a JSON array of records', () => {
  it('has the paths of its objects as columns, every digit, and lists as JSON', async () => {
    const file = await read(
      '[\n{"_id":"a","asset_id":9007199254740993,"data":{"rop":12.5,"list":[1,2],"note":"a \\"b\\" ]},[{"}},\n{"_id":"b","data":{"rop":null,"deep":{"er":true}}}\n]\n',
    );
    expect(namesOf(file)).toEqual(['_id', 'asset_id', 'data.rop', 'data.list', 'data.note', 'data.deep.er']);
    expect(file.tables[0]?.columns.map(({ type }) => type)).toEqual(['text', null, null, null, 'text', null]);
    expect(file.tables[0]?.rows).toBe(2);
    expect(cellsOf(file)).toEqual([
      ['a', '9007199254740993', '12.5', '[1,2]', 'a "b" ]},[{', null],
      ['b', null, null, null, null, 'true'],
    ]);
    expect(placesOf(file)).toEqual([1, 2]);
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

  it('is split correctly at any chunk boundary', async () => {
    const records = Array.from({ length: 20_000 }, (_, at) => ({ a: `x\\"${'y'.repeat(at % 50)}\\`, b: at }));
    const file = await read(JSON.stringify(records));
    expect(cellsOf(file)).toEqual(records.map(({ a, b }) => [a, String(b)]));
  });

  it.each([
    ['an object', '{"a":1}', /isn’t a list of records/],
    ['a list of numbers', '[1,2]', /element 1 is no object.*line 1/],
    ['a truncated file', '[{"a":1},\n{"a":2', /ends too early, after element 1.*line 2/],
    ['an unclosed list', '[{"a":1},', /ends too early/],
    ['text after the list', '[{"a":1}]\nx', /follows the end.*line 2/],
    ['a malformed element', '[{"a":1},\n{"a":x}]', /element 2 is not valid JSON.*line 2/],
    ['a missing comma', '[{"a":1}\n{"a":2}]', /comma is missing after element 1.*line 2/],
    ['elements between blanks', '[{} {}]', /comma is missing after element 1/],
    ['two commas', '[{"a":1},,{"a":2}]', /element 2 is no object/],
    ['a comma at the start', '[,{"a":1}]', /element 1 is no object/],
    ['a comma at the end', '[{"a":1},]', /element 2 is no object/],
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
