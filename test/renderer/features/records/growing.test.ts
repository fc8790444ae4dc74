import type { RecordsRequest } from '../../../../src/shared/query/query.ts';
import { describe, expect, it } from 'vitest';
import { isObject } from '../../../../src/shared/json.ts';
import { recordsApiWith, findRequest, recordPage, recordsBeside } from '../../../support/records.ts';

const newestFirst = {
  kind: 'find',
  request: findRequest({ sort: '{ timestamp: -1 }', limit: 1000 }),
} satisfies RecordsRequest;
const signal = new AbortController().signal;

/** The record that is first in ascending order. */
function lowestPage(sort: string, record: object) {
  expect(JSON.parse(sort)).toEqual({ timestamp: 1 });
  return recordPage(JSON.stringify([record]));
}

/** A dataset with its newest records first, which gains some with each of the first requested pages. */
function growing(by: number, knowsBound: boolean) {
  let newest = 5000;
  let requestCount = 0;
  const api = recordsApiWith({
    page: async ({ skip = 0, limit, sort = '', upTo }) => {
      if (sort !== newestFirst.request.sort) return lowestPage(sort, { _id: 'id1', timestamp: 1 });
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

async function times(orderField: string | null, knowsBound: boolean, by = 7): Promise<number[]> {
  const { records } = await growing(by, knowsBound).open(newestFirst, {
    signal,
    isUnlimited: true,
    orderField,
  });
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

  it('are all read at the address of the first page, their bound as well', async () => {
    const addresses: unknown[] = [];
    const { records } = recordsBeside(
      recordsApiWith({
        page: async ({ dataUrl, skip = 0, limit }) => {
          addresses.push(dataUrl);
          const page = Array.from({ length: limit }, (_, at) => ({ timestamp: 9000 - skip - at }));
          return { ...recordPage(JSON.stringify(page), 5000), dataUrl: 'https://first.example' };
        },
      }),
    );
    const options = { signal, isUnlimited: true, orderField: 'timestamp' };
    const { records: all } = await records.open(newestFirst, options);
    await all.rows({ from: 2000, to: 2001 });
    expect(addresses).toEqual([undefined, 'https://first.example', 'https://first.example']);
  });

  it('have no bound when the user skips some, because those are unknown', async () => {
    const seen: unknown[] = [];
    const { records } = recordsBeside(
      recordsApiWith({
        page: async (request) => {
          if (request.sort !== newestFirst.request.sort)
            return lowestPage(request.sort ?? '', { timestamp: 1 });
          seen.push(request.upTo);
          const page = Array.from({ length: request.limit }, (_, at) => ({
            timestamp: 9000 - (request.skip ?? 0) - at,
          }));
          return recordPage(JSON.stringify(page), 5000);
        },
      }),
    );
    const skipping: RecordsRequest = { kind: 'find', request: { ...newestFirst.request, skip: 3 } };
    const options = { signal, isUnlimited: true, orderField: 'timestamp' };
    const { records: skipped } = await records.open(skipping, options);
    await skipped.rows({ from: 2000, to: 2001 });
    const { records: whole } = await records.open(newestFirst, options);
    await whole.rows({ from: 2000, to: 2001 });
    expect(seen).toEqual([undefined, undefined, undefined, { field: 'timestamp', value: 9000 }]);
  });
});

describe('all matching records of a dataset whose oldest ones have no timestamp', () => {
  const numbered = Array.from({ length: 2500 }, (_, at) => ({ _id: `id${at}`, timestamp: 5000 - at }));
  const rest = (other: object) => Array.from({ length: 1200 }, (_, at) => ({ _id: `rest${at}`, ...other }));

  /** A service whose bound excludes records without a number, as that of a database does. */
  const opened = async (records: readonly Readonly<Record<string, unknown>>[]) => {
    const lowestFirst: number[] = [];
    const api = recordsApiWith({
      page: async ({ skip = 0, limit, sort = '', upTo }) => {
        if (sort !== newestFirst.request.sort) {
          lowestFirst.push(limit);
          return lowestPage(sort, records.at(-1) ?? {});
        }
        const matching = upTo
          ? records.filter(({ timestamp: at }) => typeof at === 'number' && at <= upTo.value)
          : records;
        return recordPage(JSON.stringify(matching.slice(skip, skip + limit)), records.length);
      },
    });
    const options = { signal, isUnlimited: true, orderField: 'timestamp' };
    const { records: result } = await recordsBeside(api).records.open(newestFirst, options);
    return { result, lowestFirst };
  };

  it.each([
    ['null', rest({ timestamp: null })],
    ['absent', rest({ depth: 3 })],
  ])('include those whose timestamp is %s', async (_, last) => {
    const all = [...numbered, ...last];
    const { result, lowestFirst } = await opened(all);
    await result.load({ from: 0, to: all.length }, { signal, onEvent: () => undefined });
    expect(result.shape()).toMatchObject({ rows: 3700, isComplete: true, held: 3700 });
    expect(await result.record(3699)).toEqual(all[3699]);
    expect(lowestFirst).toEqual([1]);
  });

  it('are read without a further request if they fit on the first page', async () => {
    const { result, lowestFirst } = await opened(numbered.slice(0, 900));
    await result.rows({ from: 0, to: 900 });
    expect(lowestFirst).toEqual([]);
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
    await records.load({ from: 0, to: 5000 }, { signal, onEvent: () => undefined });
    const whole = await records.groups([['well']]);
    expect(whole.names).toEqual([['A'], ['B']]);
    expect([whole.codes[2499], whole.codes[2500], whole.codes[4999]]).toEqual([0, 1, 1]);
    expect(isObject(await records.record(4999))).toBe(true);
  });
});
