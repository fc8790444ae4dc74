import { describe, expect, it } from 'vitest';
import { mirrorKillRound } from './mirror-kill-round.ts';

// One dataset that doesn't change; `npm run soak -- mirrors` and the simulator change it between updates.
describe('a mirror that is killed at random moments', () => {
  it('has all the files of its manifest after each kill, and in the end those of an undisturbed export', async () => {
    const totals = await mirrorKillRound(11, { updates: 2, hasChanges: false });
    expect(totals.kills).toBeGreaterThanOrEqual(1);
    expect(totals).toMatchObject({ tornCount: 0, isEqual: true });
  }, 180_000);
});
