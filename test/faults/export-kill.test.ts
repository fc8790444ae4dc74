import { describe, expect, it } from 'vitest';
import { exportKillRound, emptyExportToll } from './export-kill-round.ts';

// One round; `npm run soak -- exports` kills 50 times.
describe('an export that is killed at random moments, with a failing service', () => {
  it('ends with the bytes of an undisturbed one, and has its name only when it is complete', async () => {
    const toll = emptyExportToll();
    for (let seed = 0; toll.kills < 1 && seed <= 5; seed++) await exportKillRound(seed, toll);
    expect(toll).toMatchObject({ different: 0, early: 0 });
    expect(toll.kills).toBeGreaterThanOrEqual(1);
  });
});
