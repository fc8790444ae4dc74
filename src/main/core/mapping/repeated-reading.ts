import type { RepeatedHour, RepeatedReading, WellColumn } from './plan.ts';
import { assetKey } from './asset-key.ts';
import { cellOf } from '../tables/tables.ts';
import type { RecordRow } from './record-row.ts';

/** Longer names are compared by their start. */
const maxWellLength = 200;

/**
 * The text that is the same for all rows of a well.
 * @param wells the columns that name it; none: all rows are of one well
 */
export const wellText = (row: RecordRow, wells: readonly WellColumn[]): string =>
  wells
    .map(({ index, by }) =>
      assetKey(by === 'api_number' ? by : 'name', cellOf(row, index)).slice(0, maxWellLength),
    )
    .join('\n');

/** The hour that contains a position; undefined: none. @param hours in the order of the file */
function hourAt(hours: readonly RepeatedHour[], at: number): RepeatedHour | undefined {
  let low = 0;
  let high = hours.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((hours[middle]?.from ?? 0) <= at) low = middle + 1;
    else high = middle;
  }
  const hour = hours[low - 1];
  return hour && at <= hour.to ? hour : undefined;
}

/** Determines for rows which of two times their local time has. */
export function repeatedReader({
  reading,
  wells,
  hours,
}: RepeatedReading): (row: RecordRow | null) => 'first' | 'second' {
  const byWell = new Map(hours.map((wellHours) => [wellHours.well, wellHours.hours]));
  return (row) => {
    const at = row?.record.start ?? -1;
    const hour = row && byWell.size > 0 ? hourAt(byWell.get(wellText(row, wells)) ?? [], at) : undefined;
    if (!hour) return reading;
    return at < hour.turn === hour.isRising ? 'first' : 'second';
  };
}
