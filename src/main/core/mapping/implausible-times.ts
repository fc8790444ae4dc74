import type { FileWarning } from '../../../shared/upload/upload.ts';
import type { ColumnFacts } from '../tables/reading/column-facts.ts';
import { isPlausibleTime } from './unix-times.ts';

/** Warnings about the earliest and the latest text of a column of times before 1950 or after next year. */
export function implausibleTimes(column: string, { timeRange }: ColumnFacts): FileWarning[] {
  if (!timeRange) return [];
  return [timeRange.min, timeRange.max].flatMap(({ value, text, line }) =>
    isPlausibleTime(value)
      ? []
      : [
          {
            code: 'implausible_times',
            message: `Column “${column}”: “${text.slice(0, 60)}” is no plausible time: it is before 1950 or after next year.`,
            line,
            column,
            count: 1,
            cell: text.slice(0, 60),
          },
        ],
  );
}
