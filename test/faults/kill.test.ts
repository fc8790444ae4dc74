import { describe, expect, it } from 'vitest';
import { killRound, noToll } from './kill-round.ts';
import { csvForm, foldedForm, lasForm, xlsxForm } from './round-forms.ts';

// One round; `npm run soak -- uploads` kills 100 times.
describe('an upload that is killed at random moments, with a service that fails', () => {
  it.each([
    ['CSV', csvForm],
    ['LAS', lasForm],
    ['a workbook', xlsxForm],
    ['rows that are combined into records', foldedForm],
  ])('of %s loses no row and stores none twice', async (_format, form) => {
    const toll = noToll();
    for (let seed = 1; toll.kills < 1 && seed <= 5; seed++) await killRound(seed, toll, form);
    expect(toll).toMatchObject({ lost: 0, twice: 0 });
    expect(toll.kills).toBeGreaterThanOrEqual(1);
    // Unknown may be what nothing left later than can show to be missing: single rows of the very end, no batches.
    expect(toll.mostUnknown).toBeLessThan(20);
  });
});
