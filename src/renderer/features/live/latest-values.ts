import { isNullNumber } from '../../../shared/upload/null-tokens.ts';
import type { PlotField } from '../plot/source.ts';
import { shownFields } from '../plot/first-choice.ts';
import { isTimeInMs } from '../records/columns.ts';
import { isRigState } from './rig-state.ts';
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
  /** The time of its newest record in Unix milliseconds; null: its records have none. */
  readonly at: number | null;
  /** The last state of its rig; null: its records have none. */
  readonly state: string | null;
  readonly values: readonly LatestValue[];
}

interface KnownWell {
  rows: number;
  at: number | null;
  state: string | null;
  readonly values: Map<string, LatestValue>;
}

/** How many of the newest records are read: older values are no news. */
const maxRecords = 500;

const hasValue = (cell: Cell): cell is number | bigint =>
  typeof cell === 'bigint' || (typeof cell === 'number' && !isNullNumber(cell));

const timeOf = (cell: Cell): number | null => {
  const ms = typeof cell === 'string' ? Date.parse(cell) : Number(cell);
  return isTimeInMs(ms) ? ms : null;
};

/**
 * The last value of each channel, for each well of the newest records, the newest first; then the wells that were among
 * them before, as they were last.
 * @param wellPath the path of a record's well
 * @param timeField the path of a record's time; null: records have none
 * @param seen the wells of earlier calls, to which those of this one are added
 */
export function latestValues(
  records: Pick<LiveRecords, 'count' | 'cell' | 'columns'>,
  wellPath: string,
  timeField: string | null,
  seen: Map<string, LatestOfWell>,
): LatestOfWell[] {
  const fields = records.columns().map(({ path, kind }): PlotField => ({ id: pathId(path), kind }));
  const channels = shownFields(fields).map(({ id }) => id);
  const states = records
    .columns()
    .filter(({ path }) => isRigState(path.at(-1) ?? ''))
    .map(({ path }) => pathId(path));
  const wells = new Map<string, KnownWell>();
  for (let row = 0; row < Math.min(records.count(), maxRecords); row += 1) {
    const id = records.cell(wellPath, row);
    const well = typeof id === 'number' || typeof id === 'string' ? String(id) : '';
    const known = wells.get(well) ?? { rows: 0, at: null, state: null, values: new Map() };
    wells.set(well, known);
    known.at ??= timeField === null ? null : timeOf(records.cell(timeField, row));
    for (const field of states) {
      const state = records.cell(field, row);
      if (known.state === null && typeof state === 'string' && state !== '') known.state = state;
    }
    for (const field of channels) {
      if (known.values.has(field)) continue;
      const value = records.cell(field, row);
      if (hasValue(value)) known.values.set(field, { field, value, behind: known.rows });
    }
    known.rows += 1;
  }
  const newest = [...wells].map(([well, { at, state, values }]): LatestOfWell => ({
    well,
    at,
    state,
    values: channels.flatMap((field) => values.get(field) ?? []),
  }));
  for (const well of newest) seen.set(well.well, well);
  return [...newest, ...[...seen.values()].filter(({ well }) => !wells.has(well))];
}
