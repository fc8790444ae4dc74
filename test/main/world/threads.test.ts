import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Worker } from 'node:worker_threads';
import type { CsvCalls } from '../../../src/main/core/mapping/csv-worker.ts';
import { threadPort } from '../../../src/main/world/threads.ts';
import { openThread, type Thread } from '../../../src/shared/threads.ts';
import { fileWith } from '../features/upload/support/files.ts';

let starts = 0;
let ends = 0;
let last: (Worker & { isReferenced: boolean }) | null = null;
function onStart(worker: Worker): void {
  starts += 1;
  last = Object.assign(worker, { isReferenced: true });
  const { ref, unref } = worker;
  worker.ref = () => (Object.assign(worker, { isReferenced: true }), ref.call(worker));
  worker.unref = () => (Object.assign(worker, { isReferenced: false }), unref.call(worker));
  worker.once('exit', () => (ends += 1));
}
let kind = 20;
beforeEach(() => {
  [starts, ends, kind] = [0, 0, kind + 1];
  process.on('worker', onStart);
});
afterEach(() => {
  process.off('worker', onStart);
});

/** A thread of the kind of this test. */
const open = (maxBytes?: number): Thread<CsvCalls> =>
  openThread(() => threadPort('csv', { maxYoungGenerationSizeMb: kind }, maxBytes));
const bytesOf = async ({ calls }: Thread<CsvCalls>, path: string): Promise<number> =>
  (await calls.stat({ path, fileName: 'lines.csv' })).bytes;
describe('a thread whose use has ended', () => {
  it('serves the next use, which has nothing of the one before', async () => {
    const path = await fileWith('a,b\n1,2\n');
    const first = open();
    const text = '[{"_id":1,"asset_id":7}]';
    const comparison = { paths: [['asset_id']], key: [], index: null };
    await first.calls.existing({ comparison, load: null, skip: false });
    expect(await first.calls.existingPage({ text })).toMatchObject({ records: 1 });
    first.close();
    const next = open();
    expect(await bytesOf(next, path)).toBe(8);
    await expect(next.calls.existingPage({ text })).rejects.toMatchObject({
      details: { problem: 'nothing is compared yet' },
    });
    next.close();
    expect([starts, ends]).toEqual([1, 0]);
  });

  it('keeps nothing running until the next one', async () => {
    const path = await fileWith('a\n');
    const use = async (): Promise<void> => {
      const thread = open();
      expect(await bytesOf(thread, path)).toBe(2);
      expect(last).toMatchObject({ isReferenced: true });
      thread.close();
      expect(last).toMatchObject({ isReferenced: false });
    };
    await use();
    await use();
    expect([starts, ends]).toEqual([1, 0]);
  });

  it('is the only one that waits, and ends if its heap is large', async () => {
    const path = await fileWith('a\n');
    const threads = [open(), open()];
    for (const thread of threads) expect(await bytesOf(thread, path)).toBe(2);
    for (const thread of threads) thread.close();
    await expect.poll(() => ends).toBe(1);
    const third = open(1);
    expect(await bytesOf(third, path)).toBe(2);
    third.close();
    await expect.poll(() => ends).toBe(2);
    expect(starts).toBe(2);
  });

  it('ends at once if a call was running, and the next use starts another', async () => {
    const path = await fileWith('a\n');
    const thread = open();
    const call = bytesOf(thread, path);
    thread.close();
    await expect(call).rejects.toMatchObject({ code: 'cancelled' });
    await expect.poll(() => ends).toBe(1);
    const next = open();
    expect(await bytesOf(next, path)).toBe(2);
    next.close();
    expect(starts).toBe(2);
  });

  it('is replaced if it fails while it waits', async () => {
    const path = await fileWith('a\n');
    const first = open();
    expect(await bytesOf(first, path)).toBe(2);
    first.close();
    await last?.terminate();
    const next = open();
    expect(await bytesOf(next, path)).toBe(2);
    next.close();
    expect(starts).toBe(2);
  });
});
