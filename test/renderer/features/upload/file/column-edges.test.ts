import { describe, expect, it } from 'vitest';
import {
  addEdge,
  addEdgeAfter,
  edgeBounds,
  moveEdge,
  removeEdge,
} from '../../../../../src/renderer/features/upload/file/file-preview.tsx';

describe('edges of columns', () => {
  it('stay between their neighbors', () => {
    expect(moveEdge([4, 8, 12], 1, 10)).toEqual([4, 10, 12]);
    expect(moveEdge([4, 8, 12], 1, 20)).toEqual([4, 11, 12]);
    expect(moveEdge([4, 8, 12], 0, -3)).toEqual([1, 8, 12]);
    expect(edgeBounds([4, 8], 1)).toMatchObject({ min: 5 });
  });

  it('are added once at a position, in order', () => {
    expect(addEdge([4, 12], 8)).toEqual([4, 8, 12]);
    expect(addEdge([4, 12], 4)).toEqual([4, 12]);
    expect(addEdge([4], 0)).toEqual([4]);
    expect(addEdgeAfter([4, 12], 0)).toEqual([4, 8, 12]);
    expect(addEdgeAfter([4, 5], 0)).toEqual([4, 5]);
    expect(addEdgeAfter([4], 0)).toEqual([4, 12]);
    expect(addEdgeAfter([], -1)).toEqual([8]);
  });

  it('can be removed except for the last one', () => {
    expect(removeEdge([4, 8], 0)).toEqual([8]);
    expect(removeEdge([8], 0)).toEqual([8]);
  });
});
