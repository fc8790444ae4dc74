import { join } from 'node:path';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ExistingRecords } from '../../../../src/main/core/mapping/existing.ts';
import { temporaryFolder } from '../../features/upload/support/files.ts';

const comparison = {
  paths: [['asset_id'], ['timestamp'], ['data', 'n']],
  key: [['asset_id'], ['timestamp']],
  index: ['timestamp'],
};
const value = fc.record({
  asset_id: fc.integer({ min: 1, max: 2 }),
  timestamp: fc.integer({ min: 0, max: 20 }),
  data: fc.record({ n: fc.integer({ min: 0, max: 2 }) }),
});
const records = fc
  .array(value, { maxLength: 40 })
  .map((all) =>
    all
      .toSorted((a, b) => a.timestamp - b.timestamp)
      .map((record, at) => ({ _id: at.toString(16), ...record })),
  );

describe('existing records', () => {
  it('that are kept because they can match a row say the same of each row as all of them', () => {
    fc.assert(
      fc.property(records, fc.array(value, { maxLength: 40 }), (stored, rows) => {
        const [all, few] = [new ExistingRecords(comparison), new ExistingRecords(comparison)];
        const texts = rows.map((row) => JSON.stringify(row));
        few.keepOnly(texts, rows.length);
        for (const one of [all, few]) one.addPage(JSON.stringify(stored));
        expect(texts.map((text) => few.take(text))).toEqual(texts.map((text) => all.take(text)));
        const places = new Set(rows.map(({ asset_id, timestamp }) => `${asset_id} ${timestamp}`));
        for (const { _id, asset_id, timestamp } of stored)
          if (places.has(`${asset_id} ${timestamp}`)) expect(few.hasId(_id)).toBe(true);
      }),
    );
  });

  it('say whether they are in the order of the index', () => {
    const page = (...times: number[]) =>
      JSON.stringify(
        times.map((timestamp) => ({ _id: `a${timestamp}`, asset_id: 1, timestamp, data: { n: 1 } })),
      );
    const existing = new ExistingRecords(comparison);
    const pages = [page(1, 2, 2), page(2, 3, 1), page(3, 4)];
    expect(pages.map((text) => existing.addPage(text).isInOrder)).toEqual([true, false, true]);
  });

  it('equal a row although items of their lists have nulls where the row has no value', () => {
    const existing = new ExistingRecords({ paths: [['data', 'crew']], key: [], index: null });
    existing.addPage('[{"_id":"a1","data":{"crew":[{"name":"A","hours":null}]}}]');
    expect(existing.take('{"data":{"crew":[{"name":"A","hours":8}]}}')).toBe('new');
    expect(existing.take('{"data":{"crew":[{"name":"A"}]}}')).toBe('there');
  });

  it('equal a row without a value where they have a number that is a null value in the file', () => {
    const existing = new ExistingRecords({ ...comparison, nulls: new Set([-999.25]) });
    const stored = (timestamp: number, n: number) => ({
      _id: `a${timestamp}`,
      asset_id: 1,
      timestamp,
      data: { n },
    });
    existing.addPage(JSON.stringify([stored(1, -999.25), stored(2, -9999)]));
    const row = (timestamp: number) => JSON.stringify({ asset_id: 1, timestamp, data: {} });
    expect([1, 1, 2].map((timestamp) => existing.take(row(timestamp)))).toEqual([
      'there',
      'differs',
      'differs',
    ]);
  });

  it('are refused where more match rows than can be kept, and not for each part of the file', () => {
    const rows = Array.from({ length: 8 }, (_, n) => ({ asset_id: 1, timestamp: n, data: { n } }));
    const page = JSON.stringify(rows.map((row, n) => ({ _id: n.toString(16), ...row })));
    const readFor = (part: typeof rows) => {
      const existing = new ExistingRecords(comparison, 5);
      existing.keepOnly(
        part.map((row) => JSON.stringify(row)),
        part.length,
      );
      return existing.addPage(page);
    };
    expect(() => readFor(rows)).toThrow(expect.objectContaining({ code: 'invalid_input' }));
    for (const part of [rows.slice(0, 4), rows.slice(4)]) expect(readFor(part).records).toBe(8);
  });

  it('match as many rows as there are of each, after thousands of others, stored and loaded', async () => {
    const stored = Array.from({ length: 5000 }, (_, n) => ({
      _id: (n * 7).toString(16),
      asset_id: n % 3,
      timestamp: n >> 1,
      data: { n: n % 2 === 0 ? n : n - 1 },
    }));
    const saved = new ExistingRecords({ ...comparison, key: [] });
    saved.addPage(JSON.stringify(stored));
    const path = join(await temporaryFolder(), 'existing');
    saved.save(path);
    const loaded = new ExistingRecords({ ...comparison, key: [] });
    loaded.load(path);
    for (const one of [saved, loaded]) {
      expect(stored.filter(({ _id, ...row }) => one.take(JSON.stringify(row)) === 'there')).toHaveLength(
        stored.length,
      );
      expect(one.isEmpty).toBe(true);
      expect(stored.every(({ _id }) => one.hasId(_id))).toBe(true);
    }
  });
});
