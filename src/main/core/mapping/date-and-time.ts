import type { FileWarning, Mapping } from '../../../shared/upload/upload.ts';
import { valueCount, type Scan } from '../tables/tables.ts';
import { areClocks, areDates, isDateFormat } from '../records/time-patterns.ts';
import type { Match } from './match.ts';
import type { Conversion } from './plan.ts';

/** A column of dates, and the columns of times of day that complete its timestamps. */
interface DateAndTime {
  readonly column: string;
  readonly join: readonly string[];
}

type Layouts = Pick<Scan, 'layout' | 'columns'>;

/** The keys of columns with times of day, those with a matching name first, without columns that the mapping uses. */
function clockColumns({ layout, columns }: Layouts, mapping: Mapping): string[] {
  const named = new Set([
    ...Object.entries(mapping.columns).flatMap(([key, { join = [] }]) => [key, ...join]),
    ...(mapping.skip ?? []),
  ]);
  const rank = (key: string): number => (/\btime\b/i.test(key.replaceAll('_', ' ')) ? 0 : 1);
  return layout.columns
    .filter(({ key }, index) => !named.has(key) && areClocks(columns[index]?.patterns ?? null))
    .map(({ key }) => key)
    .toSorted((a, b) => rank(a) - rank(b));
}

/** The columns of dates, each with the most likely column of times of day; empty if the file has only one kind. */
export function datesAndTimes(scan: Layouts, mapping: Mapping): DateAndTime[] {
  const [clock] = clockColumns(scan, mapping);
  if (clock === undefined) return [];
  return scan.layout.columns
    .filter((_, index) => areDates(scan.columns[index]?.patterns ?? null))
    .map(({ key }) => ({ column: key, join: [clock] }));
}

/** A warning that times are read from dates alone, with the column of times of day; null: not applicable. */
export function midnightWarning(
  { kind, index, column, join }: Match,
  conversion: Conversion,
  scan: Layouts,
  mapping: Mapping,
): FileWarning | null {
  const facts = scan.columns[index];
  if (conversion.kind !== 'time' || (kind !== 'timestamp' && kind !== 'datetime')) return null;
  if (!facts || join.length > 0) return null;
  const { format } = conversion;
  if (!(format === 'iso' ? areDates(facts.patterns) : isDateFormat(format))) return null;
  const { date, time } = facts.firsts;
  // Some formats, such as yyyyMM, have cells that are no dates by themselves.
  const count = facts.counts.date + facts.counts.time || valueCount(facts.counts);
  const about = { line: (date ?? time)?.line ?? null, column, count };
  const [clock] = clockColumns(scan, mapping);
  const says = `Column “${column}” has dates without a time of day: ${count === 1 ? '1 row falls' : `all ${count} rows are`} at midnight.`;
  if (clock === undefined) return { code: 'times_at_midnight', message: says, ...about };
  return {
    code: 'time_of_day_unused',
    message: `${says} Column “${clock}” has times of day: set "join": [${JSON.stringify(clock)}] in the mapping of “${column}” to combine them.`,
    ...about,
    cell: clock,
  };
}
