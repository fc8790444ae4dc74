import { statementNames } from '../../../../src/shared/channels/plain-names.ts';
import { expect, it } from 'vitest';
import type { DatasetField } from '../../../../src/shared/datasets/fields.ts';
import { createStore } from 'zustand/vanilla';
import type { Session } from '../../../../src/renderer/contexts.ts';
import { createFieldCatalogue } from '../../../../src/renderer/features/datasets/field-catalogue.ts';
import { idle } from '../../../../src/renderer/state/loadable.ts';
import {
  alarmText,
  alarmTexts,
  alarmsOf,
  announcedAlarms,
  limitPassed,
  notifyOfLimits,
} from '../../../../src/renderer/features/live/limits.ts';

const limits = { 'data.rop': { min: 10, max: 200 } };
const wellWith = (well: string, value: number) => ({
  well,
  at: null,
  state: null,
  values: [
    { field: 'data.rop', value, at: 9, isOld: false },
    { field: 'data.wob', value: 999, at: 9, isOld: false },
  ],
});

it('a value is beyond its limits above or below them, not at them', () => {
  const side = (value: number) => limitPassed(limits['data.rop'], value);
  expect([side(10), side(200), side(9.9), side(200.1)]).toEqual([
    null,
    null,
    { side: 'below', limit: 10 },
    { side: 'above', limit: 200 },
  ]);
  expect(limitPassed({ min: null, max: 5 }, -1e9)).toBeNull();
  expect(limitPassed(undefined, 1e9)).toBeNull();
});

it('an alarm is announced once while it lasts, and again after it ended, while another one lasts', () => {
  const high = {
    well: '1',
    field: 'data.rop',
    side: 'above',
    value: 250,
    limit: 200,
    at: 9,
    isOver: false,
  } as const;
  const low = {
    well: '2',
    field: 'data.rop',
    side: 'below',
    value: 5,
    limit: 10,
    at: 9,
    isOver: false,
  } as const;
  const first = alarmsOf([wellWith('1', 250), wellWith('2', 50)], limits);
  expect(first).toEqual([high]);
  expect(announcedAlarms([], [], first)).toEqual({ added: [high], all: [high] });
  const both = alarmsOf([wellWith('1', 260), wellWith('2', 5)], limits);
  expect(announcedAlarms([high], first, both)).toEqual({ added: [low], all: [low] });
  expect(announcedAlarms([low], both, both)).toEqual({ added: [], all: [low] });
  // The second one ends, so that its announcement is a change when it comes again.
  expect(announcedAlarms([low], both, first)).toEqual({ added: [], all: [] });
  expect(announcedAlarms([], first, both)).toEqual({ added: [low], all: [low] });
});

it('an alarm lasts as long as its value is the last one, however old it is', () => {
  const silent = { ...wellWith('1', 250), at: 1000 };
  const values = silent.values.map((value) => ({ ...value, isOld: true }));
  expect(alarmsOf([{ ...silent, values }], limits)).toEqual([
    { well: '1', field: 'data.rop', side: 'above', value: 250, limit: 200, at: 9, isOver: false },
  ]);
});

it('an alarm has the decimals of its channel: a rate in meters per second isn’t 0', () => {
  const alarm = { well: '1', field: 'rop', side: 'below', at: null, isOver: false } as const;
  const names = {
    field: statementNames,
    unitOf: () => 'm/s',
    wellName: () => undefined,
  };
  const text = alarmText({ ...alarm, value: 0.00127, limit: 0.0013 }, names, {});
  expect(text).toContain('0.00127 m/s');
  expect(text).toContain('0.0013 m/s');
});

it('a notification says how many alarms it leaves out', () => {
  const names = { field: statementNames, unitOf: () => undefined, wellName: () => undefined };
  const alarms = Array.from({ length: 8 }, (_, at) => {
    const [alarm] = alarmsOf([wellWith(String(at), 250)], limits);
    if (!alarm) throw new Error('the value is within its limits');
    return alarm;
  });
  expect(alarmTexts(alarms.slice(0, 5), names, {}).split('\n')).toHaveLength(5);
  const lines = alarmTexts(alarms, names, {}).split('\n');
  expect(lines).toHaveLength(6);
  expect(lines.at(-1)).toContain('3');
});

it('the notification of a view that was never shown has units, read once, unless the session has ended', async () => {
  const bodies: string[] = [];
  const requests: string[] = [];
  const stop = new AbortController();
  const field: DatasetField = { path: 'data.rop', from: 'definition', types: [], unit: 'ft/h' };
  const problem = { code: 'too_many_requests', message: '', details: {} } as const;
  const rest = { sampled: 1, of: 'any', scope: null, more: false, problem } as const;
  const fields = async ({ dataset }: { readonly dataset: string }) => {
    requests.push(dataset);
    return { fields: [field], ...rest };
  };
  const session = {
    connection: 'c',
    signal: stop.signal,
    wells: { store: createStore(() => ({ list: idle })) },
    app: {
      settings: { store: createStore(() => ({ values: { units: 'metric', names: 'fields' }, stored: {} })) },
      fields: createFieldCatalogue({ datasets: { fields } }),
      api: { workspace: { notify: async ({ body }: { body: string }) => void bodies.push(body) } },
    },
  };
  const alarms = alarmsOf([wellWith('1', 250)], limits);
  const notify = (dataset: string) =>
    notifyOfLimits(session as unknown as Session, { provider: 'p', dataset }, alarms, false);
  await notify('d');
  await notify('d');
  expect(bodies).toEqual([expect.stringContaining('m/h'), expect.stringContaining('m/h')]);
  expect(requests).toEqual(['d']);
  const waiting = notify('e');
  stop.abort();
  await waiting;
  expect(bodies).toHaveLength(2);
});
