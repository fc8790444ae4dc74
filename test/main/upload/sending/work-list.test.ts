import { describe, expect, it } from 'vitest';
import type { BatchEntry, Part } from '../../../../src/main/upload/ledger/entries.ts';
import type { Load } from '../../../../src/main/upload/sending/part-sender.ts';
import { placesOf } from '../../../../src/main/upload/ledger/parts.ts';
import { WorkList } from '../../../../src/main/upload/sending/work-list.ts';

const loadOf = (part: Part): Load => ({
  ...part,
  body: new Uint8Array(),
  sha256: '',
  of: part.records,
  lines: new Uint32Array(part.records),
});
const entryOf = (batch: number): BatchEntry => ({
  kind: 'batch',
  batch,
  row: 0,
  rows: 1000,
  from: 0,
  to: 0,
  line: 2,
  nextLine: 1002,
  records: 1000,
  sha256: '',
  problems: [],
  twice: 0,
  skipped: [],
  differs: 0,
});
const lost = { resends: 1, regroup: null };
const rows = (count: number): number[] => Array.from({ length: count }, (_, at) => at);

/** A list over batches of so many records, of a job that has had a batch acked. */
function listOf(batches: readonly number[], sharing: readonly number[] = []) {
  const fresh = batches.map((records, batch) => loadOf({ batch, first: 0, records }));
  const loads = {
    next: async () => fresh.shift() ?? null,
    again: async ({ batch, first, records }: Part) => loadOf({ batch, first, records }),
    get isEmpty() {
      return fresh.length === 0;
    },
  };
  return new WorkList({
    loads,
    reconciles: true,
    hasAcked: () => true,
    sharing: async (load) => sharing.filter((place) => load.records === 12 && placesOf(load).includes(place)),
    entryOf,
  });
}

async function sizesOf(list: WorkList): Promise<number[]> {
  const sizes: number[] = [];
  for (let load = await list.next(); load; load = await list.next()) sizes.push(load.records);
  return sizes;
}

async function reserveOf(list: WorkList): Promise<number[]> {
  const sizes: number[] = [];
  for (let load = await list.fromReserve(false); load; load = await list.fromReserve(false))
    sizes.push(load.records);
  return sizes;
}

describe('the order of what is sent', () => {
  it('holds a few rows back for the end, and sends half of them at a time', async () => {
    const list = listOf([1000, 500]);
    expect(await sizesOf(list)).toEqual([988, 500]);
    expect(await reserveOf(list)).toEqual([6, 3, 2, 1]);
  });

  it('sends again before anything new', async () => {
    const list = listOf([1000]);
    list.addAgain(entryOf(7), rows(30), lost);
    expect(await sizesOf(list)).toEqual([18, 1000]);
  });

  // A single row at the very end left a whole batch unknown that was lost while it was under way.
  it('has rows held back although a single row comes last', async () => {
    const list = listOf([]);
    list.addAgain(entryOf(3), rows(1000), lost);
    list.addAgain(entryOf(6), [5], lost);
    expect(await sizesOf(list)).toEqual([988, 1]);
    expect(await reserveOf(list)).toEqual([6, 3, 2, 1]);
  });

  it('makes up for what was held back and is gone', async () => {
    const list = listOf([1000]);
    await sizesOf(list);
    expect((await list.fromReserve(true))?.records).toBe(1);
    list.addAgain(entryOf(0), rows(988), lost);
    expect(await sizesOf(list)).toEqual([987]);
    expect((await reserveOf(list)).reduce((sum, size) => sum + size, 0)).toBe(12);
  });

  it('holds nothing back of rows that may be bad, while there are others', async () => {
    const list = listOf([]);
    const refused = { resends: 0, regroup: null };
    list.addAgain(entryOf(0), rows(500), refused);
    list.addAgain(entryOf(1), rows(500), refused);
    expect(await sizesOf(list)).toEqual([500, 488]);
  });

  it('takes of what is held back the first row that shares no key with an unknown one', async () => {
    const list = listOf([500], [488, 489]);
    await sizesOf(list);
    expect(await list.fromReserve(true)).toMatchObject({ first: 490, records: 1 });
    expect(await list.fromReserve(false)).toMatchObject({
      first: 488,
      records: 6,
      at: [488, 489, 491, 492, 493, 494],
    });
  });
});
