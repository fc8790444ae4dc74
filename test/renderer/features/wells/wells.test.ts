import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import type { LongCatalogueEvent } from '../../../../src/shared/contract/catalogue.ts';
import { AppError } from '../../../../src/shared/errors/errors.ts';
import {
  assetId,
  platformWellId,
  noMarks,
  withMarks,
  type Well,
  type WellMarks,
  wellMarksChange,
  type WellMarksChange,
  hasAssetId,
  scopeOf,
} from '../../../../src/shared/wells/wells.ts';
import { clockToleranceMs } from '../../../../src/shared/instants.ts';
import type { PipelineRequest } from '../../../../src/shared/query/query.ts';
import { made } from '../datasets/made.ts';
import { wellOf } from '../../../support/wells.ts';
import { packWell } from '../../../../src/shared/wells/packed-wells.ts';
import { listedWells } from '../../../../src/renderer/features/wells/wells-state.ts';
import { selectedWells } from '../../../../src/renderer/features/tabs/tabs.ts';
import { tabsAlone } from '../tabs/support/note-kind.tsx';
import { createWells } from '../../../../src/renderer/features/wells/wells.ts';

// The platform id of Basin 7 is the asset id of Ridge A-100H.
const ridge = [
  wellOf(1, 'Ridge A-100H', 1001, { apiNumber: '42-123-45678-00-00', status: 'active', rigId: 3 }),
  wellOf(2, 'Ridge C-102H', 1002, { apiNumber: '42-123-45679-00-00', status: 'idle', rigId: 4 }),
  wellOf(1001, 'Basin 7', 2001, { status: 'active', rigId: 3 }),
  wellOf(4, 'Basin 10', null, { status: 'active' }),
];
const later = (name: string) => wellOf(9, name, 9009);

/** The records that a pipeline has. */
type Pipeline = (request: PipelineRequest) => Promise<readonly object[]>;
type Events = (filter: object, signal?: AbortSignal) => AsyncIterable<LongCatalogueEvent>;
async function* saying(...events: (LongCatalogueEvent | AppError)[]) {
  for (const event of events) {
    if (event instanceof AppError) throw event;
    yield event;
  }
}
const fresh = (items: Well[]): LongCatalogueEvent[] => [
  { kind: 'items', source: 'service', text: JSON.stringify(items.map(packWell)) },
  { kind: 'whole', source: 'service', asOf: '2026-01-02T00:00:00Z' },
];
const kept = (items: Well[]): LongCatalogueEvent[] => [
  { kind: 'items', source: 'kept', text: JSON.stringify(items.map(packWell)) },
  { kind: 'whole', source: 'kept', asOf: '2026-01-01T00:00:00Z' },
];

/** The service's clock, which is not this computer's. */
const serviceMs = Date.now() + 2 * 3_600_000;
const noTimes: Pipeline = async () => [];

function bench(
  events: Events = () => saying(...fresh(ridge)),
  now?: () => number,
  pipeline: Pipeline = noTimes,
) {
  const requests: object[] = [];
  const marked: (readonly WellMarksChange[])[] = [];
  const refusal: { error: AppError | null } = { error: null };
  const disk: { marks: WellMarks; error: AppError | null } = {
    marks: { ...noMarks, pinned: [assetId.parse(1002)] },
    error: null,
  };
  const never = async (): Promise<never> => {
    throw new Error('not asked in these tests');
  };
  const tabs = tabsAlone({ onWells: () => wells.actions.onSelected() });
  const wells = createWells(
    {
      catalogue: {
        wells: async ({ filter = {} }, options) => {
          requests.push(filter);
          const iterable = events(filter, options?.signal);
          return iterable as Awaited<ReturnType<Parameters<typeof createWells>[0]['catalogue']['wells']>>;
        },
        entities: never,
        companies: never,
        datasets: never,
        dataset: never,
      },
      wells: {
        resolve: never,
        async marks() {
          if (disk.error) throw disk.error;
          return disk.marks;
        },
        async mark(input) {
          const changes = wellMarksChange.array().parse(input.changes);
          marked.push(changes);
          if (refusal.error) throw refusal.error;
          return (disk.marks = changes.reduce(withMarks, disk.marks));
        },
      },
      query: {
        now: async () => ({ ms: serviceMs }),
        async pipeline(request) {
          const records = new TextEncoder().encode(JSON.stringify(await pipeline(request)));
          return { records, count: 0, total: null, ms: 1 };
        },
      },
    },
    tabs,
    now,
  );
  const selected = () => selectedWells(tabs.store.getState());
  return { ...wells, selected, requests, marked, refusal, disk };
}
const settled = () => new Promise((resolve) => setTimeout(resolve));
async function loaded(events?: Events, pipeline?: Pipeline) {
  const wells = bench(events, undefined, pipeline);
  await wells.actions.load('sample');
  await settled();
  return wells;
}
/** After when the records of each well are read. */
function rangesIn(request: PipelineRequest | undefined): Record<number, number> {
  const [{ $match }] = z
    .tuple([z.object({ $match: z.object({ $or: z.array(range) }) })])
    .rest(z.unknown())
    .parse(JSON.parse(request?.stages ?? ''));
  return Object.fromEntries($match.$or.map(({ asset_id, timestamp }) => [asset_id, timestamp.$gt]));
}
const range = z.object({ asset_id: z.int(), timestamp: z.object({ $gt: z.int() }) });
const namesOf = (wells: readonly Well[]) => wells.map(({ name }) => name);
const names = (found: readonly Well[] | null) => found && namesOf(found);
const withId = (platformId: number) => ridge.filter((well) => Number(well.platformId) === platformId);

