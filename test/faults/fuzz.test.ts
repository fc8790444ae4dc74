import { describe, expect, it } from 'vitest';
import { entries } from './fuzz/calls.ts';
import { runFuzz } from './fuzz/run.ts';

describe('2,000 random, mutated and hostile calls of the whole contract, and hostile frames', () => {
  it('crash nothing, touch nothing outside, and are answered by a value or an error of the closed union', async () => {
    const report = await runFuzz(2000, 1);
    expect(report.problems).toEqual([]);
    expect(report.calls).toBe(2000);
    // Were nearly all of them refused at the gate, what stands behind it would not have been tried.
    expect(report.outcomes['value']).toBeGreaterThan(400);
    expect(report.neverAnswered.length).toBeLessThan(entries.length / 3);
    expect(Object.keys(report.codes).length).toBeGreaterThan(5);
  }, 300_000);
});
