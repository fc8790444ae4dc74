import { describe, expect, it } from 'vitest';
import { AppError } from '../../../../../src/shared/errors/errors.ts';
import {
  questionAfter,
  maxSingles,
  MissingPolicy,
  type MissingRow,
  type NextSteps,
} from '../../../../../src/main/features/upload/sending/reconcile.ts';

const rowAt = (place: number): MissingRow => ({
  place,
  row: { line: place + 2, fingerprint: String(place), key: '', values: [], well: '1' },
});
const rows = (records: number): MissingRow[] => Array.from({ length: records }, (_, place) => rowAt(place));

/** The decision for this many rows of one part, all of which are missing after a 422. */
const refuse = (policy: MissingPolicy, records: number, cause = 'row 7 is bad'): NextSteps =>
  policy.decide({
    status: 422,
    cause,
    part: { batch: 0, first: 0, records },
    rows: rows(records),
    losses: 1,
    error: null,
  });

/** Splits a part as far as possible, with every row invalid; counts the rows sent alone and the rejected rows. */
function splitDown(policy: MissingPolicy, records: number): { singles: number; rejected: number } {
  const { again, rejected } = refuse(policy, records);
  const found = again.map((places) => splitDown(policy, places.length));
  const singles = again.filter((places) => places.length === 1).length;
  return {
    singles: singles + found.reduce((sum, one) => sum + one.singles, 0),
    rejected: rejected.length + found.reduce((sum, one) => sum + one.rejected, 0),
  };
}

describe('rejected rows', () => {
  it('are each sent alone in the end, up to a hundred of them; after that, small groups are rejected', () => {
    const policy = new MissingPolicy();
    const { singles, rejected } = splitDown(policy, 1000);
    expect(rejected).toBe(1000);
    expect(singles).toBeGreaterThanOrEqual(maxSingles);
    expect(singles).toBeLessThan(maxSingles + 3);
    expect(refuse(policy, 9).rejected[0]?.message).toContain('one of 9 rows that were sent together');
    expect(refuse(policy, 40).again).toHaveLength(2);
  });

  it('prompt the user after twenty single rows with the same reason, ignoring numbers in it', () => {
    const policy = new MissingPolicy();
    for (let n = 1; n < questionAfter; n++) refuse(policy, 1, `row ${n} is bad`);
    refuse(policy, 1, 'no permission for this');
    expect(policy.takeQuestion()).toBeNull();
    refuse(policy, 1, 'row 20 is bad');
    expect(policy.takeQuestion()).toEqual({ kind: 'many_refused', rows: 20, reason: 'row 20 is bad' });
    for (let n = 0; n < 50; n++) refuse(policy, 1, `row ${n} is bad`);
    expect(policy.takeQuestion()).toBeNull();
  });
});

describe('missing rows', () => {
  const missing = {
    status: 403,
    cause: 'no answer says which',
    part: { batch: 0, first: 0, records: 2 },
    rows: rows(2),
    losses: 1,
    error: null,
  };

  it('of one well that an earlier run had no permission for are sent once more; then they are rejected', () => {
    const { again, stop } = new MissingPolicy().decide(missing);
    expect(stop).toBeNull();
    expect(again).toEqual([[0, 1]]);
    const error = new AppError('cancelled', {});
    const steps = new MissingPolicy().decide({ ...missing, error });
    expect(steps).toMatchObject({ again: [], stop: null });
    expect(steps.rejected.map(({ at }) => at)).toEqual([0, 1]);
  });

  it('that were sent five times in vain stop the job, also if each answer was a 200', () => {
    const inVain = { ...missing, status: 200, losses: 6 };
    const { again, stop } = new MissingPolicy().decide(inVain);
    expect(again).toEqual([]);
    expect(stop).toMatchObject({ code: 'bad_answer', details: { problem: missing.cause } });
  });
});
