import type { FileWarning, Mapping } from '../../../shared/upload/upload.ts';
import type { WarningCode } from '../../../shared/upload/warnings.ts';
import { scanWarnings } from '../reading/warnings.ts';
import type { Scan } from '../reading/scan.ts';
import type { Conversion, Rules } from '../model/rules.ts';

/** Warnings about times in a column, answered once it is decided how the column is read. */
const ofTimes: ReadonlySet<WarningCode> = new Set([
  'serial_dates',
  'ambiguous_dates',
  'mixed_dates',
] as const);

/** Whether the way in which a column is read answers a warning about it. */
function isAnswered(
  { code, digits }: FileWarning,
  conversion: Conversion,
  mapping: Mapping,
  column: string,
): boolean {
  // The decision about the column says itself that UTC is assumed, or that the times are stored as text.
  if (code === 'zone_missing') return true;
  if (ofTimes.has(code)) return conversion.kind === 'time';
  if (code === 'lost_zeros') return conversion.kind === 'string' && conversion.digits === digits;
  // Who says what type a column has means it; cells of another type are rejected.
  return (
    (code === 'mixed_types' || code === 'type_exceptions') && mapping.columns[column]?.type !== undefined
  );
}

/**
 * The warnings about a file that still hold with what was decided of its columns. What is said of columns that are
 * skipped concerns nobody.
 */
export function openWarnings(scan: Scan, rules: Rules, mapping: Mapping): FileWarning[] {
  return scanWarnings(scan, mapping.exceptionShare).filter((warning) => {
    if (warning.column === undefined) return true;
    const rule = rules.columns.find(({ column }) => column === warning.column);
    return rule !== undefined && !isAnswered(warning, rule.conversion, mapping, warning.column);
  });
}
