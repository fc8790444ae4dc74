import { expect, it } from 'vitest';
import { alarmsOf, limitSide, newAlarms } from '../../../../src/renderer/features/live/limits.ts';

const limits = { 'data.rop': { min: 10, max: 200 } };
const wellWith = (well: string, value: number) => ({
  well,
  at: null,
  state: null,
  values: [
    { field: 'data.rop', value, behind: 0 },
    { field: 'data.wob', value: 999, behind: 0 },
  ],
});

it('a value is beyond its limits above or below them, not at them', () => {
  const side = (value: number) => limitSide(limits['data.rop'], value);
  expect([side(10), side(200), side(9.9), side(200.1)]).toEqual([null, null, 'below', 'above']);
  expect(limitSide({ min: null, max: 5 }, -1e9)).toBeNull();
  expect(limitSide(undefined, 1e9)).toBeNull();
});

it('each well and channel is announced once, until its value was within the limits again', () => {
  const first = alarmsOf([wellWith('1', 250), wellWith('2', 50)], limits);
  expect(first).toEqual([{ well: '1', field: 'data.rop', side: 'above' }]);
  const second = alarmsOf([wellWith('1', 260), wellWith('2', 5)], limits);
  expect(newAlarms(first, second)).toEqual([{ well: '2', field: 'data.rop', side: 'below' }]);
  const third = alarmsOf([wellWith('1', 100), wellWith('2', 5)], limits);
  expect(newAlarms(second, third)).toEqual([]);
  expect(newAlarms(third, second)).toEqual([{ well: '1', field: 'data.rop', side: 'above' }]);
});
