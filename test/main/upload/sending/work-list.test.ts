import { describe, expect, it } from 'vitest';
import type { BatchEntry, Part } from '../../../../src/main/upload/sending/entries.ts';
import type { Load } from '../../../../src/main/upload/sending/part-sender.ts';
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
function listOf(batches: readonly number[]) {
  const fresh = batches.map((records, batch) => loadOf({ batch, first: 0, records }));
  const loads = {
    next: async () => fresh.shift() ?? null,
    again: async ({ batch, first, records }: Part) => loadOf({ batch, first, records }),
    get isEmpty() {
      return fresh.length === 0;
    },
  };
  const mustWait = async () => false;
  return new WorkList({ loads, reconciles: true, hasAcked: () => true, mustWait, entryOf });
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
  it('holds a few rows of the last batch back, and sends half of them at a time', async () => {
    const list = listOf([1000, 500]);
    expect(await sizesOf(list)).toEqual([1000, 488]);
    expect(await reserveOf(list)).toEqual([6, 3, 2, 1]);
  });

  it('sends again before anything new', async () => {
    const list = listOf([1000]);
    list.addAgain(entryOf(7), rows(30), lost);
    expect(await sizesOf(list)).toEqual([30, 988]);
  });
});
