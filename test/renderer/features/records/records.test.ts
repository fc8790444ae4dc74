import { describe, expect, it } from 'vitest';
import type { FindRequest, RecordsRequest } from '../../../../src/shared/query/query.ts';
import { createRecordsThread, type WindowCalls } from '../../../../src/renderer/features/records/records.ts';
import { openThread } from '../../../../src/shared/threads.ts';
import { recordsApiWith, findRequest, recordPage, recordsBeside } from '../../../support/records.ts';
import { portPair } from '../../../support/threads.ts';

const find: RecordsRequest = {
  kind: 'find',
  request: findRequest({ limit: 2 }),
};
const signal = new AbortController().signal;
const records = (from: number, count: number) =>
  JSON.stringify(Array.from({ length: Math.max(count, 0) }, (_, at) => ({ n: from + at })));

/** A service with this many records, and a log of its requests. */
function serviceOf(rows: number, said: number | null = rows) {
  const requests: Partial<FindRequest>[] = [];
  const api = recordsApiWith({
    find: async ({ limit }) => recordPage(records(0, Math.min(limit, rows))),
    page: async ({ skip = 0, limit, includeCount = false }) => {
      requests.push({ skip, limit, includeCount });
      return recordPage(records(skip, Math.min(limit, rows - skip)), includeCount ? said : null);
    },
  });
  return { requests, ...recordsBeside(api) };
}
const cells = (slice: { columns: readonly { cells: ArrayLike<unknown> }[] }) =>
  Array.from(slice.columns[0]?.cells ?? []);

