import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ledgerShares } from '../../../../../src/renderer/features/upload/job/progress.tsx';

const count = fc.nat({ max: 1_000_000 });

describe('the parts of a ledger', () => {
  it('add up to all rows, and their shares to one', () => {
    fc.assert(
      fc.property(count, count, count, count, count, (inserted, skipped, rejected, unknown, pending) => {
        const accepted = inserted + skipped;
        const rows = accepted + rejected + unknown + pending;
        const ledger = { rows, accepted, rejected, unknown, pending, skipped };
        const parts = ledgerShares(ledger);
        expect(parts.reduce((sum, part) => sum + part.rows, 0)).toBe(rows);
        const shares = parts.reduce((sum, { share }) => sum + share, 0);
        expect(shares).toBeCloseTo(rows === 0 ? 0 : 1, 9);
      }),
    );
  });
});
