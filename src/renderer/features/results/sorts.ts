import type { RecordsRequest } from '../../../shared/query/query.ts';
import { parseRelaxedObject } from '../../../shared/language/relaxed.ts';
import { datasetShapes, type Dataset } from '../../../shared/datasets/datasets.ts';
import type { SortDirection } from './grid-columns.ts';

/** What an answer is sorted by, as it was typed; only of a find it is said. */
export const sortTextOf = (asked: RecordsRequest): string =>
  asked.kind === 'find' ? asked.request.sort : '{}';

/** What a sort is by, by the dotted path. */
export function sortsOf(text: string): ReadonlyMap<string, SortDirection> {
  try {
    const sort = Object.entries(parseRelaxedObject(text, 'sort'));
    return new Map(
      sort.map(([path, direction]) => [path, direction === -1 ? 'descending' : 'ascending'] as const),
    );
  } catch {
    // It was answered all the same, so the service knows better what it is.
    return new Map();
  }
}

/** The field along which a dataset's records grow, where the newest stand first; else null. */
export function alongOf(asked: RecordsRequest, { type }: Pick<Dataset, 'type'>): string | null {
  const index = type === null ? null : datasetShapes[type].indexField;
  const [first] = sortsOf(sortTextOf(asked));
  return index !== null && first?.[0] === index && first[1] === 'descending' ? index : null;
}
