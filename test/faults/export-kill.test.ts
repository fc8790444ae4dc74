import { describe, expect, it } from 'vitest';
import { exportKillRound, emptyExportTotals } from './export-kill-round.ts';

// One round; `npm run soak -- exports` kills 50 times.
describe('an export that is killed at random moments, with a failing service', () => {
  it('ends with the bytes of an undisturbed one, and has its name only when it is complete', async () => {
    const totals = emptyExportTotals();
    for (let seed = 0; totals.kills < 1 && seed <= 5; seed++) await exportKillRound(seed, totals);
    expect(totals).toMatchObject({ different: 0, early: 0 });
    expect(totals.kills).toBeGreaterThanOrEqual(1);
  });
});
