import { describe, expect, it } from 'vitest';
import { similarWells } from '../../../../../src/renderer/features/upload/wells/well-views.tsx';
import { wellWith } from '../../../../support/wells.ts';

const wells = ['Ridge A-100H', 'Ridge A-101H', 'Ridge C-100H', 'Badger 1H'].map((name, at) => ({
  ...wellWith(5000 + at),
  name,
}));
const likely = (name: string) => similarWells(wells, name).map((well) => well.name);

describe('suggestions for a misspelled well name', () => {
  it.each([
    ['RIDGE A100H', ['Ridge A-100H']],
    ['ridge_a_0101_h', ['Ridge A-101H']],
    ['Badger #1H', ['Badger 1H']],
  ])('%s: %j', (name, meant) => {
    expect(likely(name)).toEqual(meant);
  });

  it.each(['Ridge A-102H', 'Ridge B-100H', 'Nobody', 'Badger 2H'])(
    '%s: none, because no well has its number or its words',
    (name) => {
      expect(likely(name)).toEqual([]);
    },
  );

  it('isn’t one with the same digits in other numbers', () => {
    expect(similarWells([{ ...wellWith(5010), name: 'Smith 11-2H' }], 'Smith 1-12H')).toEqual([]);
  });
});
