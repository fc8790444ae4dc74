import type { FileWarning, Mapping } from '../../../shared/upload/upload.ts';
import type { Scan } from '../reading/scan.ts';
import { areClocks, areDates, isDateFormat } from '../reading/time-patterns.ts';
import type { Match } from './match.ts';
import type { Conversion } from '../model/rules.ts';

/** A column of dates, and the columns of times of day that make timestamps of them. */
interface DateAndTime {
  readonly column: string;
  readonly join: readonly string[];
}

type Layouts = Pick<Scan, 'layout' | 'columns'>;

/** The keys of columns that hold times of day, those called so first; columns that the mapping names are not among them. */
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

/** The columns of dates, each with the likeliest column of times of day; empty where the file lacks one or the other. */
export function datesAndTimes(scan: Layouts, mapping: Mapping): DateAndTime[] {
  const [clock] = clockColumns(scan, mapping);
  if (clock === undefined) return [];
  return scan.layout.columns
    .filter((_, index) => areDates(scan.columns[index]?.patterns ?? null))
    .map(({ key }) => ({ column: key, join: [clock] }));
}

/** Says that times are read from dates alone, and which column has the time of day; null: they are not. */
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
  const isMidnight = format === 'iso' ? areDates(facts.patterns) : isPattern(format) && isDateFormat(format);
  if (!isMidnight) return null;
  const { date, time } = facts.firsts;
  const count = facts.counts.date + facts.counts.time;
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

const isPattern = (format: string): boolean => !/^(?:unix|excel)_/.test(format);
