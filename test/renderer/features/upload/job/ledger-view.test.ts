import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ledgerCounts, ledgerParts } from '../../../../../src/renderer/features/upload/job/progress.tsx';

const count = fc.nat({ max: 1_000_000 });

describe('the parts of a ledger', () => {
  it('add up to all rows', () => {
    fc.assert(
      fc.property(count, count, count, count, count, (inserted, skipped, rejected, unknown, pending) => {
        const accepted = inserted + skipped;
        const rows = accepted + rejected + unknown + pending;
        const ledger = { rows, accepted, rejected, unknown, pending, skipped };
        const counts = ledgerCounts(ledger);
        const parts = ledgerParts.map((part) => counts[part]);
        expect(parts.reduce((sum, part) => sum + part, 0)).toBe(rows);
      }),
    );
  });
});
