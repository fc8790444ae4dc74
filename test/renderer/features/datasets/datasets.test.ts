import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { createDatasets } from '../../../../src/renderer/features/datasets/datasets.ts';
import type { Api } from '../../../../src/renderer/api/api.ts';
import type { CatalogueEvent, Holding } from '../../../../src/shared/contract/catalogue.ts';
import type { Dataset } from '../../../../src/shared/datasets/datasets.ts';
import { AppError } from '../../../../src/shared/errors/errors.ts';
import type { ScopedWell } from '../../../../src/shared/wells/wells.ts';
import { wellWith } from '../../../support/wells.ts';
import { tabsAlone } from '../tabs/support/note-kind.tsx';
import { made } from './made.ts';

type Listing = Iterable<CatalogueEvent<Dataset> | Error>;
type Holds = (dataset: string) => Holding['holds'] | Error | null;

const wells = [wellWith(1)];
const asOf = '2026-11-21T06:00:00.000Z';
const items = (list: Dataset[], source: 'kept' | 'service' = 'service') =>
  ({ kind: 'items', source, items: list }) as const;
const whole = (source: 'kept' | 'service' = 'service') => ({ kind: 'whole', source, asOf }) as const;

/** A window's datasets with scripted responses; time passes with `pass`. */
function start({
  listing = [items([made('a'), made('b'), made('c')]), whole()],
  holds = () => 'some',
  get = async (address) => made(address.dataset, { statistics: { ...made('x').statistics, count: 5 } }),
  scope = 'company_id',
}: {
  listing?: Listing;
  holds?: Holds;
  get?: (address: { dataset: string }) => Promise<Dataset>;
  scope?: 'company_id' | 'asset_id' | null;
} = {}) {
  const waiting: (() => void)[] = [];
  const requests = { got: [] as string[], holdings: [] as string[], extents: 0, aborted: 0 };
  async function* list() {
    for (const event of listing) {
      await turn();
      if (event instanceof Error) throw event;
      yield event;
    }
  }
  async function* holdings(
    { datasets }: { datasets: { provider: string; dataset: string }[] },
    { signal }: { signal?: AbortSignal } = {},
  ): AsyncGenerator<Holding> {
    for (const { provider, dataset } of datasets) {
      await turn();
      if (signal?.aborted) {
        requests.aborted += 1;
        throw new AppError('cancelled', {});
      }
      const answer = holds(dataset);
      if (answer instanceof Error) throw answer;
      if (answer === null) {
        await new Promise((resolve) => signal?.addEventListener('abort', resolve));
        requests.aborted += 1;
        throw new AppError('cancelled', {});
      }
      requests.holdings.push(dataset);
      yield { provider, dataset, holds: answer };
    }
  }
  const api = {
    datasets: {
      holdings: async (...call: Parameters<typeof holdings>) => holdings(...call),
      extent: async () => {
        requests.extents += 1;
        return { scope };
      },
    },
    catalogue: {
      datasets: async () => list(),
      dataset: async (address: { dataset: string }) => {
        requests.got.push(address.dataset);
        return (async function* events() {
          yield items([await get(address)]);
          yield whole();
        })();
      },
    },
  };
  const tabs = tabsAlone({ onWells: () => datasets.actions.onWellsSelected() });
  const select = (selected: readonly ScopedWell[]) => tabs.actions.selectWells(selected);
  const datasets = createDatasets(api as unknown as Api, 'c', tabs, (_ms, act) => void waiting.push(act));
  return {
    ...datasets,
    select,
    requests,
    state: () => datasets.store.getState(),
    /** Runs deferred work, and its consequences. */
    async pass() {
      for (let round = 0; round < 12; round += 1) {
        for (const act of waiting.splice(0)) act();
        await turn();
        await turn();
      }
    },
  };
}
const names = (datasets: ReturnType<typeof start>) => {
  const { list } = datasets.state();
  return list.status === 'loaded' ? list.value.map(({ dataset }) => dataset) : list.status;
};

