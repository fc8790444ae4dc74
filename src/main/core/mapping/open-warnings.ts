import type { FileWarning, Mapping } from '../../../shared/upload/upload.ts';
import type { WarningCode } from '../../../shared/upload/warnings.ts';
import { scanWarnings, type Scan } from '../tables/tables.ts';
import type { Conversion, Rules } from './plan.ts';

/** Warnings about times in a column, which the column's format settles. */
const ofTimes: ReadonlySet<WarningCode> = new Set([
  'serial_dates',
  'ambiguous_dates',
  'mixed_dates',
] as const);

/** Whether the format of a column settles a warning about it. */
function isAnswered(
  { code, digits }: FileWarning,
  conversion: Conversion,
  mapping: Mapping,
  column: string,
): boolean {
  // The column's own issues mention the assumption of UTC, and times that are stored as text.
  if (code === 'zone_missing') return true;
  if (ofTimes.has(code)) return conversion.kind === 'time';
  if (code === 'lost_zeros') return conversion.kind === 'string' && conversion.digits === digits;
  // The user set the type of the column, and cells of another type are rejected.
  return (
    (code === 'mixed_types' || code === 'type_exceptions') && mapping.columns[column]?.type !== undefined
  );
}

/** The warnings about a file that still apply to the current mapping, without those of skipped columns. */
export function openWarnings(scan: Scan, rules: Rules, mapping: Mapping): FileWarning[] {
  return scanWarnings(scan, mapping.exceptionShare).filter((warning) => {
    if (warning.column === undefined) return true;
    const rule = rules.columns.find(({ column }) => column === warning.column);
    return rule !== undefined && !isAnswered(warning, rule.conversion, mapping, warning.column);
  });
}
