import { describe, expect, it } from 'vitest';
import { findInPages } from '../../../../src/main/core/reading/pages.ts';
import { maxResponseBytes } from '../../../../src/main/core/wire/http/exchange.ts';
import type { FindArguments } from '../../../../src/main/core/wire/services/services.ts';
import { AppError } from '../../../../src/shared/errors/errors.ts';

const late = new AppError('timed_out', { service: 'data', host: 'data.example', afterMs: 60_000 });

/** Finds 100 records of a service whose responses have at most ten. */
async function find(page: (request: FindArguments) => Uint8Array, sort: FindArguments['sort'] = {}) {
  const requests: FindArguments[] = [];
  const data = {
    pageSizes: new Map<string, number>(),
    async find(_address: unknown, request: FindArguments) {
      if (request.limit > 10) throw late;
      requests.push(request);
      const bytes = Buffer.from(page(request));
      return { bytes, text: bytes.subarray(0, 20).toString(), count: request.limit, total: 100 };
    },
  };
  const request = { query: {}, sort, limit: 100, includeCount: true };
  return { ...(await findInPages(data, { provider: 'p', dataset: 'd' }, request, {})), requests };
}

const numbers = ({ skip = 0, limit }: FindArguments): Uint8Array =>
  Buffer.from(JSON.stringify(Array.from({ length: limit }, (_, n) => skip + n)));

describe('records that don’t arrive in one response', () => {
  it.each([{ version: 1 }, { version: 1, _id: -1 }] as const)(
    'are found in pages with a fixed order, by %j',
    async (sort) => {
      const { text, count, total, requests } = await find(numbers, sort);
      expect(JSON.parse(text)).toEqual(Array.from({ length: 100 }, (_, n) => n));
      expect({ count, total }).toEqual({ count: 100, total: 100 });
      for (const request of requests) expect(Object.keys(request.sort)).toEqual(['version', '_id']);
    },
  );

  it('are refused if a service sends the same page again and again, or more than fits into memory', async () => {
    const problem = { code: 'bad_answer' };
    await expect(find(() => Buffer.from('[1]'))).rejects.toMatchObject(problem);
    const large = new Uint8Array(maxResponseBytes.records / 2 + 1);
    await expect(find(({ skip = 0 }) => large.subarray(skip > 0 ? 0 : 1))).rejects.toMatchObject(problem);
  });
});

interface CappedFind {
  readonly limit: number;
  readonly cap?: number;
  readonly includeCount?: boolean;
  readonly pageSizes?: Map<string, number>;
  readonly onPage?: () => void;
}

/** Finds records of a service with these ids, newest first, which sends up to ten at once. */
async function findCapped(
  ids: string[],
  { limit, cap = 10, includeCount = true, pageSizes = new Map(), onPage }: CappedFind,
) {
  const requested: number[] = [];
  const data = {
    pageSizes,
    async find(_address: unknown, request: FindArguments) {
      requested.push(request.limit);
      const { skip = 0 } = request;
      const page = ids.slice(skip, skip + Math.min(request.limit, cap)).map((_id) => ({ _id }));
      const [text, total] = [JSON.stringify(page), request.includeCount ? ids.length : null];
      onPage?.();
      return { bytes: Buffer.from(text), text, count: page.length, total };
    },
  };
  const request = { query: {}, sort: { timestamp: -1 }, limit, includeCount } as const;
  const { text } = await findInPages(data, { provider: 'p', dataset: 'd' }, request, {});
  return { ids: (JSON.parse(text) as { _id: string }[]).map(({ _id }) => _id), requested };
}
const idsFrom = (first: number, count: number) => Array.from({ length: count }, (_, at) => `id${first - at}`);

describe('records of a service that sends fewer than requested', () => {
  it('are found up to its total', async () => {
    const ids = idsFrom(35, 35);
    expect((await findCapped(ids, { limit: 100 })).ids).toEqual(ids);
    expect((await findCapped(ids, { limit: 20 })).ids).toEqual(ids.slice(0, 20));
  });

  it('are found without a total, by a request after a round number, and never requested beyond its limit again', async () => {
    const ids = idsFrom(2500, 2500);
    const pageSizes = new Map<string, number>();
    const find = { limit: 1000, cap: 500, includeCount: false, pageSizes };
    expect((await findCapped(ids, find)).ids).toEqual(ids.slice(0, 1000));
    const again = await findCapped(ids, find);
    expect(again).toEqual({ ids: ids.slice(0, 1000), requested: [500, 500] });
    expect((await findCapped(ids, { ...find, limit: 10_000 })).ids).toEqual(ids);
    // Nor after a result with fewer records.
    await findCapped(ids.slice(0, 600), find);
    expect((await findCapped(ids, find)).requested).toEqual([500, 500]);
  });

  it('show its limit also if the last page is shorter because no more are wanted', async () => {
    const ids = idsFrom(2500, 2500);
    const find = { limit: 800, cap: 500, includeCount: false, pageSizes: new Map<string, number>() };
    await findCapped(ids, find);
    expect((await findCapped(ids, find)).requested).toEqual([500, 300]);
  });

  it('are no maximum of the service if they are inserted at the end', async () => {
    const ids = idsFrom(300, 300);
    const pageSizes = new Map<string, number>();
    const find = { limit: 1000, cap: 1000, includeCount: false, pageSizes };
    const onPage = () => void (ids.length === 300 && ids.push('new'));
    expect((await findCapped(ids, { ...find, onPage })).ids).toEqual(ids);
    expect((await findCapped(ids, find)).requested).toEqual([1000]);
  });

  it('are found although the request for more fails, unless it is canceled', async () => {
    const ids = idsFrom(500, 500);
    const failing = (error: AppError) => {
      let pages = 0;
      return () => {
        if ((pages += 1) === 2) throw error;
      };
    };
    const find = { limit: 1000, cap: 1000, includeCount: false };
    expect((await findCapped(ids, { ...find, onPage: failing(late) })).ids).toEqual(ids);
    const canceled = findCapped(ids, { ...find, onPage: failing(new AppError('cancelled', {})) });
    await expect(canceled).rejects.toMatchObject({ code: 'cancelled' });
  });

  it.each([
    { matching: 337, includeCount: false, requested: [1000] },
    { matching: 500, includeCount: false, requested: [1000, 1] },
    { matching: 500, includeCount: true, requested: [1000] },
  ])('are found at once if no more match: $matching', async ({ matching, includeCount, requested }) => {
    const ids = idsFrom(matching, matching);
    expect(await findCapped(ids, { limit: 1000, cap: 1000, includeCount })).toEqual({ ids, requested });
  });

  it('are not read again because a few were inserted while they were read', async () => {
    const ids = idsFrom(500, 500);
    const onPage = () => void ids.unshift(...idsFrom(502, 2));
    const { requested } = await findCapped(ids, { limit: 1000, cap: 1000, includeCount: false, onPage });
    expect(requested).toEqual([1000, 1]);
  });

  it('are found once while others are inserted before them', async () => {
    const ids = idsFrom(35, 35);
    let pages = 0;
    const onPage = () => {
      pages += 1;
      if (pages === 2 || pages === 3) ids.unshift(...idsFrom(100 + pages * 10, 3));
    };
    expect((await findCapped(ids, { limit: 100, onPage })).ids).toEqual(idsFrom(35, 35));
  });
});
