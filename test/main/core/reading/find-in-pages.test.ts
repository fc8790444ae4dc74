import { describe, expect, it } from 'vitest';
import { findInPages } from '../../../../src/main/core/reading/pages.ts';
import { maxResponseBytes } from '../../../../src/main/core/wire/http/limits.ts';
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

/** Finds up to 100 records of a service with these ids, newest first, which sends up to ten at once. */
async function findCapped(ids: string[], limit: number, onPage = () => {}) {
  const data = {
    pageSizes: new Map<string, number>(),
    async find(_address: unknown, { skip = 0, limit: requested, includeCount }: FindArguments) {
      const page = ids.slice(skip, skip + Math.min(requested, 10)).map((_id) => ({ _id }));
      const [text, total] = [JSON.stringify(page), includeCount ? ids.length : null];
      onPage();
      return { bytes: Buffer.from(text), text, count: page.length, total };
    },
  };
  const request = { query: {}, sort: { timestamp: -1 }, limit, includeCount: true };
  const { text } = await findInPages(data, { provider: 'p', dataset: 'd' }, request, {});
  return (JSON.parse(text) as { _id: string }[]).map(({ _id }) => _id);
}
const idsFrom = (first: number, count: number) => Array.from({ length: count }, (_, at) => `id${first - at}`);

describe('records of a service that sends fewer than requested', () => {
  it('are found up to its total', async () => {
    const ids = idsFrom(35, 35);
    expect(await findCapped(ids, 100)).toEqual(ids);
    expect(await findCapped(ids, 20)).toEqual(ids.slice(0, 20));
  });

  it('are found once while others are inserted before them', async () => {
    const ids = idsFrom(35, 35);
    let pages = 0;
    const found = await findCapped(ids, 100, () => {
      pages += 1;
      if (pages === 2 || pages === 3) ids.unshift(...idsFrom(100 + pages * 10, 3));
    });
    expect(found).toEqual(idsFrom(35, 35));
  });
});
