import type { DatasetType, ScopeField } from '../../../shared/datasets/datasets.ts';
import { startingQuery } from '../../../shared/language/scope.ts';
import type { QuestionText } from '../../../shared/query/question.ts';
import { defaultSettings, type Settings } from '../../../shared/settings/settings.ts';
import { companiesOf, scopeOf, type ScopedWell } from '../wells/scope.ts';

/** What of the settings a new question begins with. */
export type FirstOptions = Pick<Settings, 'limit' | 'countFirst'>;

/**
 * What a tab of a dataset starts with: the scope of these wells by their asset ids, newest first, in each mode.
 * @param field what is known to scope the records, null for nothing; absent: what the type says
 */
export function prefill(
  type: DatasetType | null,
  wells: readonly ScopedWell[],
  field?: ScopeField | null,
  first: FirstOptions = defaultSettings,
): QuestionText {
  const known = field === undefined ? undefined : { field, companies: companiesOf(wells) };
  const { query, sort } = startingQuery(type, scopeOf(wells), known);
  const limit = String(first.limit);
  return {
    mode: 'find',
    find: { query, sort, limit, fields: '', skip: '0' },
    aggregate: { match: query, sort, limit, skip: '0', group: '', project: '' },
    pipeline: {
      stages: `[\n  { $match: ${query.replaceAll('\n', '\n  ')} },\n  { $sort: ${sort} },\n  { $limit: 20 },\n]\n`,
      view: 'text',
    },
    answers: {},
    timeout: '',
    countFirst: first.countFirst,
  };
}
