import type { RecordsRequest } from '../../../shared/query/query.ts';
import { parseRelaxedObject } from '../../../shared/language/relaxed.ts';
import type { Dataset } from '../../../shared/datasets/datasets.ts';
import { datasetShapes } from '../../../shared/datasets/shapes.ts';
import type { SortDirection } from './grid-columns.ts';

/** The sort of a result as typed; only a find has one. */
export const typedSort = (asked: RecordsRequest): string =>
  asked.kind === 'find' ? asked.request.sort : '{}';

/** The sort, by dotted path. */
export function parseSort(text: string): ReadonlyMap<string, SortDirection> {
  try {
    const sort = Object.entries(parseRelaxedObject(text, 'sort'));
    return new Map(
      sort.map(([path, direction]) => [path, direction === -1 ? 'descending' : 'ascending'] as const),
    );
  } catch {
    // The service accepted the sort, although it can't be parsed here.
    return new Map();
  }
}

/** The field along which a dataset grows, if the newest records come first; else null. */
export function growthField(asked: RecordsRequest, { type }: Pick<Dataset, 'type'>): string | null {
  const index = type === null ? null : datasetShapes[type].indexField;
  const [first] = parseSort(typedSort(asked));
  return index !== null && first?.[0] === index && first[1] === 'descending' ? index : null;
}