describe('the list of datasets', () => {
  it('is in its order', async () => {
    const datasets = start({ listing: [items([made('b10'), made('b9'), made('a')]), whole()] });
    await datasets.actions.load();
    await datasets.pass();
    expect(names(datasets)).toEqual(['a', 'b9', 'b10']);
    expect(datasets.state().freshness).toMatchObject({ asOf, isLoading: false, isStale: false });
  });

  it('shows the stored list until the service has sent all of it', async () => {
    const datasets = start({
      listing: [items([made('old')], 'kept'), whole('kept'), items([made('new')]), whole()],
    });
    const seen: unknown[] = [];
    datasets.store.subscribe(() => seen.push(names(datasets)));
    await datasets.actions.load();
    expect(seen).toContainEqual(['old']);
    // Never half of the new one, and never an empty list in between.
    expect(seen.slice(seen.findIndex(Array.isArray))).not.toContainEqual([]);
    expect(names(datasets)).toEqual(['new']);
  });

  it('shows the received part when the rest fails, and reports why', async () => {
    const error = new AppError('unreachable', { service: 'data', host: 'h', reason: 'refused' });
    const datasets = start({ listing: [items([made('a')], 'kept'), whole('kept'), error] });
    await datasets.actions.load();
    expect(names(datasets)).toEqual(['a']);
    expect(datasets.state().freshness).toMatchObject({
      isStale: true,
      isLoading: false,
      error: { code: 'unreachable' },
    });
    const nothing = start({ listing: [error] });
    await nothing.actions.load();
    expect(nothing.state().list).toMatchObject({ status: 'failed', error: { code: 'unreachable' } });
  });
});

describe('the definitions of the datasets in view', () => {
  it('are requested, two at a time, each once, except those no longer in view', async () => {
    const open: (() => void)[] = [];
    const datasets = start({
      get: (address) =>
        new Promise((resolve) => {
          open.push(() =>
            resolve(made(address.dataset, { statistics: { ...made('x').statistics, count: 7 } })),
          );
        }),
    });
    await datasets.actions.load();
    const [a, b, c] = [made('a'), made('b'), made('c')];
    for (const each of [a, b, c]) datasets.actions.onRowVisible(each);
    expect(datasets.requests.got).toEqual([]);
    await datasets.pass();
    expect(datasets.requests.got).toEqual(['a', 'b']);
    datasets.actions.onRowHidden(c);
    for (const answer of open.splice(0)) answer();
    await datasets.pass();
    expect(datasets.requests.got).toEqual(['a', 'b']);
    const { list } = datasets.state();
    expect(list.status === 'loaded' && list.value.map(({ statistics }) => statistics.count)).toEqual([
      7,
      7,
      null,
    ]);
    datasets.actions.onRowVisible(a);
    datasets.actions.onRowVisible(made('known', { statistics: { ...a.statistics, count: 0 } }));
    await datasets.pass();
    expect(datasets.requests.got).toEqual(['a', 'b']);
  });

  it('are requested again when rows were stored in one', async () => {
    let count = 0;
    const datasets = start({
      get: async ({ dataset }) => made(dataset, { statistics: { ...made('x').statistics, count } }),
    });
    await datasets.actions.load();
    const a = made('a');
    datasets.actions.onRowVisible(a);
    await datasets.pass();
    count = 5;
    datasets.actions.onRecordsAdded(a);
    datasets.actions.onRecordsAdded({ ...a, dataset: 'of another connection' });
    await datasets.pass();
    expect(datasets.requests.got).toEqual(['a', 'a']);
    const { list } = datasets.state();
    expect(list.status === 'loaded' && list.value[0]?.statistics.count).toBe(5);
  });

  it('without a type, as while the company listing fails, keep that of the list', async () => {
    const statistics = { ...made('x').statistics, count: 7 };
    const datasets = start({
      get: async ({ dataset }) => made(dataset, { type: null, typeSaid: '', statistics }),
    });
    await datasets.actions.load();
    datasets.actions.onRowVisible(made('a'));
    await datasets.pass();
    const { list } = datasets.state();
    expect(list.status === 'loaded' && list.value[0]).toEqual(made('a', { statistics }));
  });

  it('that are unavailable are skipped', async () => {
    const datasets = start({ get: () => Promise.reject(new AppError('forbidden', { service: 'data' })) });
    await datasets.actions.load();
    datasets.actions.onRowVisible(made('a'));
    datasets.actions.onRowVisible(made('b'));
    datasets.actions.onRowVisible(made('c'));
    await datasets.pass();
    expect(datasets.requests.got).toEqual(['a', 'b', 'c']);
    expect(names(datasets)).toEqual(['a', 'b', 'c']);
  });
});

