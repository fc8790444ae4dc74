import { isNullNumber } from '../../../shared/upload/null-tokens.ts';
import type { PlotField } from '../plot/source.ts';
import { shownFields } from '../plot/first-choice.ts';
import { pathId } from '../../../shared/column-paths.ts';
import type { Cell } from '../records/table.ts';
import type { LiveRecords } from './live-records.ts';

/** The last value of a channel. */
export interface LatestValue {
  readonly field: string;
  readonly value: number | bigint;
  /** How many records of the well came after it, without a value. */
  readonly behind: number;
}

export interface LatestOfWell {
  /** The asset id as text; empty: none. */
  readonly well: string;
  readonly values: readonly LatestValue[];
}

/** How many of the newest records are read: older values are no news. */
const maxRecords = 500;

const hasValue = (cell: Cell): cell is number | bigint =>
  typeof cell === 'bigint' || (typeof cell === 'number' && !isNullNumber(cell));

/**
 * The last value of each channel, for each well of the newest records, the newest first.
 * @param wellPath the path of a record's well
 */
export function latestValues(
  records: Pick<LiveRecords, 'count' | 'cell' | 'columns'>,
  wellPath: string,
): LatestOfWell[] {
  const fields = records.columns().map(({ path, kind }): PlotField => ({ id: pathId(path), kind }));
  const channels = shownFields(fields).map(({ id }) => id);
  const wells = new Map<string, { rows: number; readonly values: Map<string, LatestValue> }>();
  for (let row = 0; row < Math.min(records.count(), maxRecords); row += 1) {
    const id = records.cell(wellPath, row);
    const well = typeof id === 'number' || typeof id === 'string' ? String(id) : '';
    const known = wells.get(well) ?? { rows: 0, values: new Map<string, LatestValue>() };
    wells.set(well, known);
    for (const field of channels) {
      if (known.values.has(field)) continue;
      const value = records.cell(field, row);
      if (hasValue(value)) known.values.set(field, { field, value, behind: known.rows });
    }
    known.rows += 1;
  }
  return [...wells].map(([well, { values }]) => ({
    well,
    values: channels.flatMap((field) => values.get(field) ?? []),
  }));
}