describe('the two ids of a well', () => {
  it('scope by the asset id alone, even if a platform id is another well’s asset id', async () => {
    const { selected, actions } = await loaded();
    actions.changeSelection(withId(1001));
    expect(namesOf(selected())).toEqual(['Basin 7']);
    expect(scopeOf(selected())).toEqual([2001]);
    actions.deselect(platformWellId.parse(1001));
    actions.changeSelection(withId(1));
    expect(scopeOf(selected())).toEqual([1001]);
    // Removing the well whose platform id is 1001 keeps the one with the asset id 1001.
    actions.deselect(platformWellId.parse(1001));
    expect(namesOf(selected())).toEqual(['Ridge A-100H']);
  });

  it('lead from an asset to its well by the asset id alone', async () => {
    const { store } = await loaded();
    const listed = listedWells(store.getState());
    expect(namesOf(listed.wellsBy('assetId', [1001]))).toEqual(['Ridge A-100H']);
    expect(namesOf(listed.wellsBy('assetId', [2, 2001]))).toEqual(['Basin 7']);
    expect(listed.well('platformId', 1001)?.name).toBe('Basin 7');
  });

  it('say that pins are not stored, until some are', async () => {
    const { store, actions, refusal } = await loaded();
    const [well] = ridge.filter(hasAssetId);
    if (!well) throw new Error('no well has an asset id');
    refusal.error = new AppError('internal', { problem: 'no room' });
    actions.pin(well, true);
    await settled();
    expect(store.getState().marksProblem).toBe(refusal.error);
    refusal.error = null;
    actions.pin(well, false);
    await settled();
    expect(store.getState().marksProblem).toBeNull();
  });

  it('keep the pins and recent wells of other windows, whether they were loaded or not', async () => {
    const wells = bench();
    const { store, actions, disk, refusal } = wells;
    const [one, two] = ridge.filter(hasAssetId);
    if (!one || !two) throw new Error('no well has an asset id');
    disk.error = new AppError('timed_out', { service: 'data', host: 'h', afterMs: 1 });
    await actions.load('sample');
    await settled();
    expect([...store.getState().pinned]).toEqual([]);
    actions.show('pinned');
    actions.pin(one, true);
    await settled();
    expect([...store.getState().pinned]).toEqual([1002, 1001]);
    expect(names(store.getState().found)).toEqual(['Ridge A-100H', 'Ridge C-102H']);

    disk.marks = { ...disk.marks, pinned: [one.assetId, assetId.parse(7)], recent: [assetId.parse(8)] };
    actions.changeSelection([two]);
    await settled();
    expect(disk.marks).toMatchObject({ pinned: [1001, 7], recent: [1002, 8] });
    expect(store.getState()).toMatchObject({ recent: [1002, 8], facts: null });
    expect([...store.getState().pinned]).toEqual([1001, 7]);

    // What could not be stored stays in the window, and is stored with the next change.
    refusal.error = new AppError('internal', { problem: 'no room' });
    actions.pin(one, false);
    await settled();
    refusal.error = null;
    disk.marks = { ...disk.marks, pinned: [one.assetId, assetId.parse(9)] };
    const { pinned } = store.getState();
    expect([...pinned]).toEqual([7]);
    actions.setFields('facts', ['status']);
    expect(store.getState().pinned).toBe(pinned);
    await settled();
    expect(disk.marks).toMatchObject({ pinned: [9], facts: ['status'] });
    expect([...store.getState().pinned]).toEqual([9]);
  });

  it('have the time of their newest record, in whatever order it is read', async () => {
    const { store, actions } = await loaded();
    actions.noteRecords([
      [1001, 3],
      [1001, 2],
      [1002, 1],
    ]);
    actions.noteRecords([
      [1001, 1],
      [1002, 2],
    ]);
    expect([...store.getState().recordTimes]).toEqual([
      [1001, 3],
      [1002, 2],
    ]);
  });

  it('have their newest record read by one request in a turn, after those that are known, and the datasets in turn', async () => {
    const active = { lastActiveAt: '2026-01-01T00:00:00Z' };
    const wells = [wellOf(1, 'A', 1001, active), wellOf(2, 'B', 1002), wellOf(3, 'C', 1003, active)];
    const requests: PipelineRequest[] = [];
    let answer = (): Promise<readonly object[]> => Promise.resolve([]);
    const { store, actions } = await loaded(
      () => saying(...fresh(wells)),
      (request) => {
        requests.push(request);
        return answer();
      },
    );
    const known = Date.parse(active.lastActiveAt);
    const limit = serviceMs + clockToleranceMs;
    const read = async (turn: number) => {
      actions.readRecordTimes([made('wits'), made('completion.wits')], turn);
      await settled();
    };
    const times = () => [...store.getState().recordTimes];

    answer = async () => [{ _id: 1001, at: known + 5 }, { _id: null, at: 3 }, {}];
    await read(1);
    expect(times()).toEqual([[1001, known + 5]]);
    // A well that never had records has none to be newer than.
    const ranges = { 1001: known, 1003: known };
    expect(rangesIn(requests[0])).toEqual(ranges);
    expect(requests[0]?.stages).toContain(`"timestamp":{"$lte":${limit}}`);
    await read(1);
    expect(requests).toHaveLength(1);

    // While one is read, no other is; a failure leaves what is known.
    const late = Promise.withResolvers<readonly object[]>();
    answer = () => late.promise;
    await read(2);
    await read(3);
    expect(requests.map(({ dataset }) => dataset)).toEqual(['wits', 'completion.wits']);
    expect(rangesIn(requests[1])).toEqual({ ...ranges, 1001: known + 5 });
    late.reject(new AppError('timed_out', { service: 'data', host: 'h', afterMs: 1 }));
    await settled();
    expect(times()).toEqual([[1001, known + 5]]);
    answer = async () => [{ _id: 1003, at: known + 7 }];
    await read(3);
    expect(times()).toEqual([
      [1001, known + 5],
      [1003, known + 7],
    ]);
    expect(requests[2]?.dataset).toBe('wits');

    // A time after the service's clock is that of a wrong one, wherever it is from.
    actions.noteRecords([
      [1002, limit + 3_600_000],
      [1003, limit - 60_000],
    ]);
    expect(times()).toEqual([
      [1001, known + 5],
      [1003, limit - 60_000],
    ]);

    // Those of a connection that was closed meanwhile aren't noted.
    const closed = Promise.withResolvers<readonly object[]>();
    answer = () => closed.promise;
    await read(4);
    actions.clear();
    closed.resolve([{ _id: 1003, at: known + 9 }]);
    await settled();
    expect(times()).toEqual([]);
  });

  it('pin and remember by the asset id', async () => {
    const { store, actions, marked } = await loaded();
    const basin = ridge.filter(hasAssetId).find(({ name }) => name === 'Basin 7');
    if (basin) actions.pin(basin, true);
    expect([...store.getState().pinned]).toEqual([1002, 2001]);
    actions.show('pinned');
    await settled();
    expect(names(store.getState().found)).toEqual(['Basin 7', 'Ridge C-102H']);
    actions.show('all');
    await settled();
    actions.changeSelection(withId(1));
    expect(marked).toEqual([[{ pin: [2001] }], [{ used: [1001] }]]);
    actions.show('recent');
    await settled();
    expect(names(store.getState().found)).toEqual(['Ridge A-100H']);
  });

  it('can’t be mixed up in a selection: a well without an asset id is skipped', async () => {
    const { selected, actions } = await loaded();
    actions.changeSelection(withId(4));
    expect(selected()).toEqual([]);
    actions.selectWells(ridge);
    expect(scopeOf(selected())).toEqual([1001, 1002, 2001]);
  });
});

