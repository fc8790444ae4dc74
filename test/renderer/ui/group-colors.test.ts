import { expect, it } from 'vitest';
import { groupColors, wellColor } from '../../../src/renderer/ui/well-dot.tsx';

it('wells keep their color in each plot, whatever the other wells are', () => {
  expect(groupColors(['5003', '5001'], 8)).toEqual([wellColor(5003), wellColor(5001)]);
  expect(groupColors(['5001', '5002'], 8)).toEqual([wellColor(5001), wellColor(5002)]);
});

it('groups whose colors would be the same get different ones', () => {
  expect(groupColors(['5001', '5009'], 8)).toEqual([0, 1]);
  expect(groupColors(['5001', '5001'], 8)).toEqual([0, 1]);
  expect(groupColors(['run 1', 'run 2'], 8)).toEqual([0, 1]);
  expect(groupColors(['', '5001'], 8)).toEqual([0, 1]);
});
