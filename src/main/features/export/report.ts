import { AppError } from '../../../shared/errors/errors.ts';
import type { JsonObject } from '../../../shared/json.ts';
import { wholeOperationOf } from '../../core/paging/operations.ts';
import { withBound } from '../../core/paging/request.ts';
import { computedFrom } from '../../core/read/computed-from.ts';
import { parseObject } from '../../core/read/read-records.ts';
import type { DataService } from '../../core/wire/services/services.ts';
import type { ExportPlan } from '../../core/write/plan.ts';
import type { ReadResult, WrittenFile } from './write-records.ts';

/** The rows of a file compared with the counts of the service. */
export interface CountComparison {
  /** Expected number of rows; null without a count. */
  readonly expected: number | null;
  readonly atEnd: number | null;
  readonly warnings: readonly string[];
  /** Changes during the export that need no attention. */
  readonly notes: readonly string[];
}

const recordsInWords = (count: number): string => `${count} ${count === 1 ? 'record' : 'records'}`;

/** A pipeline has no count to compare with. */
const noComparison: CountComparison = { expected: null, atEnd: null, warnings: [], notes: [] };

/**
 * Compares the written rows with counts of the service. A difference explained by records above the upper
 * bound is a note; any other is a warning.
 * @throws AppError `cancelled`; any other failure to count becomes a warning
 */
export async function compareCounts(
  data: Pick<DataService, 'count'>,
  { address, query: text, answerTo, folder }: ExportPlan,
  { rows, rule, counted, countAtEnd }: ReadResult,
  signal: AbortSignal,
): Promise<CountComparison> {
  if (answerTo) return noComparison;
  // Records that a mirror lacks because they came while it was read come with its next update.
  const isComplete = folder?.verifies === true && counted !== null && rows >= counted;
  if (isComplete || (await countAtEnd?.catch(() => null)) === rows)
    return { expected: rows, atEnd: rows, warnings: [], notes: [] };
  const query = parseObject(text);
  const count = (by: JsonObject): Promise<number> => data.count(address, by, { signal });
  try {
    const atEnd = await count(query);
    if (atEnd === rows) return { expected: rows, atEnd, warnings: [], notes: [] };
    // Added above the highest value of the start: they aren't in the file.
    const recordsAbove = rule
      ? await count(withBound(query, rule.field, { op: '$gt', value: rule.upper }))
      : 0;
    const expected = atEnd - recordsAbove;
    if (expected === rows) {
      const note = `The file leaves out ${recordsInWords(recordsAbove)} added during the export above the highest value at its start.`;
      return { expected, atEnd, warnings: [], notes: [note] };
    }
    const before = counted === null ? '' : ` (${counted} at the start)`;
    const warning = `The file has ${recordsInWords(rows)}, but the service counts ${expected}${before}: records were added, changed, or deleted during the export. If every record matters, export again when the dataset doesn't change.`;
    return { expected, atEnd, warnings: [warning], notes: [] };
  } catch (error) {
    if (!(error instanceof AppError) || error.is('cancelled')) throw error;
    const warning = `The rows couldn't be compared with the service's count: ${error.message}`;
    return { expected: null, atEnd: null, warnings: [warning], notes: [] };
  }
}

/** What a person should know of an exported file. */
export function reportOf(
  { answerTo }: ExportPlan,
  { file, skipReason }: WrittenFile,
  comparison: CountComparison,
): { readonly warnings: string[]; readonly notes: string[] } {
  const part = answerTo ? computedFrom(wholeOperationOf(answerTo)) : undefined;
  return {
    warnings: [
      ...(part === undefined ? [] : [`The results are computed from ${part}.`]),
      ...file.warnings,
      ...comparison.warnings,
    ],
    notes: [
      ...(skipReason === null ? [] : [`The records were read by skip: ${skipReason}.`]),
      ...comparison.notes,
    ],
  };
}