describe('records', () => {
  it('with a limit end at the limit', async () => {
    const { records: thread, requests } = serviceOf(5000);
    const opened = await thread.open(find, { signal });
    expect(opened).toMatchObject({ count: 2, total: null, head: { from: 0, rows: 2 } });
    expect(opened.records.shape()).toMatchObject({ rows: 2, knownRows: 2, isComplete: true });
    expect(cells(await opened.records.rows({ from: 1, to: 9 }))).toEqual([1]);
    expect(requests).toEqual([]);
  });

  it('without a limit are read page by page, each once, from any position', async () => {
    const { records: thread, requests } = serviceOf(1_000_000);
    const { records: all } = await thread.open(find, { signal, isUnlimited: true });
    expect(all.shape()).toMatchObject({ rows: 1_000_000, isComplete: true, held: 1000 });
    const end = { from: 999_998, to: 1_000_000 };
    const [one, other] = await Promise.all([all.rows(end), all.rows({ from: 999_100, to: 999_102 })]);
    expect([cells(one), cells(other)]).toEqual([
      [999_998, 999_999],
      [999_100, 999_101],
    ]);
    expect(cells(await all.rows({ from: 1998, to: 2002 }))).toEqual([1998, 1999, 2000, 2001]);
    expect(requests).toEqual([
      { skip: 0, limit: 1000, includeCount: true },
      { skip: 999_000, limit: 1000, includeCount: false },
      { skip: 1000, limit: 1000, includeCount: false },
      { skip: 2000, limit: 1000, includeCount: false },
    ]);
    expect(all.shape().held).toBe(4000);
    expect(await all.record(999_999)).toEqual({ n: 999_999 });
  });

  it('are copied with the values of calculated columns at the edges of pages, loaded or not', async () => {
    for (const from of [0, 4000]) {
      const { records: thread } = serviceOf(20_000);
      const { records: all } = await thread.open(find, { signal, isUnlimited: true });
      await all.calculate({
        columns: [{ name: 'change', expression: 'difference(n)' }],
        fields: [{ id: 'n', values: 'number' }],
        index: 'n',
        order: 'ascending',
        series: [],
      });
      const rows = [{ from, to: 7500 }];
      const options = { paths: [['change']], format: 'csv', zone: 'UTC', wellNames: new Map() } as const;
      const { text } = await all.text({ ...options, rows });
      const values = text.trimEnd().split('\n').slice(1);
      expect(values.filter((value) => value !== '1')).toEqual(from === 0 ? [''] : []);
    }
  });

  it('that are partly loaded report how many gaps are between them, and so does their text', async () => {
    const { records: thread } = serviceOf(139_469);
    const { records: all } = await thread.open(find, { signal, isUnlimited: true });
    await all.rows({ from: 5000, to: 5010 });
    await all.rows({ from: 90_000, to: 90_010 });
    expect(all.shape()).toMatchObject({ held: 3000, gaps: 2 });
    const options = { paths: [['n']], format: 'csv', zone: 'UTC', wellNames: new Map() } as const;
    const { text, html, ...part } = await all.text({ ...options, rows: null });
    expect(part).toEqual({ rows: 3000, gaps: 2 });
    expect(html).toBeNull();
    expect(text.split('\n').length).toBe(3002);
    await all.rows({ from: 1000, to: 1010 });
    const rows = [0, 999, 5000].map((row) => ({ from: row, to: row + 1 }));
    expect(await all.text({ ...options, rows })).toEqual({
      text: 'n\n0\n999\n5000\n',
      html: null,
      rows: 3,
      gaps: 0,
    });
  });

  it('that are selected are all in their text, even if they don’t fit in memory', async () => {
    const api = recordsApiWith({
      page: async ({ skip = 0, limit }) => recordPage(records(skip, Math.min(limit, 5000 - skip)), 5000),
    });
    const { records: all } = await recordsBeside(api, 10_000).records.open(find, {
      signal,
      isUnlimited: true,
    });
    const selected = Array.from({ length: 5000 }, (_, row) => row);
    const { text, rows } = await all.text({
      rows: [{ from: 0, to: 5000 }],
      paths: [['n']],
      format: 'csv',
      zone: 'UTC',
      wellNames: new Map(),
    });
    expect(all.shape().held).toBeLessThan(5000);
    expect([rows, text]).toEqual([5000, `n\n${selected.join('\n')}\n`]);
  });

  it('start after the user’s own skip', async () => {
    const { records: thread, requests } = serviceOf(5000);
    const skipping: RecordsRequest = { kind: 'find', request: { ...find.request, skip: 7 } };
    const { records: all } = await thread.open(skipping, { signal, isUnlimited: true });
    expect(cells(await all.rows({ from: 0, to: 1 }))).toEqual([7]);
    await all.rows({ from: 1000, to: 1001 });
    expect(requests.map(({ skip }) => skip)).toEqual([7, 1007]);
  });

  it('report their number as pages arrive, when the service reports no total', async () => {
    const { records: thread } = serviceOf(1500, null);
    const { records: all } = await thread.open(find, { signal, isUnlimited: true });
    const seen: unknown[] = [];
    all.onGrow(({ rows, knownRows, isComplete }) => seen.push({ rows, knownRows, isComplete }));
    expect(all.shape()).toMatchObject({ rows: 2000, knownRows: 1000, isComplete: false });
    expect(cells(await all.rows({ from: 1400, to: 2000 }))).toHaveLength(100);
    expect(seen).toEqual([{ rows: 1500, knownRows: 1500, isComplete: true }]);
  });

  it('end earlier than the service reported, when it has no more', async () => {
    const { records: thread } = serviceOf(1500, 1_000_000);
    const { records: all } = await thread.open(find, { signal, isUnlimited: true });
    await all.rows({ from: 1000, to: 1100 });
    expect(all.shape()).toMatchObject({ rows: 1500, isComplete: true });
  });

  it('return numbers of all rows in one array, fetching missing pages', async () => {
    const { records: thread, requests } = serviceOf(25_000);
    const { records: all } = await thread.open(find, { signal, isUnlimited: true });
    const [held] = await all.numbers([['n']]);
    expect([held?.length, held?.[999], held?.[1000]]).toEqual([25_000, 999, Number.NaN]);
    const steps: number[] = [];
    await all.load({ from: 0, to: 25_000 }, { signal, onEvent: (rows) => steps.push(rows) });
    const [whole, none] = await all.numbers([['n'], ['x']]);
    expect(whole?.every((value, at) => value === at)).toBe(true);
    expect(none?.every(Number.isNaN)).toBe(true);
    expect(steps).toEqual([10_000, 20_000, 25_000]);
    expect(requests.slice(1).map(({ limit }) => limit)).toEqual([10_000, 10_000, 5000]);
  });

  it('are fetched again after they were released', async () => {
    const requests: number[] = [];
    const api = recordsApiWith({
      page: async ({ skip = 0, limit }) => {
        requests.push(skip);
        return recordPage(records(skip, limit), 9000);
      },
    });
    const { records: thread } = recordsBeside(api, 30_000);
    const { records: all } = await thread.open(find, { signal, isUnlimited: true });
    for (const from of [1000, 2000, 3000, 0]) await all.rows({ from, to: from + 1 });
    expect(requests).toEqual([0, 1000, 2000, 3000, 0]);
    expect(all.shape().held).toBeLessThanOrEqual(3000);
  });

  it('that were released for another result are reported, and loaded again when there is a link', async () => {
    let isUp = true;
    const api = recordsApiWith({
      page: async ({ skip = 0, limit }) => {
        if (!isUp) throw new Error('the link is down');
        return recordPage(records(skip, limit), 9000);
      },
    });
    const { records: thread } = recordsBeside(api, 30_000);
    const { records: hidden } = await thread.open(find, { signal, isUnlimited: true });
    await hidden.rows({ from: 1000, to: 1001 });
    hidden.setVisible(false);
    const { records: other } = await thread.open(find, { signal, isUnlimited: true });
    for (const from of [1000, 2000]) await other.rows({ from, to: from + 1 });
    await expect.poll(() => hidden.shape()).toMatchObject({ held: 0, gaps: 0 });
    isUp = false;
    hidden.setVisible(true);
    await expect(hidden.rows({ from: 5000, to: 5001 })).rejects.toThrow();
    isUp = true;
    other.release();
    hidden.setVisible(false);
    hidden.setVisible(true);
    await expect.poll(() => hidden.shape().held).toBeGreaterThanOrEqual(2000);
  });

  it('that can’t be fetched report why, and are requested again by the next caller', async () => {
    let up = false;
    const api = recordsApiWith({
      page: async ({ skip = 0, limit }) => {
        if (skip > 0 && !up) throw new Error('the link is down');
        return recordPage(records(skip, limit), 5000);
      },
    });
    const { records: thread } = recordsBeside(api);
    const { records: all } = await thread.open(find, { signal, isUnlimited: true });
    await expect(all.rows({ from: 3000, to: 3001 })).rejects.toMatchObject({
      details: { problem: 'the link is down' },
    });
    up = true;
    expect(cells(await all.rows({ from: 3000, to: 3001 }))).toEqual([3000]);
  });

  it('are fetched as long as a caller waits for them', async () => {
    const ends: string[] = [];
    const answer = Promise.withResolvers<void>();
    const api = recordsApiWith({
      page: async ({ skip = 0, limit }, options) => {
        if (skip > 0) {
          options?.signal?.addEventListener('abort', () => ends.push(`${skip} aborted`));
          await answer.promise;
        }
        return recordPage(records(skip, limit), 5000);
      },
    });
    const { records: thread } = recordsBeside(api);
    const { records: all } = await thread.open(find, { signal, isUnlimited: true });
    const [one, two, three] = [new AbortController(), new AbortController(), new AbortController()];
    const first = all.rows({ from: 1000, to: 1001 }, one);
    const second = all.rows({ from: 1500, to: 1501 }, two);
    const third = all.rows({ from: 2000, to: 2001 }, three);
    one.abort();
    three.abort();
    answer.resolve();
    await expect(first).rejects.toMatchObject({ code: 'cancelled' });
    await expect(third).rejects.toMatchObject({ code: 'cancelled' });
    expect(cells(await second)).toEqual([1500]);
    expect(ends).toEqual(['2000 aborted']);
  });

  it('stay when a part of them that was requested earlier arrives late', async () => {
    const late = Promise.withResolvers<void>();
    const api = recordsApiWith({
      page: async ({ skip = 0, limit }) => {
        if (skip === 3000) await late.promise;
        return recordPage(records(skip, limit), 12_000);
      },
    });
    const { records: all } = await recordsBeside(api).records.open(find, { signal, isUnlimited: true });
    const part = all.rows({ from: 3000, to: 3001 });
    await all.load({ from: 0, to: 12_000 }, { onEvent: () => undefined, signal });
    late.resolve();
    expect(cells(await part)).toEqual([3000]);
    expect(all.shape().held).toBe(12_000);
  });

  it('no longer exist when they are released', async () => {
    const { records: thread } = serviceOf(5);
    const { records: held } = await thread.open(find, { signal });
    held.release();
    await expect(held.record(0)).rejects.toMatchObject({
      details: { problem: 'the records are no longer held' },
    });
  });

  it.each(['[{"n":', '{"n":1}'])('that arrive as %s are an internal error', async (text) => {
    const records = Buffer.from(text);
    const api = recordsApiWith({ find: async () => ({ records, count: 1, total: null, ms: 1 }) });
    const opening = recordsBeside(api).records.open(find, { signal });
    await expect(opening).rejects.toMatchObject({ code: 'internal' });
  });
});

