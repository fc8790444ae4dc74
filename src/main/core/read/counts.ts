import { AppError } from '../../../shared/errors/errors.ts';
import type { JsonObject } from '../../../shared/json.ts';
import { withBound } from '../paging/request.ts';
import type { WindowRule } from '../paging/rule.ts';

/** The rows of a file compared with the counts of the service. */
export interface CountComparison {
  /** Expected number of rows; null without a count. */
  readonly expected: number | null;
  readonly atEnd: number | null;
  readonly warnings: readonly string[];
  /** Changes during the export that need no attention. */
  readonly notes: readonly string[];
}

export type Count = (query: JsonObject) => Promise<number>;

interface WrittenRows {
  readonly rows: number;
  /** The count at the start. */
  readonly atStart: number | null;
  readonly query: JsonObject;
  readonly rule: WindowRule | null;
}

const recordsInWords = (count: number): string => `${count} ${count === 1 ? 'record' : 'records'}`;

/** Number of records added above the highest value of the start; they aren't in the file. */
async function countAbove(count: Count, { query, rule }: WrittenRows): Promise<number> {
  return rule ? count(withBound(query, rule.field, { op: '$gt', value: rule.upper })) : 0;
}

/**
 * Compares the written rows with counts of the service. A difference explained by records above the upper
 * bound is a note; any other is a warning.
 * @param count counts the records that match a query
 * @throws AppError `cancelled`; any other failure to count becomes a warning
 */
export async function compareCounts(count: Count, written: WrittenRows): Promise<CountComparison> {
  const { rows, atStart } = written;
  try {
    const atEnd = await count(written.query);
    if (atEnd === rows) return { expected: rows, atEnd, warnings: [], notes: [] };
    const recordsAbove = await countAbove(count, written);
    const expected = atEnd - recordsAbove;
    if (expected === rows) {
      const note = `The file leaves out ${recordsInWords(recordsAbove)} added during the export above the highest value at its start.`;
      return { expected, atEnd, warnings: [], notes: [note] };
    }
    const before = atStart === null ? '' : ` (${atStart} at the start)`;
    const warning = `The file has ${recordsInWords(rows)}, but the service counts ${expected}${before}: records were added, changed, or deleted during the export. If every record matters, export again when the dataset doesn't change.`;
    return { expected, atEnd, warnings: [warning], notes: [] };
  } catch (error) {
    if (!(error instanceof AppError) || error.is('cancelled')) throw error;
    const warning = `The rows couldn't be compared with the service's count: ${error.message}`;
    return { expected: null, atEnd: null, warnings: [warning], notes: [] };
  }
}
