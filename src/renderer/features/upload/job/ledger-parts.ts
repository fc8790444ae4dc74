import type { Ledger } from '../../../../shared/upload/upload.ts';

export const ledgerParts = ['accepted', 'rejected', 'unknown', 'pending'] as const;
export type LedgerPart = (typeof ledgerParts)[number];

/** How far the job is: a line of the books means another thing while it is sent than when it is over. */
export type LedgerPhase = 'sending' | 'stopped' | 'over';

/** A part of the rows with its share, from 0 to 1. */
export interface PartOfRows {
  readonly part: LedgerPart;
  readonly rows: number;
  readonly share: number;
}

/** The parts that the rows of a file fall into, those without rows too. Together they are all rows. */
export function partsOf(ledger: Ledger): PartOfRows[] {
  return ledgerParts.map((part) => ({
    part,
    rows: ledger[part],
    share: ledger.rows === 0 ? 0 : ledger[part] / ledger.rows,
  }));
}
