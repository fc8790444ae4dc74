import type { FileWarning, UploadProblem } from '../../../../shared/upload/upload.ts';
import {
  severities,
  warningSeverities,
  type Severity,
  type WarningCode,
} from '../../../../shared/upload/warnings.ts';
import { words } from '../../../words/words.ts';

/** Warnings that say the same of so many columns or more are one finding. */
const fewestColumns = 3;

/** What is said once: a warning, or the same of several columns. */
export interface Finding {
  readonly code: WarningCode;
  readonly warnings: readonly [FileWarning, ...FileWarning[]];
}

/** What was found of a file that weighs the same. */
export interface FindingGroup {
  readonly severity: Severity;
  readonly findings: readonly Finding[];
  /** Why rows would be rejected: suspicious, for a column may be read wrongly. */
  readonly problems: readonly UploadProblem[];
}

/** How many findings a group has. */
export const sizeOf = ({ findings, problems }: FindingGroup): number => findings.length + problems.length;

const sameOf = ({ code, cell, column }: FileWarning): string | null =>
  column !== undefined && words.upload.inColumns.of[code] ? JSON.stringify([code, cell ?? null]) : null;

/** Findings in the order of their first warning; what is said of several columns is one. */
export function findingsOf(warnings: readonly FileWarning[]): Finding[] {
  const same = Map.groupBy(warnings, sameOf);
  return warnings.flatMap((warning): Finding[] => {
    const { code } = warning;
    const kind = sameOf(warning);
    const all = kind === null ? [] : (same.get(kind) ?? []);
    const [first, ...rest] = all;
    if (first === undefined || all.length < fewestColumns) return [{ code, warnings: [warning] }];
    return first === warning ? [{ code, warnings: [first, ...rest] }] : [];
  });
}

/** Everything that was found of a file, the heaviest first; groups without findings are left out. */
export function groupFindings(
  warnings: readonly FileWarning[],
  problems: readonly UploadProblem[],
): FindingGroup[] {
  return severities
    .map((severity) => ({
      severity,
      findings: findingsOf(warnings.filter(({ code }) => warningSeverities[code] === severity)),
      problems: severity === 'suspicious' ? problems : [],
    }))
    .filter((group) => sizeOf(group) > 0);
}
