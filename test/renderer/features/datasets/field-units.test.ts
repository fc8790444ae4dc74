import { expect, it } from 'vitest';
import { createStore } from 'zustand/vanilla';
import { createFieldUnits } from '../../../../src/renderer/features/datasets/field-units.ts';
import type { DatasetFields } from '../../../../src/shared/datasets/datasets.ts';
import { nothingKept, withChange, type KeptSettings } from '../../../../src/shared/settings/settings.ts';

const logs = { provider: 'demo', dataset: 'logs' };
const wits = { provider: 'demo', dataset: 'wits' };

/** The units of two datasets; the application applies what the settings have. */
function setUp({ fails = false } = {}) {
  const settings = createStore<{ stored: KeptSettings }>()(() => ({ stored: nothingKept }));
  const requests: string[] = [];
  const state = { fails };
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
    return { fields: [field], sampled: 1, of: 'any', scope: null, more: false };
  };
  const units = createFieldUnits({ datasets: { fields } }, settings);
  const set = (of: string, unit: string | null) =>
    settings.setState(({ stored }) => ({
      stored: withChange(stored, { fieldUnits: { [of]: { 'data.cali': unit } } }),
    }));
  return { units, settings, requests, state, set };
}

it('requests the units of a dataset once, and again only when its own units are set or removed', async () => {
  const { units, requests, set } = setUp();
  const seen: (string | undefined)[] = [];
  const stop = units.actions.watch('c', logs, (found) => seen.push(found.get('data.cali')));
  units.actions.load('c', logs);
  units.actions.load('c', wits);
  await expect.poll(() => seen).toEqual([undefined]);
  set('demo/logs', 'in');
  await expect.poll(() => seen).toEqual([undefined, 'in']);
  expect(requests).toEqual(['logs', 'wits', 'logs']);
  set('demo/other', 'ft');
  set('demo/logs', null);
  await expect.poll(() => seen).toEqual([undefined, 'in', undefined]);
  stop();
  set('demo/logs', 'mm');
  await expect.poll(() => units.actions.of(units.store.getState(), 'c', logs).get('data.cali')).toBe('mm');
  expect(seen).toHaveLength(3);
});

it('has no units after a failure, and tries again for the next view', async () => {
  const { units, requests, state } = setUp({ fails: true });
  units.actions.load('c', logs);
  await expect.poll(() => requests).toHaveLength(1);
  expect(units.actions.of(units.store.getState(), 'c', logs).size).toBe(0);
  state.fails = false;
  await expect
    .poll(() => {
      units.actions.load('c', logs);
      return requests.length;
    })
    .toBe(2);
});
