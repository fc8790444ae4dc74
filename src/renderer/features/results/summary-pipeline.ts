import * as z from 'zod';
import type { JsonValue } from '../../../shared/json.ts';
import { numberTypes } from '../../../shared/calculated/in-pipeline.ts';
import { nullTokens } from '../../../shared/upload/null-tokens.ts';
import type { FindRequest, PipelineRequest } from '../../../shared/query/query.ts';
import {
  computesPath,
  measureColumns,
  readSummary,
  recordsColumn,
} from '../../../shared/language/text/summary.ts';
import type { RecordsThread } from '../records/records.ts';
import type { ComputedColumns } from './calculated-columns.ts';
import { maxOf, minOf } from '../../../shared/lists.ts';

/** The service's summary of a column over all matching records. */
export interface FullSummary {
  readonly records: number;
  readonly nulls: number;
  readonly absent: number;
  readonly sentinels: number;
  readonly numbers: number;
  readonly min: number | null;
  readonly max: number | null;
  readonly mean: number | null;
}

const sentinelValues = 'not measured';

/**
 * The pipeline that summarizes a column over all records that match a find, grouped by value type: one pass
 * for the service. {@link combineGroups} combines the groups.
 */
export function summaryPipeline(
  { connection, provider, dataset, query, timeoutMs, dataUrl }: FindRequest,
  path: readonly string[],
): PipelineRequest {
  const field = `$${path.join('.')}`;
  const group = {
    _id: { $cond: [{ $in: [field, nullTokens] }, sentinelValues, { $type: field }] },
    records: { $sum: 1 },
    min: { $min: field },
    max: { $max: field },
    mean: { $avg: field },
  };
  // The query is on lines of its own: it may end with a comment.
  const stages = `[\n{ $match:\n${query}\n},\n{ $group: ${JSON.stringify(group)} }\n]`;
  return { connection, provider, dataset, stages, timeoutMs, dataUrl };
}

/** Summarizes a column over all records that match a find, at the service. @throws AppError */
export async function summarizeAll(
  thread: Pick<RecordsThread, 'open'>,
  find: FindRequest,
  path: readonly string[],
  signal: AbortSignal,
): Promise<FullSummary> {
  const request = summaryPipeline(find, path);
  const { records } = await thread.open({ kind: 'pipeline', request }, { signal });
  try {
    const { rows } = records.shape();
    return combineGroups(await Promise.all(Array.from({ length: rows }, (_, row) => records.record(row))));
  } finally {
    records.release();
  }
}

// Min, max, and mean are meaningful for numbers only.
const typeGroup = z.object({ _id: z.string(), records: z.number() });
const number = z.union([z.number(), z.bigint().transform(Number)]);
const numberGroup = typeGroup.extend({ min: number, max: number, mean: number });

/** The combined groups of {@link summaryPipeline}. @throws ZodError for other shapes */
export function combineGroups(groups: readonly JsonValue[]): FullSummary {
  const all = groups.map((group) => typeGroup.parse(group));
  const numbers = groups
    .filter((_, at) => numberTypes.includes(all[at]?._id ?? ''))
    .map((group) => numberGroup.parse(group));
  const count = (ids: readonly string[]) =>
    all.reduce((sum, { _id, records }) => sum + (ids.includes(_id) ? records : 0), 0);
  const counted = numbers.reduce((sum, { records }) => sum + records, 0);
  return {
    records: all.reduce((sum, { records }) => sum + records, 0),
    nulls: count(['null']),
    absent: count(['missing', 'undefined']),
    sentinels: count([sentinelValues]),
    numbers: counted,
    min: counted === 0 ? null : minOf(numbers.map(({ min }) => min)),
    max: counted === 0 ? null : maxOf(numbers.map(({ max }) => max)),
    mean:
      counted === 0 ? null : numbers.reduce((sum, { records, mean }) => sum + mean * (records / counted), 0),
  };
}

const kindsOfDivision: ReadonlySet<string> = new Set(['mean', 'median', 'sum']);

/** What a pipeline computes; of one that is no summary, only of which paths. */
export function columnsOfPipeline({ stages }: PipelineRequest) {
  const summary = readSummary(stages);
  const columns = summary ? measureColumns(summary) : [];
  const computed: ComputedColumns = new Map(
    summary?.measures.map(({ kind, path }, at) => [
      columns[at] ?? path,
      { unitPath: path, isSum: kind === 'sum', isRounded: kindsOfDivision.has(kind) },
    ]),
  );
  return { computed, recordsColumn: summary && [recordsColumn], computesPath: computesPath(stages) };
}
