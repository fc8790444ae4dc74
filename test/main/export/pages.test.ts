import { describe, expect, it } from 'vitest';
import { createPageLimit } from '../../../src/main/export/page-limit.ts';
import type { Find, GiveUp } from '../../../src/main/export/fetch-page.ts';
import { copyPages } from '../../../src/main/export/pages.ts';
import type { WrittenPage } from '../../../src/main/export/writing/spec.ts';
import { atEnd, firstWindow, type Cursor, type WindowCursor } from '../../../src/main/paging/cursor.ts';
import { AppError } from '../../../src/shared/errors/errors.ts';

const window = { field: 'timestamp', direction: 1, tie: 1 } as const;
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
      write: async (): Promise<WrittenPage> => {
        unread -= 1;
        if (unread >= 0) throw new AppError('bad_answer', { service: 'data', problem: 'it does not end' });
        const marks = { partial: 9, spool: 0, columns: null };
        const checkpoint = { rows: 1, ids: 0, marks, cursor: atEnd };
        return { checkpoint, durable: false, added: 1, records: 1, passed: 0 };
      },
    },
    wanted: { query: {}, sort: { timestamp: 1 }, fields: [] },
    window,
    limit: createPageLimit(),
    total: () => null,
    rowsBefore: 0,
    signal,
  };
  const got: (WrittenPage | GiveUp)[] = [];
  for await (const page of copyPages(source, from, 1)) got.push(page);
  return { got, asked };
}

const answer = Buffer.from('[]');

describe('pages', () => {
  it('are asked for with half the records when an answer takes too long', async () => {
    const { got, asked } = await pages(
      async ({ limit }) => (limit > 3000 ? Promise.reject(slow) : answer),
      firstWindow,
    );
    expect(asked.map(({ limit }) => limit)).toEqual([10_000, 5000, 2500]);
    expect(got).toMatchObject([{ added: 1, records: 1 }]);
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
    expect(got).toMatchObject([{ added: 1 }]);
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
