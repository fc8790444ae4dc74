import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createTicks } from '../../../src/renderer/state/use-now.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it('one clock updates all relative times, and stops with the last of them', () => {
  let now = 90_500;
  const ticks = createTicks(() => now);
  const seen: string[] = [];
  const stopFirst = ticks.subscribe(() => seen.push('first'));
  const stopSecond = ticks.subscribe(() => seen.push('second'));
  expect([ticks.at(60_000), ticks.at(1000), vi.getTimerCount()]).toEqual([60_000, 90_000, 1]);
  now += 40_000;
  vi.advanceTimersByTime(1000);
  expect([seen, ticks.at(60_000)]).toEqual([['first', 'second'], 120_000]);
  stopFirst();
  vi.advanceTimersByTime(1000);
  expect(seen).toEqual(['first', 'second', 'second']);
  stopSecond();
  expect(vi.getTimerCount()).toBe(0);
});
