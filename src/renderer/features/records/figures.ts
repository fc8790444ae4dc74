import { isNullNumber } from '../../../shared/upload/null-tokens.ts';
import { pathId } from '../../../shared/column-paths.ts';
import type { ColumnHead, StoredCell } from './table.ts';
import { columnConverter, type UnitChanges } from './unit-changes.ts';

/** Figures of selected cells. */
export interface Figures {
  /** The number of loaded rows. */
  readonly rows: number;
  /** The number of cells with a value. */
  readonly values: number;
  /** Of measurements, without times and null values such as -999.25; null: none. */
  readonly numbers: {
    readonly count: number;
    readonly sum: number;
    readonly min: number;
    readonly max: number;
  } | null;
}

/** Collects the figures of rows, in the units in which columns are shown. */
export function createFigures(columns: readonly ColumnHead[], changes: UnitChanges = {}) {
  // A sum of times or of ids means nothing.
  const measured = columns.map(
    ({ kind, path }) => (kind === 'integer' || kind === 'number') && !/(^|_)id$/.test(path.at(-1) ?? ''),
  );
  const converters = columns.map(({ path }) => columnConverter(changes, pathId(path)));
  let rows = 0;
  let values = 0;
  let count = 0;
  let sum = 0;
  let min = Infinity;
  let max = -Infinity;
  return {
    add(cells: readonly StoredCell[]): void {
      rows += 1;
      measured.forEach((isMeasured, at) => {
        const cell = cells[at];
        if (cell === undefined || cell === null) return;
        values += 1;
        const stored = typeof cell === 'bigint' ? Number(cell) : cell;
        if (!isMeasured || typeof stored !== 'number' || isNullNumber(stored)) return;
        const number = converters[at]?.(stored) ?? stored;
        count += 1;
        sum += number;
        min = Math.min(min, number);
        max = Math.max(max, number);
      });
    },
    figures: (): Figures => ({ rows, values, numbers: count === 0 ? null : { count, sum, min, max } }),
  };
}
