import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { parseObject } from '../../../../src/main/core/requests.ts';
import {
  type PageOutcome,
  PageReader,
  type ReadInThread,
  createPageLimit,
} from '../../../../src/main/core/reading/pages.ts';
import {
  type Find,
  type ReadOptions,
  ReadAhead,
  readAll,
  readPages,
} from '../../../../src/main/core/reading/reading.ts';
import {
  type Cursor,
  type WindowCursor,
  endCursor,
  firstRun,
  firstWindow,
} from '../../../../src/main/core/reading/cursor.ts';
import { createPathTree } from '../../../../src/main/core/records/scan.ts';
import { AppError } from '../../../../src/shared/errors/errors.ts';
import { useFolders } from '../../../support/folders.ts';
import { readAll as readRows } from '../../features/export/support/reading.ts';
import { idAt, Rows, type Behavior } from '../../features/export/support/rows.ts';

const window = { field: 'timestamp', direction: 1, tie: 1 } as const;
const afterFive: WindowCursor = { ...firstWindow, bound: { op: '$gt', value: '5' } };
const refused = new AppError('refused', { service: 'data', status: 400 });
const slow = new AppError('timed_out', { service: 'data', host: 'data.example', afterMs: 60_000 });

/** The outcome for a service that responds like this; the first page continues to the end. */
async function pages(
  find: Find,
  from: Cursor,
  {
    signal = new AbortController().signal,
    unreadable = 0,
    problem = new AppError('bad_answer', { service: 'data', problem: 'it does not end' }),
  }: { signal?: AbortSignal; unreadable?: number; problem?: AppError } = {},
) {
  let unread = unreadable;
  const requests: Parameters<Find>[0][] = [];
  const source = {
    find: (request: Parameters<Find>[0], options: Parameters<Find>[1]) => {
      requests.push(request);
      return find(request, options);
    },
    async read(): Promise<PageOutcome> {
      unread -= 1;
      if (unread >= 0) throw problem;
      return { cursor: endCursor, added: 1, records: 1, recordsBeforeNext: 0 };
    },
    pageQuery: { query: {}, sort: { timestamp: 1 }, fields: [] },
    window,
    limit: createPageLimit(),
    total: new Promise<number>(() => undefined),
    concurrency: 1,
    rowsBefore: 0,
    signal,
  };
  const pagesRead: unknown[] = [];
  const events = readPages(source, from, { readAhead: new ReadAhead(source) });
  for (;;) {
    const { done, value } = await events.next();
    if (done) return { pagesRead, fallback: value, requests };
    if (value.kind === 'page') pagesRead.push(value);
  }
}

const answer = Buffer.from('[]');

describe('pages', () => {
  it('are requested with half the records when a response takes too long', async () => {
    const { pagesRead, requests } = await pages(
      async ({ limit }) => (limit > 30 ? Promise.reject(slow) : answer),
      firstWindow,
    );
    expect(requests.map(({ limit }) => limit)).toEqual([100, 50, 25]);
    expect(pagesRead).toMatchObject([{ added: 1, records: 1 }]);
  });

  it('fail when even few records take too long', async () => {
    await expect(pages(() => Promise.reject(slow), firstWindow)).rejects.toBe(slow);
  });

  it('are abandoned when a query with an added limit is rejected', async () => {
    const { pagesRead, fallback } = await pages(() => Promise.reject(refused), afterFive);
    expect([pagesRead, fallback]).toEqual([[], expect.stringContaining('refuses')]);
  });

  it('fail when the user’s own query is rejected', async () => {
    await expect(pages(() => Promise.reject(refused), firstWindow)).rejects.toBe(refused);
  });

  it('that can’t be read are requested once more, and then parsed as they arrive', async () => {
    const checks: unknown[] = [];
    const find: Find = async (_find, { isValidated }) => {
      checks.push(isValidated);
      return answer;
    };
    const { pagesRead } = await pages(find, firstWindow, { unreadable: 1 });
    expect(pagesRead).toMatchObject([{ added: 1 }]);
    expect(checks).toEqual([false, true]);
    await expect(pages(find, firstWindow, { unreadable: 2 })).rejects.toMatchObject({ code: 'bad_answer' });
  });

  it('aren’t requested again when the reader fails for another reason', async () => {
    const full = new AppError('disk_full', { file: 'out.csv', writtenBytes: 0 });
    await expect(pages(async () => answer, firstWindow, { problem: full, unreadable: 1 })).rejects.toBe(full);
  });

  it('are abandoned when the service rejects the second request', async () => {
    const find: Find = async (_find, { isValidated = false }) =>
      isValidated ? Promise.reject(refused) : answer;
    const { pagesRead, fallback } = await pages(find, afterFive, { unreadable: 1 });
    expect([pagesRead, fallback]).toEqual([[], expect.stringContaining('refuses')]);
  });

  it('stop when the export stops', async () => {
    await expect(
      pages(async () => answer, firstWindow, { signal: AbortSignal.abort() }),
    ).rejects.toMatchObject({
      code: 'cancelled',
    });
  });
});

