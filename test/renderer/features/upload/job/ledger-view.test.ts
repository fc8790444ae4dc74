import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canSendRest } from '../../../../../src/renderer/features/upload/job/ledger-step.tsx';
import { ledgerCounts, ledgerParts } from '../../../../../src/renderer/features/upload/job/progress.tsx';
import { AppError } from '../../../../../src/shared/errors/errors.ts';

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

it.each([
  [true, 'failed', null],
  [true, 'failed', new AppError('disk_full', { file: 'rig.csv', writtenBytes: 0 })],
  [false, 'failed', new AppError('file_changed', { file: 'rig.csv' })],
  [
    false,
    'failed',
    new AppError('upload_repeated', { file: 'rig.csv', job: 'upload-0001', isRunning: false }),
  ],
  [true, 'interrupted', null],
  [false, 'done', null],
] as const)('Resume sends the rest: %s, of an upload that is %s', (canSend, state, error) => {
  expect(canSendRest({ state, error: error?.toBody() ?? null })).toBe(canSend);
});
