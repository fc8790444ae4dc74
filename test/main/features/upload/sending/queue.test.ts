import { describe, expect, it } from 'vitest';
import {
  partOf,
  type BatchEntry,
  type Part,
} from '../../../../../src/main/features/upload/ledger/entries.ts';
import type { PreparedPart } from '../../../../../src/main/features/upload/sending/batches.ts';
import { SendQueue } from '../../../../../src/main/features/upload/sending/send-all.ts';

const prepared = (part: Part): PreparedPart => ({
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
const resent = { times: 1, regroup: null };
const rows = (count: number): number[] => Array.from({ length: count }, (_, at) => at);

/**
 * A queue over batches of these sizes, of a job that has an acknowledged batch. @param lost positions in another
 * batch
 */
function queueOf(batches: readonly number[], lost: readonly number[] = []) {
  const fresh = batches.map((records, batch) => prepared({ batch, first: 0, records }));
  const source = {
    next: async () => fresh.shift() ?? null,
    prepareAgain: async ({ batch, first, records }: Part) => prepared({ batch, first, records }),
    get isEmpty() {
      return fresh.length === 0;
    },
  };
  const part = { batch: 99, first: 0, records: 0 };
  const ledger = {
    openBatch: entryOf,
    maxAcked: { entry: entryOf(99), part, ids: [], sentAt: 1 },
    get unknownParts() {
      return lost.length === 0
        ? []
        : [{ entry: entryOf(98), part: partOf(98, lost), status: null, cause: '', since: 2 }];
    },
  };
  return new SendQueue(source, ledger, { marksOf: async () => rows(1000).map(String) }, true);
}

async function sizesOf(queue: SendQueue): Promise<number[]> {
  const sizes: number[] = [];
  for (let part = await queue.next(); part; part = await queue.next()) sizes.push(part.records);
  return sizes;
}

async function releasedSizes(queue: SendQueue): Promise<number[]> {
  const sizes: number[] = [];
  for (let part = await queue.nextHeldBack(false); part; part = await queue.nextHeldBack(false))
    sizes.push(part.records);
  return sizes;
}

describe('the order of sending', () => {
  it('holds back a few rows for the end, and sends half of them at a time', async () => {
    const queue = queueOf([1000, 500]);
    expect(await sizesOf(queue)).toEqual([988, 500]);
    expect(await releasedSizes(queue)).toEqual([6, 3, 2, 1]);
  });

  it('resends before it sends new rows', async () => {
    const queue = queueOf([1000]);
    queue.addResend(entryOf(7), rows(30), resent);
    expect(await sizesOf(queue)).toEqual([18, 1000]);
  });

  // With a single row at the very end, a batch that was lost in flight would stay unknown.
  it('holds rows back even when a single row comes last', async () => {
    const queue = queueOf([]);
    queue.addResend(entryOf(3), rows(1000), resent);
    queue.addResend(entryOf(6), [5], resent);
    expect(await sizesOf(queue)).toEqual([988, 1]);
    expect(await releasedSizes(queue)).toEqual([6, 3, 2, 1]);
  });

  it('replaces held-back rows that were sent', async () => {
    const queue = queueOf([1000]);
    await sizesOf(queue);
    expect((await queue.nextHeldBack(true))?.records).toBe(1);
    queue.addResend(entryOf(0), rows(988), resent);
    expect(await sizesOf(queue)).toEqual([987]);
    expect((await releasedSizes(queue)).reduce((sum, size) => sum + size, 0)).toBe(12);
  });

  it('doesn’t hold back possibly invalid rows while there are others', async () => {
    const queue = queueOf([]);
    const refused = { times: 0, regroup: null };
    queue.addResend(entryOf(0), rows(500), refused);
    queue.addResend(entryOf(1), rows(500), refused);
    expect(await sizesOf(queue)).toEqual([500, 488]);
  });

  it('takes the first held-back row that shares no key with an unknown one', async () => {
    const lost: number[] = [];
    const queue = queueOf([500], lost);
    await sizesOf(queue);
    lost.push(488, 489);
    expect(await queue.nextHeldBack(true)).toMatchObject({ first: 490, records: 1 });
    lost.push(491, 492, 493, 494, 495, 496, 497, 498, 499);
    expect(await queue.nextHeldBack(true)).toBeNull();
    lost.length = 0;
    expect(await queue.nextHeldBack(false)).toMatchObject({
      first: 488,
      records: 6,
      at: [488, 489, 491, 492, 493, 494],
    });
  });
});
