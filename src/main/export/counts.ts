import { AppError } from '../../shared/errors/errors.ts';
import type { JsonObject } from '../../shared/json.ts';
import { withBound } from '../paging/request.ts';
import type { WindowRule } from '../paging/rule.ts';

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

/** How many records came in above the highest value of the start; they are not in the file. */
async function countAbove(count: Count, { query, rule }: Written): Promise<number> {
  return rule ? count(withBound(query, rule.field, { op: '$gt', value: rule.upper })) : 0;
}

/**
 * Compares the rows written with counts of the service. A difference that records above the upper bound explain is a
 * note; any other is a warning.
 * @throws AppError cancelled; any other failure to count becomes a warning
 */
export async function compareCounts(count: Count, written: Written): Promise<Compared> {
  const { rows, atStart } = written;
  try {
    const atEnd = await count(written.query);
    if (atEnd === rows) return { expected: rows, atEnd, warnings: [], notes: [] };
    const above = await countAbove(count, written);
    const expected = atEnd - above;
    if (expected === rows) {
      const note = `The file leaves out ${inWords(above)} added during the export above the highest value at its start.`;
      return { expected, atEnd, warnings: [], notes: [note] };
    }
    const before = atStart === null ? '' : ` (${atStart} at the start)`;
    const warning = `The file has ${inWords(rows)}, but the service counts ${expected}${before}: records were added, changed, or deleted during the export. If every record matters, export again when the dataset doesn't change.`;
    return { expected, atEnd, warnings: [warning], notes: [] };
  } catch (error) {
    if (!(error instanceof AppError) || error.is('cancelled')) throw error;
    const warning = `The rows couldn't be compared with the service's count: ${error.message}`;
    return { expected: null, atEnd: null, warnings: [warning], notes: [] };
  }
}