describe('datasets with data of the selected wells', () => {
  const known = (datasets: ReturnType<typeof start>) =>
    [...datasets.state().holdings.byDataset.values()].map(({ dataset, holds }) => `${dataset} ${holds}`);

  it('are detected on request, among those that match the filters, once each', async () => {
    const datasets = start({ holds: (dataset) => (dataset === 'b' ? 'none' : 'some') });
    await datasets.actions.load();
    datasets.select(wells);
    await datasets.pass();
    expect(datasets.requests.holdings).toEqual([]);
    datasets.actions.filter({ text: 'a' });
    datasets.actions.showOnlyHolding(true);
    await datasets.pass();
    expect(known(datasets)).toEqual(['a some']);
    datasets.actions.filter({ text: '' });
    await datasets.pass();
    expect(known(datasets)).toEqual(['a some', 'b none', 'c some']);
    expect(datasets.requests.holdings).toEqual(['a', 'b', 'c']);
    expect(datasets.state().holdings.request).toEqual({ status: 'done' });
  });

  it('include one with its first records; a result that they don’t change stays', async () => {
    let hasRecords = false;
    const datasets = start({ holds: (dataset) => (dataset === 'b' && !hasRecords ? 'none' : 'some') });
    await datasets.actions.load();
    datasets.select(wells);
    datasets.actions.showOnlyHolding(true);
    await datasets.pass();
    hasRecords = true;
    for (const name of ['a', 'b']) datasets.actions.onRecordsAdded(made(name));
    await datasets.pass();
    expect(known(datasets).toSorted()).toEqual(['a some', 'b some', 'c some']);
    expect(datasets.requests.holdings).toEqual(['a', 'b', 'c', 'b']);
  });

  it('are detected again for other wells; earlier results are dropped', async () => {
    const datasets = start();
    await datasets.actions.load();
    datasets.select(wells);
    datasets.actions.showOnlyHolding(true);
    await datasets.pass();
    datasets.select([wellWith(2)]);
    expect(known(datasets)).toEqual([]);
    await datasets.pass();
    expect(datasets.requests.holdings).toEqual(['a', 'b', 'c', 'a', 'b', 'c']);
  });

  it('can be stopped, and continued', async () => {
    let hang = true;
    const datasets = start({ holds: (dataset) => (dataset === 'b' && hang ? null : 'some') });
    await datasets.actions.load();
    datasets.select(wells);
    datasets.actions.showOnlyHolding(true);
    await datasets.pass();
    expect(datasets.state().holdings.request).toEqual({ status: 'running', checkedCount: 1, total: 3 });
    datasets.actions.stopHoldings();
    await datasets.pass();
    expect(datasets.state().holdings.request).toEqual({ status: 'stopped', error: null });
    expect(known(datasets)).toEqual(['a some']);
    hang = false;
    datasets.actions.resumeHoldings();
    await datasets.pass();
    expect(datasets.requests.holdings).toEqual(['a', 'b', 'c']);
  });

  it('stop with an error that affects every request, and report it', async () => {
    const datasets = start({ holds: () => new AppError('not_authenticated', { service: 'data' }) });
    await datasets.actions.load();
    datasets.select(wells);
    datasets.actions.showOnlyHolding(true);
    await datasets.pass();
    expect(datasets.state().holdings.request).toMatchObject({
      status: 'stopped',
      error: { code: 'not_authenticated' },
    });
  });

  it('stay stopped, with the results before the error', async () => {
    const datasets = start({
      holds: (dataset) => (dataset === 'b' ? new AppError('not_authenticated', { service: 'data' }) : 'some'),
    });
    await datasets.actions.load();
    datasets.select(wells);
    datasets.actions.showOnlyHolding(true);
    // The error comes before the time to show the results.
    await expect.poll(() => datasets.state().holdings.request.status).toBe('stopped');
    await datasets.pass();
    expect(datasets.state().holdings.request.status).toBe('stopped');
    expect(known(datasets)).toEqual(['a some']);
  });

  it('stop when the connection is closed', async () => {
    const datasets = start({ holds: () => null });
    await datasets.actions.load();
    datasets.select(wells);
    datasets.actions.showOnlyHolding(true);
    await datasets.pass();
    datasets.actions.clear();
    await datasets.pass();
    expect(datasets.requests.aborted).toBe(1);
    expect(datasets.state()).toMatchObject({ list: { status: 'idle' }, isHoldingOnly: false });
  });
});

describe('the scope of a dataset', () => {
  it('is detected once when the type leaves it open', async () => {
    const datasets = start();
    await datasets.actions.load();
    datasets.select(wells);
    const reference = made('a', { type: 'reference' });
    await expect(datasets.actions.learnScope(reference)).resolves.toBe(true);
    expect(datasets.actions.scopeOf(reference)).toBe('company_id');
    await datasets.actions.learnScope(reference);
    await datasets.actions.learnScope(made('b'));
    expect(datasets.requests.extents).toBe(1);
  });

  it('follows the type when the records match it', async () => {
    const datasets = start({ scope: 'asset_id' });
    await datasets.actions.load();
    datasets.select(wells);
    await expect(datasets.actions.learnScope(made('a', { type: 'reference' }))).resolves.toBe(false);
  });
});
