import { describe, expect, it } from 'vitest';
import { entries } from './fuzz/calls.ts';
import { runFuzz } from './fuzz/run.ts';

// `npm run soak -- fuzz` sends 50,000.
describe('400 random, mutated, and hostile calls of the whole contract, and hostile frames', () => {
  it('crash nothing, access nothing outside, and get a value or an error of the closed union', async () => {
    const report = await runFuzz(400, 1);
    expect(report.problems).toEqual([]);
    expect(report.calls).toBe(400);
    // If inputs were nearly always invalid, the handlers would not be tested. Calls that the caller ended are counted too:
    // on a loaded machine they would have returned a value.
    const { value = 0, stopped = 0 } = report.outcomes;
    expect(value + stopped).toBeGreaterThan(100);
    expect(report.unanswered.length).toBeLessThan((entries.length * 2) / 3);
    expect(Object.keys(report.codes).length).toBeGreaterThan(5);
  });
});
