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
