import { describe, expect, it } from 'vitest';
import { dropIndex } from '../../../../../src/renderer/features/tabs/tab-strip/tab-strip.tsx';

const edges = [
  [0, 100],
  [100, 150],
  [150, 300],
] as const;

describe('a dragged tab', () => {
  it.each([
    [10, 0, 0],
    [120, 0, 0],
    [126, 0, 1],
    [290, 0, 2],
    [60, 2, 1],
    [40, 2, 0],
    [-50, 1, 0],
    [9000, 1, 2],
  ])('at %i, dragged from position %i, is dropped at position %i', (x, dragged, place) => {
    expect(dropIndex(x, dragged, edges)).toBe(place);
  });
});
