import { describe, expect, it } from 'vitest';
import { platformWellId } from '../../../../src/shared/wells/wells.ts';
import { mergePicks } from '../../../../src/renderer/features/wells/picker-bar.tsx';
import { wellOf } from '../../../support/wells.ts';

const id = (value: number) => platformWellId.parse(value);
// The asset id of one is the platform's id of the other.
const [a, twin, other] = [wellOf(1, 'A 1', 2), wellOf(2, 'A 1', 12), wellOf(3, 'B', null)];
const resolved = [
  { name: 'a 1', wells: [a, twin] },
  { name: '42', wells: [a] },
  { name: 'B', wells: [other] },
  { name: 'nowhere', wells: [] },
];

describe('a pasted list', () => {
  it('skips names with several wells until the user selects one', () => {
    const settled = mergePicks(resolved.slice(0, 1), new Map());
    expect(settled.wells).toEqual([]);
    expect(settled.ambiguous.map(({ name }) => name)).toEqual(['a 1']);
  });

  it('uses the selected one, by the platform’s id, and still lists the alternatives', () => {
    const settled = mergePicks(resolved.slice(0, 1), new Map([['a 1', id(2)]]));
    expect(settled.wells).toEqual([twin]);
    expect(settled.ambiguous).toHaveLength(1);
  });

  it('has each well once, and distinguishes wells not found from wells without an asset id', () => {
    const settled = mergePicks(resolved, new Map([['a 1', id(1)]]));
    expect(settled).toMatchObject({ all: 4, wells: [a], notFound: ['nowhere'], withoutAsset: [other] });
  });
});
