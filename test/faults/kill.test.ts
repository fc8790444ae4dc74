import { describe, expect, it } from 'vitest';
import { emptyUploadTotals, killRound } from './kill-round.ts';
import { csvForm, foldedForm, lasForm, xlsxForm } from './round-forms.ts';
import { sampleOf } from '../support/sample.ts';

// One round; `npm run soak -- uploads` kills 100 times.
describe('an upload that is killed at random moments, with a failing service', () => {
  const forms = [
    ['CSV', csvForm],
    ['LAS', lasForm],
    ['a workbook', xlsxForm],
    ['rows that are combined into records', foldedForm],
  ] as const;
  it.each(sampleOf(forms, 1))('of %s loses no row and stores none twice', async (_format, form) => {
    const totals = emptyUploadTotals();
    for (let seed = 1; totals.kills < 1 && seed <= 5; seed++) await killRound(seed, totals, form);
    expect(totals).toMatchObject({ lost: 0, twice: 0 });
    expect(totals.kills).toBeGreaterThanOrEqual(1);
    // Only rows that no later record can prove missing may be unknown: single rows at the very end, not batches.
    expect(totals.mostUnknown).toBeLessThan(20);
  });
});
