import { describe, expect, it } from 'vitest';
import { createLiveRecords } from '../../../../src/renderer/features/live/live-records.ts';
import { sameHeads } from '../../../../src/renderer/features/records/columns.ts';
import { toPackedColumns } from '../../../../src/renderer/features/records/chunk.ts';
import type { JsonValue } from '../../../../src/shared/json.ts';

const record = (at: number): JsonValue => ({
  timestamp: 1_700_000_000_000 + at,
  data: { rop: at },
  asset_id: at % 2,
});
const batch = (records: readonly JsonValue[]) => ({
  chunks: toPackedColumns(records),
  count: records.length,
});
const from = (first: number, count: number) =>
  batch(Array.from({ length: count }, (_, at) => record(first + at)));

describe('live records', () => {
  it('keep the newest, with the newest on top, and report how many were dropped', async () => {
    const live = createLiveRecords(5);
    live.add(from(0, 3));
    live.add(batch([]));
    live.add(from(3, 1));
    live.add(from(4, 4));
    expect([live.count(), live.dropped()]).toEqual([5, 3]);
    expect([0, 1, 2, 3, 4, 5].map((row) => live.cell('data.rop', row))).toEqual([7, 6, 5, 4, 3, undefined]);
    expect(live.record(0)).toEqual(record(7));
    expect(live.record(5)).toBeUndefined();
    const source = live.source();
    expect(await source.numbers(['data.rop', 'nothing'])).toEqual([
      Float64Array.of(3, 4, 5, 6, 7),
      new Float64Array(5).fill(Number.NaN),
    ]);
    const { codes, names } = await source.groups(['asset_id']);
    expect(Array.from(codes, (code) => names[code]?.[0])).toEqual(['1', '0', '1', '0', '1']);
  });

  it('whose first value was null get the type of later ones, and are new columns for the grid', () => {
    const live = createLiveRecords(5);
    live.add(batch([{ timestamp: 1_700_000_000_000, rop: null }]));
    const before = live.columns();
    live.add(batch([{ timestamp: 1_700_000_001_000, rop: 5.5 }]));
    const kinds = (columns: typeof before) => columns.map(({ kind }) => kind);
    expect([kinds(before), kinds(live.columns())]).toEqual([
      ['time', 'empty'],
      ['time', 'number'],
    ]);
    expect([sameHeads(before, live.columns()), sameHeads(before, [...before])]).toEqual([false, true]);
  });

  it('keep a part of a batch that is too large', async () => {
    const live = createLiveRecords(2);
    live.add(from(0, 10));
    expect(await live.source().numbers(['data.rop'])).toEqual([Float64Array.of(8, 9)]);
    expect(live.cell('data.rop', 1)).toBe(8);
    expect(live.cell('data.rop', 2)).toBeUndefined();
  });

  it('are the same however they arrive, some with columns that others lack', async () => {
    const recordAt = (at: number): JsonValue => ({
      timestamp: 1_700_000_000_000 + at,
      data: { ...(at % 3 === 0 ? {} : { rop: at / 4 }), ...(at < 150 ? { state: `s${at % 5}` } : {}) },
      asset_id: at % 2,
    });
    const records = Array.from({ length: 400 }, (_, at) => recordAt(at));
    const whole = createLiveRecords(300);
    whole.add(batch(records));
    for (const size of [1, 2, 7, 63, 64]) {
      const live = createLiveRecords(300);
      for (let at = 0; at < records.length; at += size) live.add(batch(records.slice(at, at + size)));
      expect([live.count(), live.dropped()]).toEqual([300, 100]);
      for (const row of [0, 1, 63, 64, 128, 299]) {
        expect(live.record(row)).toEqual(whole.record(row));
        for (const path of ['timestamp', 'data.rop', 'data.state'])
          expect(live.cell(path, row)).toEqual(whole.cell(path, row));
      }
      const read = async (from: typeof live) => from.source().numbers(['timestamp', 'data.rop', 'asset_id']);
      expect(await read(live)).toEqual(await read(whole));
    }
  });

  it('add columns that appear later', () => {
    const live = createLiveRecords(10);
    live.add(batch([{ a: 1 }]));
    live.add(batch([{ a: 1.5, b: 'x' }]));
    expect(live.columns().map(({ path, kind }) => [path.join('.'), kind])).toEqual([
      ['a', 'number'],
      ['b', 'text'],
    ]);
    expect(live.cell('b', 1)).toBeUndefined();
  });
});
