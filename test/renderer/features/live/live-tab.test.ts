import { describe, expect, it } from 'vitest';
import { createLiveTab, silenceOf, type LiveTab } from '../../../../src/renderer/features/live/live-tab.ts';
import { AppError, invalidInput } from '../../../../src/shared/errors/errors.ts';
import type { LiveChunkEvent } from '../../../../src/renderer/features/records/host.ts';
import { toPackedColumns } from '../../../../src/renderer/features/records/chunk.ts';
import type { LiveRequest } from '../../../../src/shared/tabs/live.ts';
import { made } from '../datasets/made.ts';
import { changeablePage } from './support.ts';

const wits = made('wits', { friendlyName: 'WITS' });

interface Stream {
  readonly request: LiveRequest;
  readonly send: (event: LiveChunkEvent) => Promise<void>;
  readonly fail: (error: AppError) => Promise<void>;
  readonly ended: () => boolean;
}
const settled = () => new Promise<void>((resolve) => setImmediate(resolve));

/** A tab over a service whose streams the test feeds, in an environment that the test changes. */
function following() {
  const notices: (readonly [news: string[] | string, isInView: boolean])[] = [];
  const streams: Stream[] = [];
  const { around, page } = changeablePage();
  const clock = { now: 99 };
  const tab: LiveTab = createLiveTab(
    {
      live: (request, { signal, onEvent }) =>
        new Promise((_, reject) => {
          streams.push({
            request,
            async send(event) {
              onEvent(event);
              await settled();
            },
            async fail(error) {
              reject(error);
              await settled();
            },
            ended: () => signal.aborted,
          });
        }),
      page,
      now: () => clock.now,
      notify: (news, isInView) =>
        void notices.push([
          news instanceof AppError
            ? news.code
            : news.map(({ well, field, side }) => `${well} ${field} ${side}`),
          isInView,
        ]),
      wait: settled,
    },
    { connection: 'c', dataset: wits, query: '{ asset_id: 7 }', fields: [], field: 'timestamp' },
  );
  const status = () => tab.store.getState().stream;
  return { tab, streams, around, status, notices, clock };
}
const cursor = { value: 2, floor: 1, ids: ['b'] };
const two: LiveChunkEvent = {
  kind: 'records',
  chunks: toPackedColumns([
    { _id: 'a', timestamp: 1 },
    { _id: 'b', timestamp: 2 },
  ]),
  count: 2,
  cursor,
};

const time = 1_700_000_000_000;
type Rops = readonly [at: number, first: number | null, second: number | null];

/** Records of each of two wells, at one time after the other. */
const ropsOf = (...rows: readonly Rops[]): LiveChunkEvent => {
  const records = rows.flatMap(([at, ...rops]) =>
    rops.map((rop, place) => ({
      _id: `${at} ${place}`,
      asset_id: place + 1,
      timestamp: time + at * 1000,
      data: rop === null ? {} : { rop },
    })),
  );
  const value = time + Math.max(...rows.map(([at]) => at)) * 1000;
  return {
    kind: 'records',
    chunks: toPackedColumns(records),
    count: records.length,
    cursor: { value, floor: time, ids: [] },
  };
};
const ropOf = (...row: Rops): LiveChunkEvent => ropsOf(row);

