import { instantOf } from '../../../shared/instants.ts';
import { isNullNumber } from '../../../shared/upload/null-tokens.ts';
import type { LiveField } from '../../../shared/tabs/live.ts';
import { plotFieldOf } from '../plot/source.ts';
import { shownFields } from '../plot/first-choice.ts';
import { isTimeInMs } from '../records/columns.ts';
import { isRigState } from './rig-state.ts';
import { pathId } from '../../../shared/column-paths.ts';
import type { Cell } from '../records/table.ts';
import { alarmKey, limitPassed, type LimitAlarm, type LiveLimits } from './limits.ts';
import type { LiveRecords } from './live-records.ts';

export interface LatestValue {
  readonly field: string;
  readonly value: number | bigint;
  /** The time of its record in Unix milliseconds; null: it has none. */
  readonly at: number | null;
  /** Whether the well has a newer record, without a value of the channel. */
  readonly isOld: boolean;
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

/** A cell, and the place of its record in time or depth; null: unknown, so that the last one to come counts. */
interface Placed<C> {
  readonly value: C;
  readonly place: number | null;
}

interface SeenWell {
  place: number | null;
  state: Placed<string> | null;
  readonly values: Map<string, Placed<number | bigint>>;
}

const hasValue = (cell: Cell): cell is number | bigint =>
  typeof cell === 'bigint' || (typeof cell === 'number' && !isNullNumber(cell));

const numberOf = (cell: Cell): number | null => {
  const number = typeof cell === 'string' ? instantOf(cell) : cell === null ? Number.NaN : Number(cell);
  return Number.isFinite(number) ? number : null;
};

/** Whether a record replaces what an earlier one had: late records come after newer ones. */
const isNewer = (place: number | null, before: number | null): boolean =>
  place === null || before === null || place >= before;

type Records = Pick<LiveRecords, 'count' | 'dropped' | 'cell' | 'columns'>;

const pathsOf = (records: Records) => ({
  fields: shownFields(records.columns().map(plotFieldOf)).map(({ id }) => id),
  states: records.columns().flatMap(({ path }) => (isRigState(path.at(-1) ?? '') ? [pathId(path)] : [])),
});

type OnValue = (well: string, field: string, value: number | bigint, place: number | null) => void;

/**
 * The last values of the wells of a live view, which stay when their records are dropped.
 * @param field along which records grow
 */
export function createLatestValues(records: Records, wellPath: string, field: LiveField) {
  const wells = new Map<string, SeenWell>();
  /** How many of all records were read. */
  let read = 0;
  const timeOf = (place: number | null): number | null =>
    field === 'measured_depth' || place === null || !isTimeInMs(place) ? null : place;
  function readRecord(row: number, { fields, states }: ReturnType<typeof pathsOf>, onValue: OnValue): void {
    const id = records.cell(wellPath, row);
    const well = typeof id === 'number' || typeof id === 'string' ? String(id) : '';
    const place = numberOf(records.cell(field, row));
    const seen = wells.get(well) ?? { place: null, state: null, values: new Map() };
    wells.set(well, seen);
    if (isNewer(place, seen.place)) seen.place = place ?? seen.place;
    for (const path of states) {
      const value = records.cell(path, row);
      if (typeof value === 'string' && value !== '' && isNewer(place, seen.state?.place ?? null))
        seen.state = { value, place };
    }
    for (const path of fields) {
      const value = records.cell(path, row);
      if (hasValue(value) && isNewer(place, seen.values.get(path)?.place ?? null)) {
        seen.values.set(path, { value, place });
        onValue(well, path, value, place);
      }
    }
  }

  return {
    /**
     * Reads the records that came since the last call.
     * @returns the channels that were beyond their limits in between, but aren't now; none for the first records
     */
    update(limits: LiveLimits): LimitAlarm[] {
      const isFirst = read === 0;
      const beyond = new Map<string, LimitAlarm>();
      const received = records.count() + records.dropped();
      const paths = pathsOf(records);
      for (let row = Math.min(received - read, records.count()) - 1; row >= 0; row -= 1)
        readRecord(row, paths, (well, field, value, place) => {
          const passed = limitPassed(limits[field], value);
          if (passed === null) return;
          const alarm = { well, field, ...passed, value, at: timeOf(place), isOver: true };
          beyond.set(alarmKey(alarm), alarm);
        });
      read = received;
      if (isFirst) return [];
      return [...beyond.values()].filter(({ well, field, side }) => {
        const last = wells.get(well)?.values.get(field);
        return last === undefined || limitPassed(limits[field], last.value)?.side !== side;
      });
    },
    /** The wells in the order in which they were first seen, with their channels in the order of columns. */
    wells(): LatestOfWell[] {
      const { fields } = pathsOf(records);
      return [...wells].map(([well, { place, state, values }]) => ({
        well,
        at: timeOf(place),
        state: state?.value ?? null,
        values: fields.flatMap((path): LatestValue[] => {
          const last = values.get(path);
          if (!last) return [];
          const isOld = last.place !== null && place !== null && last.place < place;
          return [{ field: path, value: last.value, at: timeOf(last.place), isOld }];
        }),
      }));
    },
  };
}
