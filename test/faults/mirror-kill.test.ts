import { describe, expect, it } from 'vitest';
import { mirrorKillRound } from './mirror-kill-round.ts';

describe('a mirror that is killed at random moments', () => {
  it('has all the files of its manifest after each kill, and in the end those of an undisturbed export', async () => {
    const toll = await mirrorKillRound(11, { updates: 2, hasLate: false });
    expect(toll.kills).toBeGreaterThanOrEqual(1);
    expect(toll).toMatchObject({ torn: 0, isEqual: true });
  }, 180_000);
});
