import { describe, expect, it } from 'vitest';
import { addJson } from '../../../../src/main/core/records/json-lines.ts';
import { TextBuffer } from '../../../../src/main/core/records/text-buffer.ts';
import { createPathTree, RecordScanner } from '../../../../src/main/core/records/scan.ts';
import { createZoneWriter } from '../../../../src/main/core/records/zone.ts';

function lineOf(record: string, { without = [] as string[], zone = '' } = {}): string {
  const page = new RecordScanner({ tree: createPathTree(), keyField: null }).scanArray(`[${record}]`);
  const lines = new TextBuffer();
  addJson(lines, page, 0, {
    omittedFields: new Set(without),
    zone: zone === '' ? null : createZoneWriter(zone),
  });
  return Buffer.from(lines.take()).toString();
}

describe('a record as a line of JSON', () => {
  it('is identical to the response, byte by byte', () => {
    expect(lineOf('{ "a" : 1.0, "b":9007199254740993 }')).toBe('{ "a" : 1.0, "b":9007199254740993 }');
  });

  it('is one line, whatever its format', () => {
    expect(lineOf('{\n  "a": "x \\n y",\r\n  "b": [1,\n2]\n}')).toBe('{"a":"x \\n y","b":[1,2]}');
  });

  it.each([
    ['{"_id":"x","a":1}', '{"a":1}'],
    ['{"a":1,"_id":"x"}', '{"a":1}'],
    ['{"a":1, "_id" : "x" ,"timestamp":5,"b":{"_id":2}}', '{"a":1,"b":{"_id":2}}'],
    ['{"_id":"x"}', '{}'],
    ['{}', '{}'],
  ])('of %s without excluded fields is %s', (record, expected) => {
    expect(lineOf(record, { without: ['_id', 'timestamp'] })).toBe(expected);
  });

  it('has times in the requested time zone', () => {
    expect(lineOf('{"timestamp":1700000000000,"data":{"timestamp":1}}', { zone: 'UTC' })).toBe(
      '{"timestamp":"2023-11-14T22:13:20.000Z","data":{"timestamp":1}}',
    );
  });

  it('is rejected when a text in it has a line break, which JSON does not allow', () => {
    expect(() => lineOf('{"a":"x\ny"}')).toThrow(expect.objectContaining({ code: 'bad_answer' }));
  });
});
