import { describe, expect, it } from 'vitest';
import { askedAfter, mostSingles, NextSteps } from '../../../../src/main/upload/reconcile/next-steps.ts';
import type { Missing, Steps } from '../../../../src/main/upload/reconcile/next-steps.ts';

const rowAt = (place: number): Missing => ({
  place,
  print: { line: place + 2, print: String(place), key: '', values: [], well: '1' },
});
const rows = (records: number): Missing[] => Array.from({ length: records }, (_, place) => rowAt(place));

/** What becomes of so many rows of one part, all of which are missing after a 422. */
const refuse = (steps: NextSteps, records: number, cause = 'row 7 is bad'): Steps =>
  steps.decide(
    { status: 422, cause, part: { batch: 0, first: 0, records }, origin: undefined, error: null },
    rows(records),
  );

/** Splits a part as far as it goes, with every row bad; how many rows went alone, and how many are rejected. */
function splitDown(steps: NextSteps, records: number): { singles: number; rejected: number } {
  const { again, rejected } = refuse(steps, records);
  const found = again.map(({ places }) => splitDown(steps, places.length));
  const singles = again.filter(({ places }) => places.length === 1).length;
  return {
    singles: singles + found.reduce((sum, one) => sum + one.singles, 0),
    rejected: rejected.length + found.reduce((sum, one) => sum + one.rejected, 0),
  };
}

describe('refused rows', () => {
  it('stand alone in the end, but no more than a hundred of them: then small groups are refused', () => {
    const steps = new NextSteps();
    const { singles, rejected } = splitDown(steps, 1000);
    expect(rejected).toBe(1000);
    expect(singles).toBeGreaterThanOrEqual(mostSingles);
    expect(singles).toBeLessThan(mostSingles + 3);
    expect(refuse(steps, 9).rejected[0]?.message).toContain('one of 9 rows that were sent together');
    expect(refuse(steps, 40).again).toHaveLength(2);
  });

  it('are asked about once when twenty stood alone for one reason, whatever its numbers', () => {
    const steps = new NextSteps();
    for (let n = 1; n < askedAfter; n++) refuse(steps, 1, `row ${n} is bad`);
    refuse(steps, 1, 'no permission for this');
    expect(steps.takeQuestion()).toBeNull();
    refuse(steps, 1, 'row 20 is bad');
    expect(steps.takeQuestion()).toEqual({ kind: 'many_refused', rows: 20, reason: 'row 20 is bad' });
    for (let n = 0; n < 50; n++) refuse(steps, 1, `row ${n} is bad`);
    expect(steps.takeQuestion()).toBeNull();
  });
});
