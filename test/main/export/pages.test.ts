import { describe, expect, it } from 'vitest';
import { createPageLimit } from '../../../src/main/export/page-limit.ts';
import { pagesFrom, type Find, type GiveUp, type TakenPage } from '../../../src/main/export/pages.ts';
import {
  atEnd,
  firstWindow,
  type Cursor,
  type WindowCursor,
} from '../../../src/main/export/paging/cursor.ts';
import { AppError } from '../../../src/shared/errors.ts';

const rule = { field: 'timestamp', direction: 1, tie: 1, kind: 'number', upper: '9', nulls: false } as const;
const beyondFive: WindowCursor = { ...firstWindow, bound: { op: '$gt', value: '5' } };
const refused = new AppError('refused', { service: 'data', status: 400 });
const slow = new AppError('timed_out', { service: 'data', host: 'data.example', afterMs: 60_000 });

/** What comes of a service that answers so; the first page leads to the end. */
async function pages(
  find: Find,
  from: Cursor,
  { signal = new AbortController().signal, unreadable = 0 } = {},
) {
  let unread = unreadable;
  const asked: Parameters<Find>[0][] = [];
  const source = {
    find: (request: Parameters<Find>[0], options: Parameters<Find>[1]) => {
      asked.push(request);
      return find(request, options);
    },
    writer: {
      take: async () => {
        unread -= 1;
        if (unread >= 0) throw new AppError('bad_answer', { service: 'data', problem: 'it does not end' });
        return { page: 1, rows: 1, records: 1, next: atEnd, met: null, begins: null };
      },
      drop: async () => undefined,
    },
    wanted: { query: {}, sort: { timestamp: 1 }, fields: [] },
    rule,
    limit: createPageLimit(),
    signal,
  };
  const got: (TakenPage | GiveUp)[] = [];
  for await (const page of pagesFrom(source, from)) got.push(page);
  return { got, asked };
}

const answer = Buffer.from('[]');

describe('pages', () => {
  it('are asked for with half the records when an answer takes too long', async () => {
    const { got, asked } = await pages(
      async ({ limit }) => (limit > 300 ? Promise.reject(slow) : answer),
      firstWindow,
    );
    expect(asked.map(({ limit }) => limit)).toEqual([1000, 500, 250]);
    expect(got).toMatchObject([{ page: 1, rows: 1, asked: 250 }]);
  });

  it('fail when even few records take too long', async () => {
    await expect(pages(() => Promise.reject(slow), firstWindow)).rejects.toBe(slow);
  });

  it('are given up when a query with a limit of ours is refused', async () => {
    const { got } = await pages(() => Promise.reject(refused), beyondFive);
    expect(got).toEqual([{ giveUp: expect.stringContaining('refuses') }]);
  });

  it('fail when the person’s own query is refused', async () => {
    await expect(pages(() => Promise.reject(refused), firstWindow)).rejects.toBe(refused);
  });

  it('that can’t be read are asked for once more, and looked over then as they come', async () => {
    const checks: unknown[] = [];
    const find: Find = async (_find, { checked }) => {
      checks.push(checked);
      return answer;
    };
    const { got } = await pages(find, firstWindow, { unreadable: 1 });
    expect(got).toMatchObject([{ page: 1 }]);
    expect(checks).toEqual([false, true]);
    await expect(pages(find, firstWindow, { unreadable: 2 })).rejects.toMatchObject({ code: 'bad_answer' });
  });

  it('end with the export', async () => {
    await expect(
      pages(async () => answer, firstWindow, { signal: AbortSignal.abort() }),
    ).rejects.toMatchObject({
      code: 'cancelled',
    });
  });
});
