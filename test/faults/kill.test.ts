import { describe, expect, it } from 'vitest';
import { killRound, noToll } from './kill-round.ts';

describe('an upload that is killed at random moments, with a service that fails', () => {
  it('loses no row and stores none twice', async () => {
    const toll = noToll();
    for (let seed = 1; toll.kills < 5 && seed <= 10; seed++) await killRound(seed, toll);
    expect(toll).toMatchObject({ lost: 0, twice: 0 });
    expect(toll.kills).toBeGreaterThanOrEqual(5);
    // Unknown may be what nothing left later than can show to be missing: single rows of the very end, no batches.
    expect(toll.mostUnknown).toBeLessThan(20);
  }, 300_000);
});
