import type { FileWarning } from '../../../../shared/upload/upload.ts';
import type { UploadProblem } from '../../../../shared/upload/result.ts';
import {
  severities,
  warningSeverities,
  type Severity,
  type WarningCode,
} from '../../../../shared/upload/warnings.ts';
import { uploadWords } from '../../../words/upload.ts';

/** The same warning for this many columns or more becomes one finding. */
const minGroupedColumns = 3;

/** A warning, or the same warning for several columns. */
export interface Finding {
  readonly code: WarningCode;
  readonly warnings: readonly [FileWarning, ...FileWarning[]];
}

export interface FindingGroup {
  readonly severity: Severity;
  readonly findings: readonly Finding[];
  /** Rows that would be rejected. Suspicious, because a column may have the wrong type. */
  readonly problems: readonly UploadProblem[];
}

export const findingCount = ({ findings, problems }: FindingGroup): number =>
  findings.length + problems.length;

const groupKey = ({ code, cell, column }: FileWarning): string | null =>
  column !== undefined && uploadWords.inColumns.of[code] ? JSON.stringify([code, cell ?? null]) : null;

/** Groups warnings into findings, in the order of their first warning. */
export function groupWarnings(warnings: readonly FileWarning[]): Finding[] {
  const same = Map.groupBy(warnings, groupKey);
  return warnings.flatMap((warning): Finding[] => {
    const { code } = warning;
    const kind = groupKey(warning);
    const all = kind === null ? [] : (same.get(kind) ?? []);
    const [first, ...rest] = all;
    if (first === undefined || all.length < minGroupedColumns) return [{ code, warnings: [warning] }];
    return first === warning ? [{ code, warnings: [first, ...rest] }] : [];
  });
}

/** All findings in a file by severity, the most severe first, without empty groups. */
export function groupFindings(
  warnings: readonly FileWarning[],
  problems: readonly UploadProblem[],
): FindingGroup[] {
  return severities
    .map((severity) => ({
      severity,
      findings: groupWarnings(warnings.filter(({ code }) => warningSeverities[code] === severity)),
      problems: severity === 'suspicious' ? problems : [],
    }))
    .filter((group) => findingCount(group) > 0);
}
