import { expect, it } from 'vitest';
import { findLayout } from '../../../../../src/main/core/tables/reading/layout.ts';
import { placesIn } from '../../../../../src/main/core/tables/sources/wits.ts';

// The square of these numbers takes half a minute and more.
const patience = 5000;
const width = 300_000;

it.each([
  ['equal', () => 'a'],
  ['different', (at: number) => `a${at}`],
])(
  'a file with 300,000 columns of %s names is refused at once',
  (_, nameAt) => {
    const cells = (value: (at: number) => string): string[] =>
      Array.from({ length: width }, (_cell, at) => value(at));
    const rows = [nameAt, () => '1', () => '2'].map((value, at) => ({
      cells: cells(value),
      line: at + 1,
      nextLine: at + 2,
      start: 0,
      end: 0,
      next: 0,
      damaged: false,
      isHash: false,
    }));
    const dialect = { delimiter: ',', crEnds: false, comments: false, jsonLines: false };
    const layout = () =>
      findLayout('wits.csv', { name: 'UTF-8', bom: 0 }, dialect, { rows, comments: [] }, {});
    expect(layout).toThrow('it has 300000 columns');
  },
  patience,
);

it(
  'a log of 200,000 curves is paired with their list, in any order',
  () => {
    const curves = Array.from({ length: 200_000 }, (_, at) => `C${at}`);
    expect(placesIn(curves, curves.toReversed()).slice(0, 3)).toEqual([199_999, 199_998, 199_997]);
  },
  patience,
);

it('equal mnemonics are paired in their order, and others have no place', () => {
  expect(placesIn(['A', 'B', 'A'], ['A', 'A', 'A', 'C', 'B'])).toEqual([0, 2, -1, -1, 1]);
});
