import { countInWords } from '../../../shared/lists.ts';
import type { FileWarning } from '../../../shared/upload/upload.ts';
import type { UploadResult } from '../../../shared/upload/result.ts';
import type { UploadLedger } from './ledger/ledger.ts';
import type { StoredTwice } from './sending/reconcile.ts';
import type { UploadPlan } from '../../core/tables/model/plan.ts';

/** What a run tells besides the ledger. */
export interface ResultNotes {
  readonly stoppedByRejects: boolean;
  readonly isExistingUnread: boolean;
  /** Null: not known. */
  readonly storedTwice: StoredTwice | null;
}

/** The progress of a job's rows. */
export function resultOf(
  plan: UploadPlan,
  ledger: UploadLedger,
  { stoppedByRejects, isExistingUnread, storedTwice }: ResultNotes,
): UploadResult {
  const warnings: FileWarning[] = [];
  const warn = (code: FileWarning['code'], count: number, message: string, line: number | null = null) =>
    warnings.push({ code, count, message, line });
  const { ambiguousTimes, differing, repeated } = ledger;
  const counts = ledger.read();
  if (ambiguousTimes > 0)
    warn(
      'time_twice',
      ambiguousTimes,
      `${countInWords(ambiguousTimes, 'local time', 'local times')} occurred twice because of daylight saving time; the first was used.`,
    );
  if (differing > 0)
    warn(
      'existing_differ',
      differing,
      `For ${countInWords(differing, 'row', 'rows')} (the same well, and the same time or depth) the dataset holds records with other values; the ${differing === 1 ? 'row' : 'rows'} ${plan.dryRun ? 'would be' : differing === 1 ? 'was' : 'were'} sent.`,
    );
  if (repeated.count > 0)
    warn(
      'repeated_rows',
      repeated.count,
      `${countInWords(repeated.count, 'row repeats', 'rows repeat')} the well and the ${plan.type === 'depth' ? 'depth' : 'time'} of an earlier row of the file.`,
      repeated.line,
    );
  if (isExistingUnread)
    warn(
      'existing_unread',
      counts.rows,
      'Wellbench couldn’t read the dataset, so existing records were not found.',
    );
  if (storedTwice && storedTwice.twice > 0)
    warn(
      'stored_twice',
      storedTwice.twice,
      `${storedTwice.twice} of ${countInWords(storedTwice.compared, 'row', 'rows')} that were compared afterwards ${storedTwice.twice === 1 ? 'is' : 'are'} stored twice. Another computer may have uploaded the same rows at the same time. To see the records of one row, query ${storedTwice.filter}. To count all repeated records, check the quality of the dataset.`,
    );
  if (stoppedByRejects)
    warn(
      'max_rejected',
      counts.rejected,
      `Stopped, because more than ${countInWords(plan.maxRejected ?? 0, 'row was', 'rows were')} rejected. The rows left are pending.`,
    );
  return {
    ledger: counts,
    dryRun: plan.dryRun,
    footerRows: plan.footerRows,
    problems: ledger.problems,
    warnings: [...plan.warnings, ...warnings],
    ...(plan.records && !plan.dryRun ? { records: plan.records } : {}),
    ...(plan.rules.fold ? { fileRows: plan.rules.fold.rows } : {}),
    ...(plan.conversion ? { places: plan.conversion.places } : {}),
  };
}
