import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { runHistories } from './run.ts';

/** Seeds of the same histories in each run. */
const fixed = [
  { from: 1, count: 250 },
  { from: 251, count: 250 },
] as const;
/** Seeds of mirrors to which it once objected: moved records, and a power loss before the first commit. */
const repaired = [10_100_591, 20_100_913, 21_038_177];
/** New ones for each commit, and the same in each run of it: a failure names its seed. */
const fresh = { from: 1_000_000 + seedOfCommit(), count: 100 };

/** The current commit as a number; 0 outside a repository. */
function seedOfCommit(): number {
  const { stdout, status } = spawnSync('git', ['rev-parse', '--short=7', 'HEAD'], {
    cwd: import.meta.dirname,
    encoding: 'utf8',
  });
  return status === 0 ? Number.parseInt(stdout.slice(0, 7), 16) : 0;
}

describe('the oracle objects to no history', () => {
  it.concurrent.each([
    { of: 'fixed seeds', seeds: fixed[0] },
    { of: 'other fixed seeds', seeds: fixed[1] },
    { of: `seeds of this commit from ${fresh.from}`, seeds: fresh },
    ...repaired.map((from) => ({ of: `the repaired seed ${from}`, seeds: { from, count: 1 } })),
  ])('of $of', { timeout: 600_000 }, async ({ seeds }) => {
    const { failed, histories } = await runHistories(seeds);
    const commands = failed.map(({ seed, objection }) => `npm run simulate -- --seed ${seed}: ${objection}`);
    expect(commands).toEqual([]);
    expect(histories).toBe(seeds.count);
  });
});

describe('a history', () => {
  it('follows from its seed', async () => {
    const seeds = { from: 5000, count: 40 };
    const [once, again] = await Promise.all([runHistories(seeds), runHistories(seeds)]);
    expect(again.digest).toBe(once.digest);
  });

  it.each([
    'a lost answer is taken for a failure',
    'the journal is not flushed',
    'rejected rows are not counted',
    'a job with unknown rows is removed as old',
  ])('shows that %s, if that is planted', { timeout: 120_000 }, async (planted) => {
    const { failed } = await runHistories({ from: 1, count: 300, endsAtFailure: true, planted });
    expect(failed).toHaveLength(1);
  });
});
