import { expect, it } from 'vitest';
import { createStore } from 'zustand/vanilla';
import { createDatasetTab } from '../../../../src/renderer/features/dataset-tab/dataset-tab.ts';
import {
  createFieldCatalogue,
  updateUnits,
  watchUnits,
  type FieldCatalogue,
} from '../../../../src/renderer/features/datasets/field-catalogue.ts';
import type { ErrorCode } from '../../../../src/shared/errors/errors.ts';
import type { DatasetFields } from '../../../../src/shared/contract/catalogue.ts';
import type { Api } from '../../../../src/renderer/api/api.ts';
import { createDatasets } from '../../../../src/renderer/features/datasets/datasets.ts';
import { tabsAlone } from '../tabs/support/note-kind.tsx';
import { valueOr } from '../../../../src/renderer/state/loadable.ts';
import type { DatasetAddress } from '../../../../src/shared/datasets/datasets.ts';
import { made } from './made.ts';
import { nothingKept, withChange, type KeptSettings } from '../../../../src/shared/settings/settings.ts';

const load = (catalogue: FieldCatalogue, address: DatasetAddress) =>
  void catalogue.load({ connection: 'c', address });
const unitsOf = (catalogue: FieldCatalogue, address: DatasetAddress) =>
  valueOr(catalogue.get({ connection: 'c', address }), null)?.units;
const logs = { provider: 'demo', dataset: 'logs' };
const wits = { provider: 'demo', dataset: 'wits' };

/** The fields of two datasets; the application applies what the settings have. */
function setUp({ fails = false, problem }: { fails?: boolean; problem?: ErrorCode } = {}) {
  const settings = createStore<{ stored: KeptSettings }>()(() => ({ stored: nothingKept }));
  const requests: string[] = [];
  const state = { fails, problem };
  const fields = async ({ dataset }: { readonly dataset: string }): Promise<DatasetFields> => {
    requests.push(dataset);
    if (state.fails) throw new Error('offline');
    const own = settings.getState().stored.fieldUnits?.[`demo/${dataset}`]?.['data.cali'];
    const field = {
      path: 'data.cali',
      from: 'sample' as const,
      types: [],
      ...(own === undefined ? {} : { unit: own }),
    };
    const partly = state.problem && { problem: { code: state.problem, message: '', details: {} } };
    return { fields: [field], sampled: 1, of: 'any', scope: null, more: false, ...partly };
  };
  const catalogue = createFieldCatalogue({ datasets: { fields } });
  settings.subscribe(({ stored: now }, { stored: before }) => updateUnits(catalogue, now, before));
  const set = (of: string, unit: string | null) =>
    settings.setState(({ stored }) => ({
      stored: withChange(stored, { fieldUnits: { [of]: { 'data.cali': unit } } }),
    }));
  return { catalogue, settings, requests, state, set };
}

it('requests the units of a dataset once, and again only when its own units are set or removed', async () => {
  const { catalogue, requests, set } = setUp();
  const seen: (string | undefined)[] = [];
  const stop = watchUnits(catalogue, { connection: 'c', address: logs }, (found) =>
    seen.push(found.get('data.cali')),
  );
  load(catalogue, logs);
  load(catalogue, wits);
  await expect.poll(() => seen).toEqual([undefined]);
  set('demo/logs', 'in');
  await expect.poll(() => seen).toEqual([undefined, 'in']);
  expect(requests).toEqual(['logs', 'wits', 'logs']);
  set('demo/other', 'ft');
  set('demo/logs', null);
  await expect.poll(() => seen).toEqual([undefined, 'in', undefined]);
  stop();
  set('demo/logs', 'mm');
  await expect.poll(() => unitsOf(catalogue, logs)?.get('data.cali')).toBe('mm');
  expect(seen).toHaveLength(3);
});

it('has no units after a failure, and tries again for the next view', async () => {
  const { catalogue, requests, state } = setUp({ fails: true });
  load(catalogue, logs);
  await expect.poll(() => requests).toHaveLength(1);
  expect(unitsOf(catalogue, logs)).toBeUndefined();
  state.fails = false;
  await expect
    .poll(() => {
      load(catalogue, logs);
      return requests.length;
    })
    .toBe(2);
});

it.each([
  ['again for the next view after a passing failure', 'too_many_requests', 2],
  ['again for the next view after a failure of the service', 'service_failed', 2],
  ['once if a sample takes too long', 'timed_out', 1],
  ['once if a part is refused', 'forbidden', 1],
] as const)('are requested %s, and shown meanwhile', async (_, problem, times) => {
  const { catalogue, requests } = setUp({ problem });
  const key = { connection: 'c', address: logs };
  await catalogue.load(key);
  expect(unitsOf(catalogue, logs)).toBeDefined();
  await catalogue.load(key);
  expect(requests).toHaveLength(times);
  expect(unitsOf(catalogue, logs)).toBeDefined();
});

it('the list of fields, tables, and completion share a request, and the list has a unit that is set elsewhere', async () => {
  const { catalogue, requests, set } = setUp();
  const tab = createDatasetTab(
    {
      api: {
        catalogue: { dataset: () => Promise.reject(new Error('offline')) },
        datasets: { extent: () => Promise.reject(new Error('offline')) },
      },
      fields: catalogue,
    },
    createDatasets({} as Api, 'c', tabsAlone()),
    { connection: 'c', dataset: made('logs'), wells: () => [] },
  );
  await tab.actions.loadFields();
  load(catalogue, logs);
  void catalogue.load({ connection: 'c', address: logs, wells: { assets: [], companies: [] } });
  expect(requests).toEqual(['logs']);
  const unit = () => {
    const { fields } = tab.store.getState();
    return fields.status === 'loaded' ? fields.value.fields[0]?.unit : fields.status;
  };
  expect(unit()).toBeUndefined();
  set('demo/logs', 'in');
  await expect.poll(unit).toBe('in');
  tab.actions.close();
  set('demo/logs', 'mm');
  await expect.poll(() => requests).toHaveLength(3);
  expect(unit()).toBe('in');
});
