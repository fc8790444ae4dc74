import { datasetShapes, type DatasetType } from '../../../shared/datasets.ts';
import { nameOf, startingQuery } from '../../../shared/language/scope.ts';
import type { UploadMatch } from '../../../shared/upload-preview.ts';

/** A query as the editor takes it. */
export interface LookQuery {
  readonly query: string;
  readonly sort: string;
}

type Span = UploadMatch['spans'][number];

const condition = ({ path, from, to }: Span): string =>
  `${nameOf(path)}: ${from === to ? from : `{ $gte: ${from}, $lte: ${to} }`}`;

/**
 * The query that shows what was uploaded, the first of it first: the asset and the range of the index field that the
 * file brought. Where these can't be told the query is wider.
 * @param constants the values that were given for all rows, by path
 */
export function lookQuery(
  type: DatasetType | null,
  spans: readonly Span[],
  constants: Readonly<Record<string, string | number | boolean>>,
): LookQuery {
  const shape = type === null ? null : datasetShapes[type];
  const paths = shape
    ? [shape.scopeField, shape.indexScope, shape.indexField].filter((path) => path !== null)
    : ['asset_id'];
  const conditions = paths.flatMap((path) => {
    const constant = constants[path];
    if (constant !== undefined) return [`${nameOf(path)}: ${JSON.stringify(constant)}`];
    const span = spans.find((each) => each.path === path);
    return span ? [condition(span)] : [];
  });
  const index = shape?.indexField ?? null;
  return {
    query: conditions.length === 0 ? '{}' : `{ ${conditions.join(', ')} }`,
    sort: index === null ? startingQuery(type, []).sort : `{ ${nameOf(index)}: 1 }`,
  };
}