describe('the wells of a connection', () => {
  it('are sorted naturally, with numbers as numbers', async () => {
    const { store, actions } = await loaded();
    expect(names(store.getState().found)).toEqual(['Basin 7', 'Basin 10', 'Ridge A-100H', 'Ridge C-102H']);
    actions.sort({ by: 'apiNumber', descending: true });
    await settled();
    expect(names(store.getState().found)?.slice(0, 2)).toEqual(['Ridge C-102H', 'Ridge A-100H']);
  });

  it('stay selected while a search or a filter hides them', async () => {
    const { selected, actions } = await loaded();
    actions.changeSelection(withId(2));
    actions.search('basin');
    await settled();
    actions.changeSelection(withId(1001));
    expect(scopeOf(selected())).toEqual([1002, 2001]);
    actions.changeSelection([], new Set([1001]));
    expect(scopeOf(selected())).toEqual([1002]);
  });

  it('are filtered by their values, without a request', async () => {
    const { store, actions, requests } = await loaded();
    actions.filter({ status: 'active', rigId: 3 });
    await settled();
    expect(names(store.getState().found)).toEqual(['Basin 7', 'Ridge A-100H']);
    expect(requests).toHaveLength(1);
  });

  it('are requested when they lack a filter’s values, and searched in the response', async () => {
    const answer = [
      wellOf(7, 'Hidden 1', 7007, { status: 'idle' }),
      wellOf(8, 'Hidden 2', 7008, { status: 'active' }),
    ];
    const { store, selected, actions, requests } = await loaded((filter) =>
      saying(...fresh(Object.keys(filter).length > 0 ? answer : ridge)),
    );
    actions.filter({ visibility: 'deleted', status: 'active' });
    await settled();
    expect(requests[1]).toEqual({ visibility: 'deleted' });
    expect(names(store.getState().found)).toEqual(['Hidden 2']);
    actions.changeSelection(answer.slice(1));
    actions.filter({});
    await settled();
    expect(names(store.getState().found)).toHaveLength(4);
    expect(scopeOf(selected())).toEqual([7008]);
    expect(requests).toHaveLength(2);
  });

  it('report why a filter could not be requested, and keep their list', async () => {
    const refused = new AppError('forbidden', { service: 'platform' });
    const { store, actions } = await loaded((filter) =>
      Object.keys(filter).length > 0 ? saying(refused) : saying(...fresh(ridge)),
    );
    actions.filter({ visibility: 'deleted' });
    await settled();
    expect(store.getState()).toMatchObject({
      serviceResult: { status: 'failed', error: { code: 'forbidden' } },
    });
    actions.filter({});
    await settled();
    expect(names(store.getState().found)).toHaveLength(4);
  });

  it('whose filter was canceled aren’t an empty list: it says so, and can be requested again', async () => {
    async function* waitUntilAborted(signal?: AbortSignal) {
      await new Promise((resolve) => signal?.addEventListener('abort', resolve));
      yield* saying(new AppError('cancelled', {}));
    }
    const { store, actions } = await loaded((filter, signal) =>
      Object.keys(filter).length > 0 ? waitUntilAborted(signal) : saying(...fresh(ridge)),
    );
    actions.filter({ visibility: 'deleted' });
    await settled();
    actions.cancel();
    await settled();
    expect(store.getState()).toMatchObject({
      serviceResult: { status: 'failed', error: { code: 'cancelled' } },
    });
  });

  it('keep their error, and can be loaded again', async () => {
    let times = 0;
    const { store, actions } = await loaded(() => {
      times += 1;
      return times === 1
        ? saying(new AppError('forbidden', { service: 'platform' }))
        : saying(...fresh(ridge));
    });
    expect(store.getState().list).toMatchObject({ status: 'failed', error: { code: 'forbidden' } });
    await actions.load('sample');
    expect(store.getState().list.status).toBe('loaded');
  });

  it('are the stored ones, with their age, when the service rejects the request', async () => {
    const refused = new AppError('forbidden', { service: 'platform' });
    const { store } = await loaded(() => saying(...kept(ridge), refused));
    expect(names(store.getState().found)).toHaveLength(4);
    expect(store.getState().freshness).toEqual({
      asOf: '2026-01-01T00:00:00Z',
      isLoading: false,
      isStale: true,
      error: refused,
    });
  });

  it('are replaced by the service’s list only when that is complete', async () => {
    const seen: (string[] | null)[] = [];
    const wells = bench(() => saying(...kept(ridge), ...fresh([later('New 1')])));
    wells.store.subscribe(({ found }) => seen.push(names(found)));
    await wells.actions.load('sample');
    await settled();
    expect(names(wells.store.getState().found)).toEqual(['New 1']);
    expect(seen.filter((list) => list !== null && list.length > 0).every((list) => list?.length !== 2)).toBe(
      true,
    );
    expect(wells.store.getState().freshness).toMatchObject({ isStale: false, error: null });
  });

  it.each([
    ['service', [1, 3, 4]],
    ['kept', [1, 4]],
  ] as const)(
    'grow in view periodically while they come from %s, and are complete in the end',
    async (source, grows) => {
      const part = (...items: Well[]): LongCatalogueEvent => ({
        kind: 'items',
        source,
        text: JSON.stringify(items.map(packWell)),
      });
      const [a, b, c, d] = ridge;
      const clock = [0, 0, 100, 1010, 1020];
      const parts = [a, b, c, d].flatMap((well) => (well ? [part(well)] : []));
      const wells = bench(
        () => saying(...parts, { kind: 'whole', source, asOf: '2026-01-01T00:00:00Z' }),
        () => clock.shift() ?? 1050,
      );
      const seen = new Set<number>();
      wells.store.subscribe(({ list }) => list.status === 'loaded' && seen.add(list.value.count));
      await wells.actions.load('sample');
      await settled();
      expect([...seen]).toEqual(grows);
      expect(names(wells.store.getState().found)).toHaveLength(4);
      expect(listedWells(wells.store.getState()).words('status')).toEqual(new Set(['active', 'idle']));
    },
  );

  const damaged: LongCatalogueEvent = { kind: 'damaged' };
  const same: LongCatalogueEvent = { kind: 'same', asOf: '2026-01-02T00:00:00Z' };
  const [first = later('A'), second = later('B')] = ridge;
  it.each([
    ['become empty when the service has none', [[...kept([first]), ...fresh([]).slice(1)]], []],
    ['stay when the service returns the same', [[...kept([first]), same]], [first]],
    [
      'don’t include the stored ones when those are damaged',
      [[...kept([first]).slice(0, 1), damaged, ...fresh([second])]],
      [second],
    ],
    [
      'stay while others arrive, and when those are interrupted',
      [kept([first]), fresh([second]).slice(0, 1)],
      [first],
    ],
    ['are replaced by a complete list', [kept([first]), kept([second])], [second]],
  ])('%s', async (_, loads, expected) => {
    const left = [...loads];
    const { store, actions } = await loaded(() => saying(...(left.shift() ?? [])));
    for (const _more of loads.slice(1)) await actions.load('sample');
    expect(names(store.getState().found)).toEqual(namesOf(expected));
  });

  it('are requested again when they are needed again', async () => {
    const { actions, requests } = await loaded();
    actions.reload();
    await settled();
    expect(requests).toEqual([{}, {}]);
  });

  it('are shown up to the interruption of a list', async () => {
    const [first] = fresh(ridge.slice(0, 2));
    const { store } = await loaded(() =>
      saying(...(first ? [first] : []), new AppError('service_failed', { service: 'platform' })),
    );
    expect(names(store.getState().found)).toEqual(['Ridge A-100H', 'Ridge C-102H']);
    expect(store.getState().freshness).toMatchObject({ asOf: null, error: { code: 'service_failed' } });
  });

  it('stay in view while they are reloaded, and when that fails', async () => {
    let times = 0;
    const { store, actions } = await loaded(() => {
      times += 1;
      return times === 1
        ? saying(...fresh(ridge))
        : saying(new AppError('forbidden', { service: 'platform' }));
    });
    const lengths = new Set<number | undefined>();
    store.subscribe(({ found }) => lengths.add(found?.length));
    await actions.load('sample');
    expect([...lengths]).toEqual([4]);
    expect(store.getState().freshness).toMatchObject({ isLoading: false, error: { code: 'forbidden' } });
  });

  it('are deleted with the connection, even those still loading', async () => {
    const late = Promise.withResolvers<void>();
    const wells = bench(async function* slow() {
      await late.promise;
      yield* fresh(ridge);
    });
    const loading = wells.actions.load('sample');
    wells.actions.clear();
    late.resolve();
    await loading;
    expect(wells.store.getState()).toMatchObject({ list: { status: 'idle' }, found: null });
  });
});
