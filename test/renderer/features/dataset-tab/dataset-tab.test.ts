import { describe, expect, it } from 'vitest';
import { createDatasetTab } from '../../../../src/renderer/features/dataset-tab/dataset-tab.ts';
import type { CatalogueEvent } from '../../../../src/shared/contract/catalogue.ts';
import type { Dataset } from '../../../../src/shared/datasets/datasets.ts';
import { AppError } from '../../../../src/shared/errors/errors.ts';
import type { Api } from '../../../../src/renderer/api/api.ts';
import { createDatasets } from '../../../../src/renderer/features/datasets/datasets.ts';
import { createFieldCatalogue } from '../../../../src/renderer/features/datasets/field-catalogue.ts';
import { made } from '../datasets/made.ts';
import { tabsAlone } from '../tabs/support/note-kind.tsx';

const unreachable = new AppError('unreachable', { service: 'data', host: 'data.test', reason: 'refused' });
const asOf = '2026-01-01T00:00:00Z';
const single = (count: number) => made('logs', { statistics: { ...made('x').statistics, count } });
const eventsOf = (source: 'kept' | 'service', dataset: Dataset): CatalogueEvent<Dataset>[] => [
  { kind: 'items', source, items: [dataset] },
  { kind: 'whole', source, asOf },
];

/** The tab of a dataset whose definition arrives in these responses. */
async function tabOver(...events: (CatalogueEvent<Dataset> | AppError)[]) {
  async function* eventStream() {
    for (const event of events) {
      if (event instanceof AppError) throw event;
      yield event;
    }
  }
  const { store, actions } = createDatasetTab(
    {
      api: {
        catalogue: { dataset: async () => eventStream() as never },
        datasets: { extent: () => Promise.reject(unreachable) },
      },
      fields: createFieldCatalogue({ datasets: { fields: () => Promise.reject(unreachable) } }),
    },
    createDatasets({} as Api, 'c', tabsAlone()),
    { connection: 'c', dataset: made('logs'), wells: () => [] },
  );
  await actions.load();
  return store.getState();
}

it('the extent of a dataset is canceled alone: the fields still load', async () => {
  const signals = new Map<string, AbortSignal | undefined>();
  const waitFor = (part: string) => (_: unknown, options?: { readonly signal?: AbortSignal }) => {
    signals.set(part, options?.signal);
    return new Promise<never>((_resolve, reject) => {
      options?.signal?.addEventListener('abort', () => reject(new AppError('cancelled', {})));
    });
  };
  const { store, actions } = createDatasetTab(
    {
      api: { catalogue: { dataset: waitFor('definition') }, datasets: { extent: waitFor('extent') } },
      fields: createFieldCatalogue({ datasets: { fields: waitFor('fields') } }),
    },
    createDatasets({} as Api, 'c', tabsAlone()),
    { connection: 'c', dataset: made('logs'), wells: () => [] },
  );
  void actions.load();
  await expect.poll(() => signals.size).toBe(3);
  actions.cancel.extent();
  await expect.poll(() => store.getState().extent.status).toBe('idle');
  expect(store.getState()).toMatchObject({
    definition: { status: 'loading' },
    fields: { status: 'loading' },
  });
  actions.close();
});

describe('the definition of a dataset', () => {
  it('is the service’s', async () => {
    const { dataset, definition, freshness } = await tabOver(...eventsOf('service', single(5)));
    expect(definition).toEqual({ status: 'loaded', value: single(5) });
    expect(dataset.statistics.count).toBe(5);
    expect(freshness).toMatchObject({ isStale: false, isLoading: false, error: null });
  });

  it('is the stored one when offline, with a note', async () => {
    const { dataset, definition, freshness } = await tabOver(...eventsOf('kept', single(4)), unreachable);
    expect(definition.status).toBe('loaded');
    expect(dataset.statistics.count).toBe(4);
    expect(freshness).toEqual({ asOf, isStale: true, isLoading: false, error: unreachable });
  });

  it('is replaced by a newer one when that is complete', async () => {
    const { dataset, freshness } = await tabOver(
      ...eventsOf('kept', single(4)),
      ...eventsOf('service', single(6)),
    );
    expect(dataset.statistics.count).toBe(6);
    expect(freshness.isStale).toBe(false);
  });

  it('is missing when none was stored: the details from the list remain', async () => {
    const { dataset, definition } = await tabOver(unreachable);
    expect(definition).toEqual({ status: 'failed', error: unreachable });
    expect(dataset).toEqual(made('logs'));
  });
});