describe('the records thread', () => {
  it.each([
    ['a port to the application', async () => new MessageChannel().port1],
    ['none, when it opens a socket itself', undefined],
  ])('receives %s', async (_, connect) => {
    const { ends } = portPair();
    createRecordsThread(() => ends[0], connect).warm();
    const port = await openThread<WindowCalls>(() => ends[1]).calls.connect();
    expect(port instanceof MessagePort).toBe(connect !== undefined);
    port?.close();
  });

  it('that crashes rejects its callers, and the next request starts another', async () => {
    const { records: thread, die } = recordsBeside(
      recordsApiWith({ find: () => new Promise(() => undefined) }),
    );
    for (let time = 0; time < 2; time += 1) {
      const waiting = thread.open(find, { signal });
      die();
      await expect(waiting).rejects.toMatchObject({ details: { problem: 'out of memory' } });
    }
  });

  it('that crashes loses its results, and none of them is mistaken for one of the next thread', async () => {
    const { records: thread, die } = serviceOf(5);
    const { records: first } = await thread.open(find, { signal });
    const lost = new Promise((resolve) => first.onLost(resolve));
    die();
    expect(await lost).toMatchObject({ code: 'internal' });
    const { records: second } = await thread.open(find, { signal });
    await expect(first.record(0)).rejects.toMatchObject({
      details: { problem: 'the records are no longer held' },
    });
    expect(await second.record(0)).toEqual({ n: 0 });
  });
});
