import { isObject, type JsonObject } from '../../../shared/json.ts';
import { combiningStages } from '../../../shared/language/catalogue/stages.ts';
import { aggregateStages } from '../wire/services/records.ts';
import type { RecordsOperation } from '../wire/services/services.ts';

const recordsOf = (count: unknown): string =>
  `${Number(count).toLocaleString('en')} ${Number(count) === 1 ? 'record' : 'records'}`;

/**
 * What the results of a read are computed from, such as “at most 1,000 records”, if a limit, a skip, or a sample comes
 * before they are combined.
 * @returns undefined: all matching records, or nothing is computed
 */
export function computedFrom(operation: RecordsOperation): string | undefined {
  if (operation.kind === 'pipeline') return partBefore(operation.stages);
  return operation.kind === 'aggregate' ? partBefore(aggregateStages(operation.aggregate)) : undefined;
}

function partBefore(stages: readonly JsonObject[]): string | undefined {
  let part: string | undefined;
  for (const [name, body] of stages.flatMap((stage) => Object.entries(stage))) {
    if (combiningStages.has(name)) return part;
    if (name === '$limit') part = `at most ${recordsOf(body)}`;
    else if (name === '$sample' && isObject(body)) part = `a sample of at most ${recordsOf(body['size'])}`;
    else if (name === '$skip' && Number(body) > 0) part ??= `all but the first ${recordsOf(body)}`;
  }
  return undefined;
}
