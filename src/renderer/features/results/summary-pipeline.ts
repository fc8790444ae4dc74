import * as z from 'zod';
import type { JsonValue } from '../../../shared/json.ts';
import { nullTokens } from '../../../shared/upload/null-tokens.ts';
import type { FindRequest, PipelineRequest } from '../../../shared/query/query.ts';
import type { RecordsThread } from '../records/records.ts';

/** What a column holds in all records that match, by the service. */
export interface WholeSummary {
  readonly records: number;
  readonly nulls: number;
  readonly absent: number;
  readonly sentinels: number;
  readonly numbers: number;
  readonly min: number | null;
  readonly max: number | null;
  readonly mean: number | null;
}

const notMeasured = 'not measured';

/**
 * The pipeline that sums a column up over all that a find matches: grouped by the type of the value, because that is one
 * pass and little work for a service; {@link wholeSummaryOf} puts the groups together.
 */
export function summaryPipeline(
  { connection, provider, dataset, query, timeoutMs }: FindRequest,
  path: readonly string[],
): PipelineRequest {
  const field = `$${path.join('.')}`;
  const group = {
    _id: { $cond: [{ $in: [field, nullTokens] }, notMeasured, { $type: field }] },
    records: { $sum: 1 },
    min: { $min: field },
    max: { $max: field },
    mean: { $avg: field },
  };
  // The query stands as it was typed, on lines of its own: a comment may end it.
  const stages = `[\n{ $match:\n${query}\n},\n{ $group: ${JSON.stringify(group)} }\n]`;
  return { connection, provider, dataset, stages, ...(timeoutMs === undefined ? {} : { timeoutMs }) };
}

/** Sums a column up over all that a find matches, at the service. @throws AppError */
export async function sumUpAll(
  thread: Pick<RecordsThread, 'open'>,
  find: FindRequest,
  path: readonly string[],
  signal: AbortSignal,
): Promise<WholeSummary> {
  const request = summaryPipeline(find, path);
  const { records } = await thread.open({ kind: 'pipeline', request }, { signal });
  try {
    const { rows } = records.shape();
    return wholeSummaryOf(await Promise.all(Array.from({ length: rows }, (_, row) => records.record(row))));
  } finally {
    records.release();
  }
}

// Only of numbers are least, greatest and mean looked at; they are what the column's other types make of them.
const typeGroup = z.object({ _id: z.string(), records: z.number() });
const number = z.union([z.number(), z.bigint().transform(Number)]);
const numberGroup = typeGroup.extend({ min: number, max: number, mean: number });
const numeric = new Set(['int', 'long', 'double', 'decimal']);

/** The groups of {@link summaryPipeline} together. @throws ZodError when they are of another form */
export function wholeSummaryOf(groups: readonly JsonValue[]): WholeSummary {
  const all = groups.map((group) => typeGroup.parse(group));
  const numbers = groups
    .filter((_, at) => numeric.has(all[at]?._id ?? ''))
    .map((each) => numberGroup.parse(each));
  const count = (ids: readonly string[]) =>
    all.reduce((sum, { _id, records }) => sum + (ids.includes(_id) ? records : 0), 0);
  const counted = numbers.reduce((sum, { records }) => sum + records, 0);
  return {
    records: all.reduce((sum, { records }) => sum + records, 0),
    nulls: count(['null']),
    absent: count(['missing', 'undefined']),
    sentinels: count([notMeasured]),
    numbers: counted,
    min: counted === 0 ? null : Math.min(...numbers.map(({ min }) => min)),
    max: counted === 0 ? null : Math.max(...numbers.map(({ max }) => max)),
    mean:
      counted === 0 ? null : numbers.reduce((sum, { records, mean }) => sum + mean * (records / counted), 0),
  };
}
