import { maxOf, minOf } from '../../../shared/lists.ts';
import { isNullNumber } from '../../../shared/upload/null-tokens.ts';
import { plainText } from './shown-cells.ts';
import { numberOf } from './chunk.ts';
import type { ColumnKind, StoredCell } from './table.ts';

export interface Summary {
  readonly records: number;
  readonly nulls: number;
  readonly absent: number;
  /** The number of sentinels such as -999.25, which all other figures exclude. */
  readonly sentinels: number;
  /** Of numbers (times as Unix milliseconds); null: none. */
  readonly numbers: {
    readonly count: number;
    readonly min: number;
    readonly max: number;
    readonly mean: number;
    /** The counts of numbers in equal steps from min to max. */
    readonly histogram: readonly number[];
  } | null;
  /** The number of distinct values; null: beyond the maximum. */
  readonly distinct: number | null;
  /** The most frequent values, if there are few distinct ones. */
  readonly frequent: readonly { readonly text: string; readonly count: number }[];
}

const steps = 24;
const maxDistinct = 100_000;
const maxFrequent = 1000;
const maxShown = 8;

export function createSummary(kind: ColumnKind) {
  let records = 0;
  let nulls = 0;
  let absent = 0;
  let sentinels = 0;
  let sum = 0;
  const values: number[] = [];
  const counts = new Map<string | number | bigint | boolean, number>();
  let hasTooMany = false;

  function count(key: string | number | bigint | boolean): void {
    const countBefore = counts.get(key);
    if (countBefore === undefined && counts.size >= maxDistinct) hasTooMany = true;
    else counts.set(key, (countBefore ?? 0) + 1);
  }

  return {
    add(cell: StoredCell): void {
      records += 1;
      if (cell === undefined) absent += 1;
      else if (cell === null) nulls += 1;
      else if (typeof cell === 'number' && isNullNumber(cell)) sentinels += 1;
      else {
        count(typeof cell === 'object' ? plainText(cell, kind, null) : cell);
        const number = numberOf(cell, kind);
        if (Number.isNaN(number)) return;
        values.push(number);
        sum += number;
      }
    },
    summary: (): Summary => ({
      records,
      nulls,
      absent,
      sentinels,
      numbers: numbersOf(values, sum),
      distinct: hasTooMany ? null : counts.size,
      frequent: hasTooMany || counts.size > maxFrequent ? [] : frequentValues(counts),
    }),
  };
}

function numbersOf(values: readonly number[], sum: number): Summary['numbers'] {
  if (values.length === 0) return null;
  const [min, max] = [minOf(values), maxOf(values)];
  const histogram = Array.from<number>({ length: steps }).fill(0);
  const width = (max - min) / steps;
  for (const value of values) {
    const step = width > 0 ? Math.min(Math.floor((value - min) / width), steps - 1) : 0;
    histogram[step] = (histogram[step] ?? 0) + 1;
  }
  return { count: values.length, min, max, mean: sum / values.length, histogram };
}

const frequentValues = (counts: ReadonlyMap<unknown, number>) =>
  [...counts]
    .toSorted(([, a], [, b]) => b - a)
    .slice(0, maxShown)
    .map(([value, count]) => ({ text: String(value), count }));

/** The group of each row, by the values of some columns, such as the well. */
export interface Groups {
  /** One for each row; rows that aren't loaded have group 0. */
  readonly codes: Uint16Array<ArrayBuffer>;
  /** The values of each group as texts; empty if absent. */
  readonly names: readonly (readonly string[])[];
}

/** Further groups become one, with the name of the first of them. */
export const maxGroups = 1000;

const textOf = (cell: StoredCell): string =>
  typeof cell === 'object' || cell === undefined ? '' : String(cell);

export function createGrouping(rows: number) {
  const codes = new Uint16Array(rows);
  const codeOfKey = new Map<string, number>();
  const names: string[][] = [];
  let last: StoredCell[] | null = null;
  let code = 0;
  return {
    /** @param cells the values of the grouping columns */
    add(row: number, cells: readonly StoredCell[]): void {
      // Most records are of the group of the record before.
      if (!last?.every((cell, at) => cell === cells[at])) {
        last = [...cells];
        const name = cells.map(textOf);
        const key = name.join('\n');
        code = codeOfKey.get(key) ?? Math.min(names.length, maxGroups);
        codeOfKey.set(key, code);
        if (code === names.length) names.push(name);
      }
      codes[row] = code;
    },
    groups: (): Groups => ({ codes, names }),
  };
}
