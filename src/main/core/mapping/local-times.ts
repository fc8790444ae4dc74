import { assetPaths } from '../records/targets.ts';
import type { Conversion, WellColumn } from './plan.ts';
import type { ColumnFacts } from '../tables/tables.ts';
import { decideConversion, fileFacts } from './decide.ts';
import { itemColumns } from './fold.ts';
import { matchesOf } from './match.ts';
import type { PlanRulesInput } from './plan-rules.ts';
import type { LocalTimeColumn } from './repeated-times.ts';
import { timeReader } from './times.ts';
import { clocksGoBack } from './zones.ts';

type TimeConversion = Extract<Conversion, { kind: 'time' }>;

/** The earliest and the latest time of a column, in milliseconds as if they were UTC; null: unknown. */
function rangeOf(
  { timeRange, min, max, counts }: ColumnFacts,
  { format }: TimeConversion,
): readonly [number, number] | null {
  if (timeRange) return [timeRange.min.value, timeRange.max.value];
  if (counts.text + counts.label + counts.time + counts.date > 0 || !min || !max) return null;
  const [from, to] = [min, max].map(({ text }) => timeReader(format, 'UTC')(text));
  if (typeof from !== 'object' || typeof to !== 'object') return null;
  return [Math.min(from.ms, to.ms), Math.max(from.ms, to.ms)];
}

/** Whether times of a column can occur twice because clocks go back. */
function canRepeat(facts: ColumnFacts, conversion: TimeConversion): boolean {
  if (conversion.format.startsWith('unix_')) return false;
  const [from, to] = rangeOf(facts, conversion) ?? [-Infinity, Infinity];
  return clocksGoBack(conversion.zone, from, to);
}

/** The columns of local times that can occur twice, and the columns that name the well of a row. */
export interface LocalTimes {
  readonly columns: readonly LocalTimeColumn[];
  readonly wells: readonly WellColumn[];
}

/** The columns whose times have to be read in the order of rows; most files have none. */
export function localTimes({
  scan,
  mapping,
  type,
  folding,
}: Pick<PlanRulesInput, 'scan' | 'mapping' | 'type' | 'folding'>): LocalTimes {
  const { layout, columns } = scan;
  const items = folding ? itemColumns(scan, folding, type, mapping) : [];
  const file = fileFacts(scan, mapping.exceptionShare);
  const matches = matchesOf(layout.columns, mapping, items);
  return {
    columns: matches.flatMap((match): LocalTimeColumn[] => {
      const facts = columns[match.index];
      const decided = decideConversion(match, file, {});
      if (!facts || 'message' in decided || decided.conversion.kind !== 'time') return [];
      if (!canRepeat(facts, decided.conversion)) return [];
      const { format, zone } = decided.conversion;
      return [{ index: match.index, join: match.join, format, zone }];
    }),
    wells: matches
      .filter(({ path }) => assetPaths.includes(path.join('.')))
      .map(({ index, wanted }) => ({ index, by: wanted.by ?? 'id' })),
  };
}