const folder = useFolders();

const records = (count: number): string[] =>
  Array.from({ length: count }, (_, n) => JSON.stringify({ _id: idAt(n + 1), timestamp: n, n }));

/** Reads with pages of 20 records, and counts the concurrent requests. */
async function read(
  rows: Rows,
  concurrency: number,
  { sort = { timestamp: 1 }, total = null }: { sort?: Record<string, 1 | -1>; total?: number | null } = {},
) {
  let running = 0;
  let most = 0;
  const during = async () => {
    running += 1;
    most = Math.max(most, running);
    for (let turn = 0; turn < 20; turn += 1) await setImmediate();
    running -= 1;
  };
  const options = { sort, limit: 20, concurrency, total, during };
  const { records: pagesRead, reason } = await readRows(rows, await folder(), options);
  return { order: pagesRead.map(({ n }) => Number(n)), reason, most, requestCount: rows.requestCount };
}

const upTo = (count: number): number[] => Array.from({ length: count }, (_, n) => n);

describe('read-ahead requests', () => {
  it.each([
    ['by windows', { timestamp: 1 }],
    ['by windows downwards', { timestamp: -1 }],
    ['by skip', { version: 1 }],
  ] as const)('keep the connection busy, and the records in order: %s', async (_, sort) => {
    const way = Object.values(sort)[0];
    const rows = new Rows(records(500).map((text, n) => text.replace('"n"', `"version":${n},"n"`)));
    const { order, most } = await read(rows, 4, { sort, total: 500 });
    expect(order).toEqual(way === 1 ? upTo(500) : upTo(500).toReversed());
    expect(most).toBe(4);
  });

  it('cost few extra requests, and none beyond the counted records', async () => {
    // Adjacent pages share 4 records of 20: 31 pages and the request that proves the end.
    const { requestCount } = await read(new Rows(records(500)), 4, { total: 500 });
    expect(requestCount).toBeLessThan(45);
    const { requestCount: uncounted } = await read(new Rows(records(500)), 4);
    expect(uncounted).toBeLessThan(requestCount + 6);
  });

  it('wait for the first page when the number of records is unknown', async () => {
    const { most, requestCount } = await read(new Rows(records(8)), 4);
    expect(most).toBe(1);
    expect(requestCount).toBeLessThan(10);
  });

  it('are dropped when the service returns fewer records than requested, and no record is lost', async () => {
    const { order } = await read(new Rows(records(300), { cap: () => 7 }), 4, { total: 300 });
    expect(order).toEqual(upTo(300));
  });

  it('are dropped when one value fills the page that they overlap', async () => {
    const rows = new Rows(
      upTo(300).map((n) => JSON.stringify({ _id: idAt(n + 1), timestamp: Math.floor(n / 15), n })),
    );
    expect((await read(rows, 4, { total: 300 })).order).toEqual(upTo(300));
  });

  it('are dropped when records before them are deleted', async () => {
    const removed = upTo(500).filter((n) => n % 3 === 0);
    const rows: Rows = new Rows(records(500), {
      before: (nth) => nth === 8 && rows.remove(...removed.map((n) => idAt(n + 1))),
    });
    const { order } = await read(rows, 4, { total: 500 });
    expect(new Set(order).size).toBe(order.length);
    expect(order).toEqual(expect.arrayContaining(upTo(500).filter((n) => n % 3 !== 0)));
  });

  it('join without gaps when a service rounds the values that it shows', async () => {
    const shown = upTo(300).map((n) =>
      JSON.stringify({ _id: idAt(n + 1), timestamp: 0.1524 * n + 0.00004 * (n % 5), n }),
    );
    const rounds: Behavior = { rounds: { field: 'timestamp', places: 1 } };
    for (const way of [1, -1] as const) {
      const { order } = await read(new Rows(shown, rounds), 5, { sort: { timestamp: way }, total: 300 });
      expect(order).toHaveLength(300);
      expect(new Set(order).size).toBe(300);
    }
  });

  it('stop when the service rejects skip', async () => {
    const rows = new Rows(records(200));
    const find = rows.find.bind(rows);
    const { AppError } = await import('../../../../src/shared/errors/errors.ts');
    rows.find = (request) => {
      if ('timestamp' in request.sort && !('_id' in request.sort) && (request.skip ?? 0) > 0)
        throw new AppError('refused', { service: 'data', status: 422 });
      return find(request);
    };
    const { order, reason } = await read(rows, 4, { total: 200 });
    expect(order).toEqual(upTo(200));
    expect(reason).toBeNull();
  });
});

describe('times of two wells with different offsets from UTC', () => {
  /** An hour of each well; in the order of texts, the first well, whose times are later, is before the other one. */
  const minutes = upTo(60).map((minute) => String(minute).padStart(2, '0'));
  const times = [
    ...minutes.map((minute) => `2026-01-30T11:${minute}:00-06:00`),
    ...minutes.map((minute) => `2026-01-30T12:${minute}:00Z`),
  ];

  it.each([1, 30])('are all read, with %i records of each well’s last one', async (repeats) => {
    const repeated = times.flatMap((time, n) =>
      Array.from({ length: n % 60 === 59 ? repeats : 1 }, () => time),
    );
    const rows = new Rows(repeated.map((datetime, n) => JSON.stringify({ _id: idAt(n + 1), datetime, n })));
    for (const way of [1, -1] as const) {
      const { order } = await read(rows, 4, { sort: { datetime: way }, total: repeated.length });
      expect(order.toSorted((a, b) => a - b)).toEqual(upTo(repeated.length));
    }
  });
});

