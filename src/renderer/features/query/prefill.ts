import type { DatasetType, ScopeField } from '../../../shared/datasets/datasets.ts';
import { startingQuery } from '../../../shared/language/scope.ts';
import type { QuestionText } from '../../../shared/query/question.ts';
import { defaultSettings, type Settings } from '../../../shared/settings/settings.ts';
import { companiesOf, type ScopedWell } from '../wells/scope.ts';

/** Settings for new queries. */
export type QueryDefaults = Pick<Settings, 'limit' | 'countFirst'>;

/**
 * The initial query for a dataset: limited to the selected wells, newest first, in each mode.
 * @param wells the selected wells
 * @param field the field that scopes the records; null: none; absent: the type's default
 */
export function prefill(
  type: DatasetType | null,
  wells: readonly ScopedWell[],
  field?: ScopeField | null,
  defaults: QueryDefaults = defaultSettings,
): QuestionText {
  const known = field === undefined ? undefined : { field, companies: companiesOf(wells) };
  const { query, sort } = startingQuery(type, wells.length > 0, known);
  const limit = String(defaults.limit);
  return {
    mode: 'find',
    find: { query, sort, limit, fields: '', skip: '0' },
    aggregate: { match: query, sort, limit, skip: '0', group: '', project: '' },
    pipeline: {
      stages: `[\n  { $match: ${query.replaceAll('\n', '\n  ')} },\n  { $sort: ${sort} },\n  { $limit: 20 },\n]\n`,
      view: 'text',
    },
    sql: { statement: '' },
    answers: {},
    timeout: '',
    countFirst: defaults.countFirst,
  };
}
