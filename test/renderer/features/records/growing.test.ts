import type { RecordsRequest } from '../../../../src/shared/query/query.ts';
import { describe, expect, it } from 'vitest';
import { isObject } from '../../../../src/shared/json.ts';
import { recordsApiWith, findRequest, recordPage, recordsBeside } from '../../../support/records.ts';

const newestFirst: RecordsRequest = {
  kind: 'find',
  request: findRequest({ sort: '{ timestamp: -1 }', limit: 1000 }),
};
const signal = new AbortController().signal;

/** A dataset with its newest records first, which gains some with each of the first requested pages. */
function growing(by: number, knowsBound: boolean) {
  let newest = 5000;
  let requestCount = 0;
  const api = recordsApiWith({
    page: async ({ skip = 0, limit, upTo }) => {
      const top = knowsBound && upTo ? Math.min(newest, upTo.value) : newest;
      const count = Math.max(Math.min(limit, top - skip), 0);
      const records = Array.from({ length: count }, (_, at) => ({
        _id: `id${top - skip - at}`,
        timestamp: top - skip - at,
      }));
      requestCount += 1;
      if (requestCount % 2 === 1) newest += by;
      return recordPage(JSON.stringify(records), top);
    },
  });
  return recordsBeside(api).records;
}

async function times(along: string | null, knowsBound: boolean, by = 7): Promise<number[]> {
  const { records } = await growing(by, knowsBound).open(newestFirst, { signal, isUnlimited: true, along });
  const { rows } = records.shape();
  const found: number[] = [];
  for (let from = 0; from < rows; from += 500) {
    const { columns } = await records.rows({ from, to: Math.min(from + 500, rows) });
    const cells = columns.find(({ path }) => path[0] === 'timestamp')?.cells ?? [];
    found.push(...Array.from(cells, Number));
  }
  return found;
}
const all = Array.from({ length: 5000 }, (_, at) => 5000 - at);

describe('all matching records of a growing dataset, newest first', () => {
  it('end at the maximum at the start, so that no page shifts', async () => {
    expect(await times('timestamp', true)).toEqual(all);
  });

  it('skip repeats at a page border when there is no such bound', async () => {
    expect(await times(null, false)).toEqual(all);
    expect(await times('timestamp', false)).toEqual(all);
  });

  it('are requested only a few times when more arrive than fit on a page', async () => {
    const found = await times(null, false, 3000);
    expect(found).toHaveLength(5000);
  });

  it('have no bound when the user skips some, because those are unknown', async () => {
    const seen: unknown[] = [];
    const { records } = recordsBeside(
      recordsApiWith({
        page: async (request) => {
          seen.push(request.upTo);
          const page = Array.from({ length: request.limit }, (_, at) => ({
            timestamp: 9000 - (request.skip ?? 0) - at,
          }));
          return recordPage(JSON.stringify(page), 5000);
        },
      }),
    );
    const skipping: RecordsRequest = { kind: 'find', request: { ...newestFirst.request, skip: 3 } };
    const options = { signal, isUnlimited: true, along: 'timestamp' };
    const { records: skipped } = await records.open(skipping, options);
    await skipped.rows({ from: 2000, to: 2001 });
    const { records: whole } = await records.open(newestFirst, options);
    await whole.rows({ from: 2000, to: 2001 });
    expect(seen).toEqual([undefined, undefined, undefined, { field: 'timestamp', value: 9000 }]);
  });
});

describe('groups of rows', () => {
  const wells = recordsApiWith({
    page: async ({ skip = 0, limit }) =>
      recordPage(
        JSON.stringify(Array.from({ length: limit }, (_, at) => ({ well: skip + at < 2500 ? 'A' : 'B' }))),
        5000,
      ),
  });

  it('continue across pages, and rows that are not loaded form no group', async () => {
    const { records } = await recordsBeside(wells).records.open(newestFirst, { signal, isUnlimited: true });
    await records.rows({ from: 2000, to: 2001 });
    const some = await records.groups([['well']]);
    expect(some.names).toEqual([['A'], ['B']]);
    expect([some.codes[0], some.codes[2400], some.codes[2600]]).toEqual([0, 0, 1]);
    await records.load({ from: 0, to: 5000 }, { signal, onProgress: () => undefined });
    const whole = await records.groups([['well']]);
    expect(whole.names).toEqual([['A'], ['B']]);
    expect([whole.codes[2499], whole.codes[2500], whole.codes[4999]]).toEqual([0, 1, 1]);
    expect(isObject(await records.record(4999))).toBe(true);
  });
});
