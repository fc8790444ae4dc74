import { describe, expect, it } from 'vitest';
import { createPathTree, RecordScanner } from '../../../../src/main/core/records/scan.ts';
import { createWellNamer, withNameFields } from '../../../../src/main/core/records/well-names.ts';

const names = { 1001: 'Ridge 1', 1002: 'B "two"' };
/** A function that adds the names to the records of pages. */
function namer(): (records: string) => string {
  const tree = createPathTree();
  const scanner = new RecordScanner({ tree, keyField: null });
  const write = createWellNamer(names, tree);
  return (records) => {
    const page = scanner.scanArray(records);
    return Buffer.from(write(page, [...Array(page.count).keys()])).toString();
  };
}
const named = (records: string): string => namer()(records);

describe('well names in records', () => {
  it.each([
    [
      '[ {"asset_id" : 1001 ,"a":1.0},\n{"b":2,"asset_id":"1002"}]',
      '[{"asset_id" : 1001,"well_name":"Ridge 1" ,"a":1.0},{"b":2,"asset_id":"1002","well_name":"B \\"two\\""}]',
    ],
    [
      '[{"metadata":{"asset_id":1001,"x":9007199254740993}}]',
      '[{"metadata":{"asset_id":1001,"well_name":"Ridge 1","x":9007199254740993}}]',
    ],
    // A well without a name, no well, and a well_name in the record itself.
    ['[{"asset_id":7}]', '[{"asset_id":7}]'],
    ['[{"asset_id":null},{"asset_id":[1001]},{"data":{"asset_id":1001}}]', null],
    ['[{"asset_id":1001,"well_name":"own"}]', null],
    ['[{"well_name":"own","asset_id":1001}]', null],
    ['[]', null],
  ])('follow their asset ids in %s', (records, expected) => {
    expect(named(records)).toBe(expected ?? records);
  });

  it('are a field after the asset id in selected fields', () => {
    expect(withNameFields(['data.rop', 'asset_id', 'timestamp'])).toEqual([
      'data.rop',
      'asset_id',
      'well_name',
      'timestamp',
    ]);
  });

  it('include those of the next page', () => {
    const add = namer();
    expect(add('[{"asset_id":1001}]')).toBe('[{"asset_id":1001,"well_name":"Ridge 1"}]');
    expect(add('[{"asset_id":1002}]')).toContain('"well_name"');
  });
});