describe('the limits of a live view', () => {
  it('announce an alarm once, while another one ends and comes again', async () => {
    const { tab, streams, notices } = following();
    const texts = (kind: 'alarms' | 'announced') => tab.store.getState()[kind].map(({ well }) => well);
    await settled();
    await streams[0]?.send(ropOf(1, 250, 250));
    tab.actions.setLimits('data.rop', { min: null, max: 200 });
    expect(notices).toEqual([[['1 data.rop above', '2 data.rop above'], true]]);
    await streams[0]?.send(ropOf(2, null, 100));
    expect([texts('alarms'), texts('announced')]).toEqual([['1'], ['1']]);
    await streams[0]?.send(ropOf(3, null, 300));
    expect([texts('alarms'), texts('announced')]).toEqual([['1', '2'], ['2']]);
    await streams[0]?.send(ropOf(4, 260, 100));
    expect([texts('alarms'), texts('announced')]).toEqual([['1'], []]);
    await streams[0]?.send(ropOf(5, 260, 300));
    expect([texts('alarms'), texts('announced')]).toEqual([['1', '2'], ['2']]);
    expect(notices.slice(1)).toEqual([
      [['2 data.rop above'], true],
      [['2 data.rop above'], true],
    ]);
    tab.actions.setLimits('data.rop', null);
    expect(texts('alarms')).toEqual([]);
  });

  it('announce a value that was beyond one between two updates, and list it until the next', async () => {
    const { tab, streams, notices } = following();
    await settled();
    await streams[0]?.send(ropOf(1, 250, 100));
    tab.actions.setLimits('data.rop', { min: 50, max: 200 });
    await streams[0]?.send(ropsOf([2, 100, 100], [3, 100, 900], [4, 100, 100], [5, 100, 10]));
    const listed = () =>
      tab.store.getState().alarms.map(({ well, side, at, isOver }) => [well, side, at, isOver]);
    expect(listed()).toEqual([
      ['2', 'below', time + 5000, false],
      ['2', 'above', time + 3000, true],
    ]);
    expect(notices.slice(1)).toEqual([[['2 data.rop below', '2 data.rop above'], true]]);
    await streams[0]?.send(ropsOf([6, 100, 100], [7, 900, 100], [8, 900, 100]));
    expect(listed()).toEqual([['1', 'above', time + 8000, false]]);
    expect(notices).toHaveLength(3);
  });

  it('announce an alarm that follows one that was over between two updates', async () => {
    const { tab, streams, notices } = following();
    await settled();
    await streams[0]?.send(ropOf(1, 100, 100));
    tab.actions.setLimits('data.rop', { min: null, max: 200 });
    await streams[0]?.send(ropsOf([2, 100, 100], [3, 100, 900], [4, 100, 100]));
    await streams[0]?.send(ropsOf([5, 100, 900], [6, 100, 900]));
    // It ends, and comes again: what is announced changes each time.
    await streams[0]?.send(ropsOf([7, 100, 900], [8, 100, 100]));
    expect(tab.store.getState().announced).toEqual([]);
    await streams[0]?.send(ropOf(9, 100, 900));
    const above = [['2 data.rop above'], true];
    expect(notices).toEqual([above, above, above]);
  });

  it('are watched while the tab and the window are hidden, unless the user paused', async () => {
    const { tab, streams, around, status, notices } = following();
    await settled();
    await streams[0]?.send(ropOf(1, 100, 100));
    tab.actions.setLimits('data.rop', { min: 50, max: null });
    tab.actions.setVisible(false);
    around.hidden = true;
    around.changed();
    expect(status()).toEqual({ status: 'following' });
    await streams[0]?.send(ropOf(2, 40, 100));
    expect(notices).toEqual([[['1 data.rop below'], false]]);
    tab.actions.pause();
    expect(status()).toEqual({ status: 'paused', why: 'person' });
    tab.actions.resume();
    tab.actions.setLimits('data.rop', null);
    expect(status()).toEqual({ status: 'paused', why: 'hidden' });
  });

  it('are said to be watched no more when the view stops, if there are any', async () => {
    const [limited, other] = [following(), following()];
    await settled();
    limited.tab.actions.setLimits('data.rop', { min: 50, max: null });
    limited.tab.actions.setVisible(false);
    for (const { streams } of [limited, other])
      await streams[0]?.fail(new AppError('not_authenticated', { service: 'data' }));
    for (const { status } of [limited, other]) expect(status()).toMatchObject({ status: 'stopped' });
    expect(limited.notices).toEqual([['not_authenticated', false]]);
    expect(other.notices).toEqual([]);
  });
});

