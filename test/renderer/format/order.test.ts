import { expect, it } from 'vitest';
import { compareNames } from '../../../src/renderer/format/order.ts';

it('names are ordered naturally: digits as numbers, ignoring case and accents', () => {
  const names = ['Well 10', 'well 9', 'Élan 2', 'elan 1'];
  expect(names.toSorted(compareNames)).toEqual(['elan 1', 'Élan 2', 'well 9', 'Well 10']);
  expect(compareNames('Álamo', 'alamo')).toBe(0);
});
