import type { FileWarning } from '../../../shared/upload/upload.ts';
import type { UploadResult } from '../../../shared/upload/result.ts';
import type { UploadLedger } from './ledger/ledger.ts';
import type { UploadPlan } from '../../core/tables/model/plan.ts';

/** The progress of a job's rows. */
export function resultOf(
  plan: UploadPlan,
  ledger: UploadLedger,
  stoppedByRejects: boolean,
  isExistingUnread = false,
): UploadResult {
  const warnings: FileWarning[] = [];
  if (ledger.ambiguousTimes > 0)
    warnings.push({
      code: 'time_twice',
      count: ledger.ambiguousTimes,
      message: `${ledger.ambiguousTimes} local times occurred twice because of daylight saving time; the first was used.`,
      line: null,
    });
  if (ledger.differing > 0)
    warnings.push({
      code: 'existing_differ',
      count: ledger.differing,
      message: `For ${ledger.differing} rows (the same well, and the same time or depth) the dataset holds records with other values; the rows ${plan.dryRun ? 'would be' : 'were'} sent.`,
      line: null,
    });
  const { count: repeated, line } = ledger.repeated;
  if (repeated > 0)
    warnings.push({
      code: 'repeated_rows',
      count: repeated,
      message: `${repeated} ${repeated === 1 ? 'row repeats' : 'rows repeat'} the well and the ${plan.type === 'depth' ? 'depth' : 'time'} of an earlier row of the file.`,
      line,
    });
  if (isExistingUnread)
    warnings.push({
      code: 'existing_unread',
      count: ledger.read().rows,
      message: 'Wellbench couldn’t read the dataset, so existing records were not found.',
      line: null,
    });
  if (stoppedByRejects)
    warnings.push({
      code: 'max_rejected',
      count: ledger.read().rejected,
      message: `Stopped, because more than ${plan.maxRejected ?? 0} rows were rejected. The rows left are pending.`,
      line: null,
    });
  return {
    ledger: ledger.read(),
    dryRun: plan.dryRun,
    footerRows: plan.footerRows,
    problems: ledger.problems,
    warnings: [...plan.warnings, ...warnings],
    ...(plan.records && !plan.dryRun ? { records: plan.records } : {}),
    ...(plan.rules.fold ? { fileRows: plan.rules.fold.rows } : {}),
    ...(plan.conversion ? { places: plan.conversion.places } : {}),
  };
}
