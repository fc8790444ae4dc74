import { expect, it } from 'vitest';
import { isLength, lengthOf } from '../../../src/shared/quality/quality.ts';

it.each([
  ['1s', 'time', null, 1000],
  ['30', 'time', null, 30_000],
  ['2H', 'time', null, 7_200_000],
  ['1m', 'time', null, 60_000],
  ['0.5ft', 'depth', 'ft', 0.5],
  ['0.5ft', 'depth', 'm', 0.1524],
  ['0.5ft', 'depth', 'METERS', 0.1524],
  ['1m', 'depth', 'F', 3.28083989501312],
  ['1m', 'depth', 'feet', 3.28083989501312],
  ['1m', 'depth', null, 1],
  ['0.5', 'depth', 'F', 0.5],
  ['5', 'number', null, 5],
] as const)('%s of an index of kind %s in %s is %d', (text, kind, unit, length) => {
  expect(isLength(text)).toBe(true);
  expect(lengthOf(text, kind, unit)).toBeCloseTo(length, 12);
});

it.each([
  ['1ft', 'time', null],
  ['1s', 'depth', 'ft'],
  ['1m', 'depth', 'psi'],
  ['1m', 'number', null],
  ['0s', 'time', null],
] as const)('%s is no length of an index of kind %s in %s', (text, kind, unit) => {
  expect(lengthOf(text, kind, unit)).toBeNull();
});
