import type { DatasetType, ScopeField } from '../../../shared/datasets/datasets.ts';
import { scopeFieldOf } from '../../../shared/datasets/shapes.ts';
import { startingQuery } from '../../../shared/language/scope.ts';
import type { QuestionText } from '../../../shared/query/question.ts';
import type { Settings } from '../../../shared/settings/settings.ts';
import { companiesOf, type ScopedWell } from '../../../shared/wells/scope.ts';

/** Settings for new queries. */
export type QueryDefaults = Pick<Settings, 'limit' | 'countFirst'>;

/**
 * The initial query for a dataset: limited to the selected wells. A find is newest first; a pipeline counts the records
 * of each well.
 * @param wells the selected wells
 * @param field the field that scopes the records; null: none; undefined: the type's default
 */
export function prefill(
  type: DatasetType | null,
  wells: readonly ScopedWell[],
  field: ScopeField | null | undefined,
  { limit, countFirst }: QueryDefaults,
): QuestionText {
  const wellValues = field === undefined ? undefined : { field, companies: companiesOf(wells) };
  const { query, sort } = startingQuery(type, wells.length > 0, wellValues);
  const scope = field ?? scopeFieldOf(type);
  return {
    mode: 'find',
    find: { query, sort, limit: String(limit), fields: '', skip: '0' },
    // What is grouped has no sort and no limit that nobody set: a limit would apply before grouping.
    aggregate: { match: query, sort: '', limit: '', skip: '0', group: '', project: '' },
    pipeline: {
      stages: `[\n  { $match: ${query.replaceAll('\n', '\n  ')} },\n  { $group: { _id: "$${scope}", records: { $sum: 1 } } },\n]\n`,
      view: 'text',
    },
    sql: { statement: '' },
    answers: {},
    timeout: '',
    countFirst,
  };
}
