import type { FileWarning, UploadProblem } from '../../../shared/upload.ts';
import { severities, warningSeverities, type Severity } from '../../../shared/upload-warnings.ts';

/** What was found of a file that weighs the same. */
export interface FindingGroup {
  readonly severity: Severity;
  readonly warnings: readonly FileWarning[];
  /** Why rows would be rejected: suspicious, for a column may be read wrongly. */
  readonly problems: readonly UploadProblem[];
}

/** How many findings a group has. */
export const sizeOf = ({ warnings, problems }: FindingGroup): number => warnings.length + problems.length;

/** Everything that was found of a file, the heaviest first; groups without findings are left out. */
export function groupFindings(
  warnings: readonly FileWarning[],
  problems: readonly UploadProblem[],
): FindingGroup[] {
  return severities
    .map((severity) => ({
      severity,
      warnings: warnings.filter(({ code }) => warningSeverities[code] === severity),
      problems: severity === 'suspicious' ? problems : [],
    }))
    .filter((group) => sizeOf(group) > 0);
}
