import { CircleCheck, CircleDashed, CircleEqual, CircleHelp, CircleX, type LucideIcon } from 'lucide-react';
import type { Ledger, UploadResult } from '../../../../shared/upload/result.ts';
import { formatCount } from '../../../format/numbers.ts';
import { uploadWords } from '../../../words/upload.ts';

const w = uploadWords.ledger;
const icons: Record<LedgerPart, LucideIcon> = {
  inserted: CircleCheck,
  skipped: CircleEqual,
  rejected: CircleX,
  unknown: CircleHelp,
  pending: CircleDashed,
};

const notes: Record<LedgerPhase, Record<LedgerPart, string>> = {
  sending: { ...w.notes, ...w.notesWhile.sending },
  stopped: { ...w.notes, ...w.notesWhile.stopped },
  over: w.notes,
};

interface LedgerViewProps {
  readonly result: Pick<UploadResult, 'ledger' | 'fileRows'>;
  readonly phase: LedgerPhase;
}

/** The ledger of an upload: each row of the file is in exactly one part, and the parts add up. */
export function LedgerView({ result: { ledger, fileRows }, phase }: LedgerViewProps) {
  const parts = ledgerShares(ledger);
  return (
    <div className="upload-ledger max-page stack">
      <div className="ledger-bar row items-stretch round" aria-hidden>
        {parts.map(({ part, share }) => (
          <span key={part} data-part={part} style={{ flexGrow: share }} />
        ))}
      </div>
      <table aria-label={w.label}>
        <tbody>
          {parts.map(({ part, rows }) => {
            const Icon = icons[part];
            return (
              <tr key={part} data-part={part} data-none={rows === 0 ? '' : undefined}>
                <th scope="row">
                  <span className="row">
                    <Icon size={16} aria-hidden />
                    {w.parts[part]}
                  </span>
                </th>
                <td className="numbers end">{formatCount(rows)}</td>
                <td className="ledger-note quiet">{rows > 0 && notes[phase][part]}</td>
              </tr>
            );
          })}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">{fileRows === undefined ? w.total : w.totalRecords(fileRows)}</th>
            <td className="numbers end">{formatCount(ledger.rows)}</td>
          </tr>
        </tfoot>
      </table>
    </div>
  );
}

const ledgerParts = ['inserted', 'skipped', 'rejected', 'unknown', 'pending'] as const;
type LedgerPart = (typeof ledgerParts)[number];

/** The phase of the job: the same part has another note while rows are sent. */
type LedgerPhase = 'sending' | 'stopped' | 'over';

interface LedgerShare {
  readonly part: LedgerPart;
  readonly rows: number;
  /** From 0 to 1. */
  readonly share: number;
}

/** All parts of the rows with their shares, including empty ones. */
export function ledgerShares(ledger: Ledger): LedgerShare[] {
  const counts = { ...ledger, inserted: ledger.accepted - ledger.skipped };
  return ledgerParts.map((part) => ({
    part,
    rows: counts[part],
    share: ledger.rows === 0 ? 0 : counts[part] / ledger.rows,
  }));
}
