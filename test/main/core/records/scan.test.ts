import { childPath } from '../../../../src/shared/column-paths.ts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  createPathTree,
  onOneLine,
  RecordScanner,
  idOf,
  keyOf,
  leafFrom,
  leafTo,
  recordText,
  textIn,
} from '../../../../src/main/core/records/scan.ts';
import { isObject, type JsonObject, type JsonValue } from '../../../../src/shared/json.ts';

function scan(text: string, keyField: string | null = 'timestamp') {
  const tree = createPathTree();
  const page = new RecordScanner({ tree, keyField }).scanArray(text);
  const leavesOf = (record: number): [string, string][] => {
    const found: [string, string][] = [];
    for (let leaf = leafFrom(page, record); leaf < leafTo(page, record); leaf += 3) {
      const [node = 0, start = 0, end = 0] = page.leaves.subarray(leaf, leaf + 3);
      found.push([tree.nodes[node]?.path ?? '', textIn(page, start, end)]);
    }
    return found;
  };
  return { page, leavesOf };
}

function flat(record: JsonObject, under = ''): [string, string][] {
  return Object.entries(record).flatMap(([key, value]): [string, string][] => {
    const path = childPath(under, key);
    return isObject(value) && Object.keys(value).length > 0
      ? flat(value, path)
      : [[path, JSON.stringify(value)]];
  });
}

const record = fc.dictionary(
  fc.string({ unit: 'grapheme', minLength: 1, maxLength: 6 }),
  fc.jsonValue({ maxDepth: 3, stringUnit: 'grapheme' }),
  { maxKeys: 6, noNullPrototype: true },
);
const records = fc
  .array(record, { maxLength: 8 })
  .map((all) => JSON.parse(JSON.stringify(all)) as JsonObject[]);

describe('record offsets in a page', () => {
  it('are the same as from parsing, whatever the records contain', () => {
    fc.assert(
      fc.property(records, fc.constantFrom(undefined, 1, '\t'), (all, indent) => {
        const { page, leavesOf } = scan(JSON.stringify(all, null, indent));
        expect(page.count).toBe(all.length);
        all.forEach((one, nth) => {
          expect(JSON.parse(recordText(page, nth))).toEqual(one);
          expect(JSON.parse(onOneLine(recordText(page, nth)))).toEqual(one);
          expect(onOneLine(recordText(page, nth))).not.toMatch(/[\n\r]/);
          const found = leavesOf(nth).map(([path, json]): [string, JsonValue] => [
            path,
            JSON.parse(json) as JsonValue,
          ]);
          expect(found).toEqual(flat(one).map(([path, json]) => [path, JSON.parse(json)]));
        });
      }),
      { numRuns: 400 },
    );
  });

  it('keep every digit of a number', () => {
    const { leavesOf } = scan('[{"a":9007199254740993,"b":1.0,"c":-0,"d":1e400,"e":0.1000}]');
    expect(leavesOf(0).map(([, json]) => json)).toEqual(['9007199254740993', '1.0', '-0', '1e400', '0.1000']);
  });

  it('locate id and key field, at the top level only', () => {
    const { page } = scan(
      '[{"data":{"_id":1,"timestamp":2},"_id":"a","timestamp":3},{"_id":{"$oid":"b"},"timestamp":null},{}]',
    );
    expect([0, 1, 2].map((nth) => idOf(page, nth))).toEqual(['"a"', '{"$oid":"b"}', null]);
    expect([0, 1, 2].map((nth) => keyOf(page, nth))).toEqual(['3', null, null]);
  });

  it('use the id as the key field when pages are split by it', () => {
    const { page } = scan('[{"_id":"a"}]', '_id');
    expect([idOf(page, 0), keyOf(page, 0)]).toEqual(['"a"', '"a"']);
  });

  it('support deeply nested objects', () => {
    const deep = `${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}`;
    const { leavesOf } = scan(`[${deep}]`);
    expect(leavesOf(0)).toHaveLength(1);
  });

  it.each([
    ['not an array', '{"a":1}'],
    ['a record that isn’t an object', '[1]'],
    ['truncated in a text', '[{"a":"b'],
    ['truncated in an object', '[{"a":1'],
    ['truncated after a comma', '[{"a":1},'],
    ['an extra comma', '[{"a":1,}]'],
    ['a missing value', '[{"a":}]'],
    ['NaN', '[{"a":NaN}]'],
    ['text after the end', '[{"a":1}] x'],
    ['two records without a comma', '[{"a":1}{"a":2}]'],
    ['nothing', ''],
    ['a web page', '<html></html>'],
  ])('are rejected with a message when the text is %s', (_, text) => {
    expect(() => scan(text)).toThrow(expect.objectContaining({ code: 'bad_answer' }));
  });
});