describe('a live dataset', () => {
  it('appends new records', async () => {
    const { tab, streams, status } = following();
    await settled();
    expect(status()).toEqual({ status: 'starting' });
    expect(streams[0]?.request).toMatchObject({ query: '{ asset_id: 7 }', everyMs: 5000, after: null });
    await streams[0]?.send(two);
    expect(tab.store.getState()).toMatchObject({
      kept: 2,
      newest: 2,
      answeredAt: 99,
      version: 1,
      stream: { status: 'following' },
    });
    await streams[0]?.send({ kind: 'nothing' });
    expect(tab.store.getState().version).toBe(1);
  });

  it('says within two intervals that the service is silent, also at first, and requests again at once', async () => {
    const { tab, streams, around, clock } = following();
    const silence = () => silenceOf(tab.store.getState(), clock.now);
    await settled();
    clock.now += 10_000;
    expect(silence()).toBe(10_000);
    await streams[0]?.send(two);
    clock.now += 9999;
    expect(silence()).toBeNull();
    clock.now += 1;
    expect(silence()).toBe(10_000);
    tab.actions.retry();
    await settled();
    expect([streams[0]?.ended(), streams.length, streams[1]?.request.after]).toEqual([true, 2, cursor]);
    expect(silence()).toBeNull();
    // A pause isn't a silence.
    around.hidden = true;
    around.changed();
    clock.now += 60_000;
    expect(silence()).toBeNull();
    around.hidden = false;
    around.changed();
    expect(silence()).toBeNull();
  });

  it.each([
    ['hidden', (around: ReturnType<typeof following>['around'], on: boolean) => (around.hidden = on)],
    ['offline', (around: ReturnType<typeof following>['around'], on: boolean) => (around.online = !on)],
  ] as const)('sends no requests while it is %s, and continues from its position', async (why, set) => {
    const { streams, around, status } = following();
    await settled();
    await streams[0]?.send(two);
    set(around, true);
    around.changed();
    expect(status()).toEqual({ status: 'paused', why });
    expect(streams[0]?.ended()).toBe(true);
    set(around, false);
    around.changed();
    await settled();
    expect(streams).toHaveLength(2);
    expect(streams[1]?.request.after).toEqual(cursor);
    expect(status()).toEqual({ status: 'following' });
  });

  it('pauses with its tab, and stays paused when the user paused it', async () => {
    const { tab, streams, status } = following();
    tab.actions.setVisible(false);
    expect(status()).toEqual({ status: 'paused', why: 'hidden' });
    tab.actions.pause();
    tab.actions.setVisible(true);
    expect(status()).toEqual({ status: 'paused', why: 'person' });
    tab.actions.resume();
    await settled();
    expect(streams.filter((stream) => !stream.ended())).toHaveLength(1);
  });

  it.each(['not_authenticated', 'forbidden'] as const)(
    'stops when it is %s, and reports why',
    async (code) => {
      const { tab, streams, around, status } = following();
      await settled();
      await streams[0]?.fail(new AppError(code, { service: 'data' }));
      expect(status()).toMatchObject({ status: 'stopped', error: { code } });
      around.changed();
      tab.actions.setVisible(true);
      await settled();
      expect(streams).toHaveLength(1);
      tab.actions.resume();
      await settled();
      expect(streams).toHaveLength(2);
    },
  );

  it('reopens a broken stream, from its position', async () => {
    const { streams, status } = following();
    await settled();
    await streams[0]?.send(two);
    await streams[0]?.fail(new AppError('internal', { problem: 'the link was lost' }));
    expect(status()).toMatchObject({ status: 'retrying' });
    await settled();
    await settled();
    expect(streams[1]?.request.after).toEqual(cursor);
  });

  it('continues once the address of its connection is corrected, and starts again at another one', async () => {
    const { tab, streams, status } = following();
    const { store, actions } = tab;
    const wells = () => tab.latest.wells().map(({ well }) => well);
    await settled();
    await streams[0]?.send(ropOf(1, 250, 100));
    await streams[0]?.fail(invalidInput('another address'));
    actions.resume();
    await settled();
    expect(streams[1]?.request.after).toMatchObject({ value: time + 1000 });
    await streams[1]?.send(ropOf(2, null, 250));
    expect([store.getState().kept, wells()]).toEqual([4, ['1', '2']]);
    await streams[1]?.fail(invalidInput('another address'));
    expect([status().status, store.getState().kept]).toEqual(['stopped', 4]);
    actions.resume();
    await settled();
    const { version } = store.getState();
    await streams[2]?.fail(invalidInput('another address'));
    await settled();
    expect(streams[3]?.request.after).toBeNull();
    expect([store.getState().kept, wells()]).toEqual([0, []]);
    expect(store.getState().version).toBeGreaterThan(version);
    await streams[3]?.send(ropOf(1, null, 250));
    expect([store.getState().kept, tab.records.count(), wells()]).toEqual([2, 2, ['1', '2']]);
    await streams[3]?.fail(invalidInput('another address'));
    expect([status().status, store.getState().kept]).toEqual(['stopped', 2]);
  });

  it('reports why the service is unavailable, and the next try', async () => {
    const { streams, status } = following();
    await settled();
    const error = new AppError('service_failed', { service: 'data' });
    await streams[0]?.send({ kind: 'trouble', error: error.toBody(), nextTryMs: 10_000 });
    expect(status()).toMatchObject({
      status: 'retrying',
      nextTryMs: 10_000,
      error: { code: 'service_failed' },
    });
  });

  it('requests as often as the user sets, and never once it is closed', async () => {
    const { tab, streams } = following();
    await settled();
    tab.actions.setInterval(30_000);
    await settled();
    expect(streams.map(({ ended }) => ended())).toEqual([true, false]);
    expect(streams[1]?.request.everyMs).toBe(30_000);
    tab.actions.close();
    expect(streams[1]?.ended()).toBe(true);
  });
});
