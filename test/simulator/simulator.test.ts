import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { lawRuns } from '../support/sample.ts';
import { runHistories } from './run.ts';

/** Seeds of the same histories in each run. */
const fixed = [
  { from: 1, count: lawRuns(125) },
  { from: 1 + lawRuns(125), count: lawRuns(125) },
] as const;
/**
 * Seeds to which it once objected: of mirrors, moved records and a power loss before the first commit; of uploads, a rejects
 * file that three power losses made another's, and one of rows that were stored since.
 */
const repaired = [10_100_591, 20_100_913, 21_038_177, 50_058_113, 50_073_889];
/** The first ones to which it objects for a fault that no seed up to 250 shows: of `planted.ts`, one for each. */
const telling = [259, 351, 415, 474];
/** New ones for each commit, and the same in each run of it: a failure names its seed. */
const fresh = { from: 1_000_000 + seedOfCommit(), count: lawRuns(50) };

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
    {
      of: 'repaired and telling seeds',
      seeds: { seeds: [...repaired, ...telling], count: repaired.length + telling.length },
    },
  ])('of $of', { timeout: 600_000 }, async ({ seeds }) => {
    const { failed, histories } = await runHistories(seeds);
    const commands = failed.map(({ seed, objection }) => `npm run simulate -- --seed ${seed}: ${objection}`);
    expect(commands).toEqual([]);
    expect(histories).toBe(seeds.count);
  });
});

describe('a history', () => {
  it('follows from its seed', async () => {
    const seeds = { from: 5000, count: 20 };
    const [once, again] = await Promise.all([runHistories(seeds), runHistories(seeds)]);
    expect(again.digest).toBe(once.digest);
  });

  it.each([
    ['a lost answer is taken for a failure', 1],
    ['the journal is not flushed', 1],
    ['rejected rows are not counted', 1],
    ['a job with unknown rows is removed as old', 250],
  ])('shows that %s, if that is planted', { timeout: 120_000 }, async (planted, from) => {
    const { failed } = await runHistories({ from, count: 300, endsAtFailure: true, planted });
    expect(failed).toHaveLength(1);
  });
});