describe('all records of a dataset', () => {
  /** Reads all records of a service that sends and counts these numbers of them. */
  async function eventsOf({
    sent,
    counted,
    read,
    windows = null,
    countFails = null,
    countedLater = counted,
  }: {
    sent: number;
    counted: number;
    read?: ReadInThread;
    windows?: ReadOptions['request']['windows'];
    countFails?: AppError | null;
    /** What the service counts after the first time; absent: the same. */
    countedLater?: number;
  }) {
    const answered = new Rows(records(sent));
    const checks: string[] = [];
    const reader = new PageReader({ rule: null, tree: createPathTree() });
    const data: ReadOptions['data'] = {
      pageSizes: new Map(),
      findUnchecked: async (_address, find) => Buffer.from(answered.find(find)),
      async find(_address, find) {
        checks.push('validated');
        const text = answered.find(find);
        return { text, bytes: Buffer.from(text), count: 0, total: null };
      },
      async count() {
        if (countFails && checks.includes('counted')) throw countFails;
        checks.push('counted');
        return checks.filter((check) => check === 'counted').length > 1 ? countedLater : counted;
      },
    };
    const events = readAll({
      requiresAll: true,
      data,
      request: {
        address: { provider: 'p', dataset: 'd' },
        query: '{}',
        sort: '{"timestamp":1}',
        fields: [],
        windows,
        concurrency: 1,
      },
      signal: new AbortController().signal,
      read: read ?? (async (page) => reader.read(page)),
    });
    let added = 0;
    for await (const event of events) if (event.kind === 'page') added += event.added;
    return { added, checks };
  }

  it('are an error if fewer come than the service counts', async () => {
    expect(await eventsOf({ sent: 30, counted: 30 })).toMatchObject({ added: 30 });
    await expect(eventsOf({ sent: 30, counted: 31 })).rejects.toMatchObject({ code: 'bad_answer' });
  });

  it('are all if the service counts no more of them after some were removed', async () => {
    expect(await eventsOf({ sent: 30, counted: 31, countedLater: 30 })).toMatchObject({ added: 30 });
  });

  it('are an error if far more come than the service counts, each time that it does', async () => {
    await expect(eventsOf({ sent: 1100, counted: 10 })).rejects.toMatchObject({ code: 'bad_answer' });
  });

  it('are read if far more come, and the service doesn’t count them a second time', async () => {
    expect(await eventsOf({ sent: 1100, counted: 10, countFails: slow })).toMatchObject({ added: 1100 });
    const forbidden = new AppError('service_failed', { service: 'data', status: 500 });
    await expect(eventsOf({ sent: 1100, counted: 10, countFails: forbidden })).rejects.toBe(forbidden);
  });

  it('are requested with validation where the reader can’t parse them', async () => {
    const reader = new PageReader({ rule: null, tree: createPathTree() });
    let reads = 0;
    const read: ReadInThread = async (page) => {
      reads += 1;
      if (reads === 1) throw new AppError('bad_answer', { service: 'data', problem: 'it is cut' });
      return reader.read(page);
    };
    expect(await eventsOf({ sent: 30, counted: 30, read })).toEqual({
      added: 30,
      checks: ['counted', 'validated'],
    });
  });

  it('fail where the reader refuses pages by skip, too: nothing else is left', async () => {
    const read: ReadInThread = async () => ({ fallbackReason: 'no reason' });
    await expect(eventsOf({ sent: 30, counted: 30, read, windows: window })).rejects.toMatchObject({
      code: 'internal',
    });
  });

  it('need a plan that is an object', () => {
    expect(() => parseObject('[]')).toThrow(expect.objectContaining({ code: 'internal' }));
  });
});

describe('the reader of pages', () => {
  const reader = () => new PageReader({ rule: null, tree: createPathTree() });
  const page = { content: Buffer.from('[{"_id":"a"},{"_id":"b"}]') };

  it('refuses a page with more records than requested', () => {
    const origin = { requested: 1, overlaps: false, endsBelow: 0 };
    expect(() => reader().read({ ...page, at: firstRun('all', 0), origin })).toThrow(
      expect.objectContaining({ code: 'bad_answer' }),
    );
  });

  it('has no windows without a field for them, and no records before it has read', () => {
    const empty = reader();
    const origin = { overlaps: false, endsBelow: 0 };
    expect(empty.read({ ...page, at: firstWindow, origin })).toEqual({ fallbackReason: expect.any(String) });
    const batches: unknown[] = [];
    empty.use((batch) => batches.push(batch));
    expect(batches).toEqual([]);
  });
});
