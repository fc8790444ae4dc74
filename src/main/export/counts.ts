import { AppError } from '../../shared/errors.ts';
import type { JsonObject } from '../../shared/json.ts';
import { withBound } from './paging/condition.ts';
import type { WindowRule } from './paging/rule.ts';

/** How the rows of a file compare with what the service counts. */
export interface Compared {
  /** Rows that the file should have; null: no count could be had. */
  readonly expected: number | null;
  readonly atEnd: number | null;
  readonly warnings: readonly string[];
  /** What changed meanwhile, and is no reason to worry. */
  readonly notes: readonly string[];
}

export type Count = (query: JsonObject) => Promise<number>;

interface Written {
  readonly rows: number;
  /** What a count at the start said. */
  readonly atStart: number | null;
  readonly query: JsonObject;
  readonly rule: WindowRule | null;
}

const inWords = (count: number): string => `${count} ${count === 1 ? 'record' : 'records'}`;

/** The next number that a double can hold, as JSON text; for whole milliseconds the next whole one. */
function justAbove({ field, upper }: WindowRule): string {
  const number = Number(upper);
  if (field === 'timestamp' && Number.isSafeInteger(number + 1)) return String(Math.floor(number) + 1);
  if (number === 0) return String(Number.MIN_VALUE);
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, number);
  view.setBigInt64(0, view.getBigInt64(0) + (number > 0 ? 1n : -1n));
  return String(view.getFloat64(0));
}

/** The count of what was there at the start, as far as a limit of the key field can say; null where it can't. */
async function countBelow(count: Count, { query, rule }: Written): Promise<number | null> {
  if (!rule || rule.kind !== 'number' || rule.nulls) return null;
  return count(withBound(query, rule.field, { op: '$lt', value: justAbove(rule) }));
}

/**
 * Compares the rows written with counts of the service. A difference that records arriving since explain is a note;
 * any other is a warning.
 * @throws AppError cancelled; any other failure to count becomes a warning
 */
export async function compareCounts(count: Count, written: Written): Promise<Compared> {
  const { rows, atStart } = written;
  try {
    const atEnd = await count(written.query);
    if (atEnd === rows) return { expected: rows, atEnd, warnings: [], notes: [] };
    const below = await countBelow(count, written);
    if (below === rows || (below === null && atStart === rows)) {
      const change = atEnd > rows ? 'came in' : 'were deleted';
      const note = `${inWords(Math.abs(atEnd - rows))} ${change} during the export; the file has what was there at its start.`;
      return { expected: rows, atEnd, warnings: [], notes: [note] };
    }
    const expected = below ?? atEnd;
    const before = atStart === null ? '' : ` (${atStart} at the start)`;
    const warning = `The file has ${inWords(rows)}, but the service counts ${expected}${before}: records were added, changed or deleted during the export. Export again when the dataset is quiet if each one matters.`;
    return { expected, atEnd, warnings: [warning], notes: [] };
  } catch (error) {
    if (!(error instanceof AppError) || error.is('cancelled')) throw error;
    const warning = `The rows could not be compared with a count of the service: ${error.message}`;
    return { expected: null, atEnd: null, warnings: [warning], notes: [] };
  }
}
