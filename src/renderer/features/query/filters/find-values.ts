import { isObject } from '../../../../shared/json.ts';
import type { FindTarget } from '../../../../shared/query/query.ts';
import { removeFilter } from '../../../../shared/language/text/filters.ts';
import type { Api } from '../../../api/api.ts';
import { parseRecords } from '../../records/request.ts';

/** The most frequent texts of a field. */
export interface FieldValues {
  readonly values: readonly { readonly value: string; readonly records: number }[];
  readonly hasMore: boolean;
}

const maxValues = 50;
const timeoutMs = 15_000;

/**
 * The stages that count the texts of a field, in the records that match all conditions but those on it.
 * @param conditions blank: all records
 * @param before stages that run first, each followed by a comma
 */
export const valuesStages = (conditions: string, path: string, before = ''): string =>
  // The conditions may end with a comment.
  `[${before}
{ $match: ${(removeFilter(conditions, path) ?? conditions).trim() || '{}'}
},
{ $group: { _id: ${JSON.stringify(`$${path}`)}, records: { $sum: 1 } } },
{ $match: { _id: { $type: "string" } } },
{ $sort: { records: -1, _id: 1 } },
{ $limit: ${maxValues + 1} }
]`;

/** The stages that count the texts of a field in the newest records of a dataset: those of all wells take long. */
export const newestValuesStages = (path: string): string =>
  valuesStages('{}', path, '{ $sort: { _id: -1 } }, { $limit: 100000 },');

/**
 * The most frequent texts of a field, from the service.
 * @param stages {@link valuesStages} with all parameters replaced
 * @throws AppError
 */
export async function findValues(
  api: Pick<Api['query'], 'pipeline'>,
  target: FindTarget,
  stages: string,
  signal: AbortSignal,
): Promise<FieldValues> {
  const { records } = await api.pipeline({ ...target, stages, timeoutMs }, { signal });
  const values = parseRecords(records).flatMap((group): FieldValues['values'] =>
    isObject(group) && typeof group['_id'] === 'string'
      ? [{ value: group['_id'], records: Number(group['records']) }]
      : [],
  );
  return { values: values.slice(0, maxValues), hasMore: values.length > maxValues };
}
