import { measureColumns, readSummary } from '../../../shared/language/text/summary.ts';
import type { ComputedColumns } from './calculated-columns.ts';
import type { RecordsRequest } from '../../../shared/query/query.ts';

const kindsOfDivision: ReadonlySet<string> = new Set(['mean', 'median', 'sum']);

/**
 * The columns that a request computes of fields.
 * @param asked the request
 * @returns them by path. Sums have no unit: one with an offset, such as a temperature, would be converted wrongly
 */
export function computedColumns(asked: RecordsRequest): ComputedColumns {
  const summary = asked.kind === 'pipeline' ? readSummary(asked.request.stages) : null;
  if (!summary) return new Map();
  const columns = measureColumns(summary);
  return new Map(
    summary.measures.map(({ kind, path }, at) => [
      columns[at] ?? path,
      { unitPath: kind === 'sum' ? null : path, isRounded: kindsOfDivision.has(kind) },
    ]),
  );
}
