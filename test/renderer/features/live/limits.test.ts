import { expect, it } from 'vitest';
import { statementNames } from '../../../../src/shared/channels/plain-names.ts';
import {
  alarmsOf,
  alarmText,
  announcedAlarms,
  limitPassed,
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

it('an alarm says a value that differs from its limit, also if both are small', () => {
  const names = { field: statementNames, unitOf: () => undefined, wellName: () => 'Ridge 1' };
  const small = { 'data.rop': { min: null, max: 0.003 } };
  const [alarm] = alarmsOf([wellWith('1', 0.004)], small);
  if (!alarm) throw new Error('there is no alarm');
  const text = alarmText(alarm, names, {});
  expect([text.includes('0.004'), text.includes('0.003')]).toEqual([true, true]);
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
