import { afterEach, expect, test } from 'vitest';
import { type Demo, startDemo } from '../../src/demo/index.ts';
import { ask } from '../conformance/target.ts';

let demo: Demo;
afterEach(() => demo.close());

const count = async (query: object): Promise<unknown> => {
  const url = `${demo.dataUrl}/api/v1/data/demo/wits/count/?query=${encodeURIComponent(JSON.stringify(query))}`;
  return (await ask({ authorization: `API ${demo.apiKeys.read}` }, url)).json;
};

test('a dataset can be changed as its owner can: records of two wells without times are added, and others removed', async () => {
  demo = await startDemo({ records: 2000, wells: 4 });
  const before = (await count({ asset_id: 5001 })) as { count: number };
  expect(before.count).toBeGreaterThan(10);
  const insert = [5001, 5002].map((asset_id) => ({ company_id: 1, asset_id, version: 1, data: {} }));
  expect(demo.change('demo/wits', { insert })).toBe(0);
  expect(await count({ asset_id: { $in: [5001, 5002] }, timestamp: null })).toEqual({ count: 2 });
  // Generated and inserted ones.
  expect(demo.change('demo/wits', { remove: { asset_id: 5001 } })).toBe(before.count + 1);
  expect(await count({ asset_id: 5001 })).toEqual({ count: 0 });
  expect(await count({ asset_id: 5002, timestamp: null })).toEqual({ count: 1 });
  expect(() => demo.change('demo/none', {})).toThrow('no dataset');
});
