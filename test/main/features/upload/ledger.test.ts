import { describe, expect, it } from 'vitest';
import type { BatchEntry, UploadEntry } from '../../../../src/main/features/upload/ledger.ts';
import { packIds } from '../../../../src/main/core/records/id-runs.ts';
import { UploadLedger } from '../../../../src/main/features/upload/ledger.ts';

const batch = (number: number, rows = 10, records = rows): BatchEntry => ({
  kind: 'batch',
  batch: number,
  row: number * 10,
  rows,
  from: number * 100,
  to: number * 100 + 100,
  line: number * 10 + 2,
  nextLine: number * 10 + 12,
  records,
  sha256: '',
  problems:
    records < rows
      ? [{ column: 'a', code: 'not_a_number', message: 'm', count: rows - records, lines: [number * 10 + 2] }]
      : [],
  ambiguousTimes: 0,
  skipped: [],
  differs: 0,
});
const part = (number: number, first = 0, records = 10) => ({ batch: number, first, records });
const sent = (number: number): UploadEntry => ({ kind: 'sent', ...part(number), sha256: '' });

function ledgerOf(...entries: UploadEntry[]): UploadLedger {
  const ledger = new UploadLedger(40, { byte: 0, line: 2 });
  for (const entry of entries) ledger.apply(entry);
  return ledger;
}

describe('the ledger of an upload', () => {
  it('has each row in exactly one state', () => {
    const ledger = ledgerOf(
      batch(0),
      { kind: 'sent', ...part(0), sha256: '' },
      { kind: 'acked', ...part(0), ids: [], rejected: [{ at: 3, line: 5, code: 'refused', message: 'm' }] },
      batch(1, 10, 8),
      { kind: 'sent', ...part(1, 0, 8), sha256: '' },
      { kind: 'unknown', ...part(1, 0, 8), status: 500, cause: 'c' },
      batch(2),
      { kind: 'sent', ...part(2), sha256: '' },
    );
    expect(ledger.read()).toEqual({
      rows: 40,
      accepted: 9,
      rejected: 3,
      unknown: 8,
      pending: 20,
      skipped: 0,
    });
    expect(ledger.unansweredParts).toEqual([part(2)]);
    expect(ledger.frontier).toEqual({ byte: 300, line: 32, row: 30, batch: 3 });
    expect(ledger.problems.map(({ code, count }) => [code, count])).toEqual([
      ['not_a_number', 2],
      ['refused', 1],
    ]);
  });

  it('of a dry run stores counts, not batches: it has the same size for any file', () => {
    const ledger = new UploadLedger(40, { byte: 0, line: 2 }, false);
    for (const entry of [batch(0), batch(1, 10, 8)]) ledger.apply(entry);
    expect(ledger.read()).toMatchObject({ rows: 40, accepted: 0, rejected: 2, unknown: 0, pending: 38 });
    expect([...ledger.prepared, ledger.missing]).toEqual([null]);
  });

  it('contains the resent records, part by part', () => {
    const ledger = ledgerOf(
      batch(0),
      { kind: 'sent', ...part(0), sha256: '' },
      { kind: 'returned', ...part(0), reason: '413' },
      { kind: 'sent', ...part(0, 0, 5), sha256: '' },
      { kind: 'acked', ...part(0, 0, 5), ids: [], rejected: [] },
    );
    expect(ledger.prepared.map(({ part: { first, records }, limit }) => [first, records, limit])).toEqual([
      [5, 5, 5],
    ]);
    expect(ledger.read()).toMatchObject({ accepted: 5, pending: 35 });
  });

  it('offers no rows that a request has, until it returns them', () => {
    const ledger = ledgerOf(batch(0), batch(1));
    const offered = () =>
      ledger.prepared.map(({ part: { batch: number, first, records } }) => [number, first, records]);
    ledger.take(part(0, 0, 4));
    expect(offered()).toEqual([
      [0, 4, 6],
      [1, 0, 10],
    ]);
    ledger.release(part(0, 0, 4));
    expect(offered()).toEqual([
      [0, 0, 10],
      [1, 0, 10],
    ]);
  });

  it.each<[string, UploadEntry[]]>([
    ['a batch out of order', [batch(1)]],
    ['a response for a batch that was never read', [{ kind: 'acked', ...part(0), ids: [], rejected: [] }]],
    [
      'a response to a part that was not sent',
      [batch(0), { kind: 'acked', ...part(0), ids: [], rejected: [] }],
    ],
    [
      'a second response',
      [
        batch(0),
        sent(0),
        { kind: 'acked', ...part(0, 0, 5), ids: [], rejected: [] },
        { kind: 'acked', ...part(0, 0, 5), ids: [], rejected: [] },
      ],
    ],
    [
      'resending a stored part',
      [batch(0), sent(0), { kind: 'acked', ...part(0, 0, 5), ids: [], rejected: [] }, sent(0)],
    ],
    ['a record that the batch doesn’t have', [batch(0), { kind: 'sent', ...part(0, 8, 3), sha256: '' }]],
    [
      'a record that was not sent',
      [
        batch(0),
        sent(0),
        { kind: 'acked', ...part(0, 0, 5), ids: [], rejected: [{ at: 7, line: 1, code: 'c', message: 'm' }] },
      ],
    ],
    [
      'a record rejected twice',
      [
        batch(0),
        sent(0),
        {
          kind: 'acked',
          ...part(0),
          ids: [],
          rejected: [1, 1].map((at) => ({ at, line: 1, code: 'c', message: 'm' })),
        },
      ],
    ],
    [
      'settling a part that was not lost',
      [
        batch(0),
        sent(0),
        { kind: 'settled', ...part(0), stored: [1], ids: packIds(['a']), missing: [], rejected: [] },
      ],
    ],
  ])('rejects %s', (_what, entries) => {
    expect(() => ledgerOf(...entries)).toThrow(expect.objectContaining({ code: 'internal' }));
  });

  it('counts a part as acknowledged once the ids in its response are found: later reads are fresh if they include them', () => {
    const unknown = { status: 200, cause: 'c' };
    const ledger = ledgerOf(
      batch(0),
      { kind: 'sent', ...part(0), sha256: '' },
      {
        kind: 'unknown',
        ...part(0),
        ...unknown,
        answer: { ids: packIds(['a', 'b']), failed: 1, message: '' },
      },
      {
        kind: 'settled',
        ...part(0),
        stored: [4, 2, 7],
        ids: packIds(['b', 'a', 'x']),
        missing: [],
        rejected: [],
      },
    );
    expect(ledger.lastAcked).toMatchObject({
      part: { batch: 0, first: 2, records: 2, at: [2, 4] },
      ids: packIds(['b', 'a']),
      sentAt: 2,
    });
    const lost = ledgerOf(
      batch(0),
      { kind: 'sent', ...part(0), sha256: '' },
      { kind: 'unknown', ...part(0), status: null, cause: 'c' },
      { kind: 'settled', ...part(0), stored: [4], ids: packIds(['b']), missing: [], rejected: [] },
    );
    expect(lost.lastAcked).toBeNull();
  });
});
