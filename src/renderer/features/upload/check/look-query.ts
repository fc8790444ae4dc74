import { datasetShapes, type DatasetType } from '../../../../shared/datasets/datasets.ts';
import { nameOf, startingQuery } from '../../../../shared/language/scope.ts';
import type { UploadMatch } from '../../../../shared/upload/preview.ts';
import { mappingFrom } from '../columns/mapping-choices.ts';
import { kindIn, type UploadTabState } from '../upload-state.ts';
import { namesToSettle } from '../wells/well-names.ts';

/** A query as the editor takes it. */
export interface LookQuery {
  readonly query: string;
  readonly sort: string;
}

type Span = UploadMatch['spans'][number];

const condition = ({ path, from, to }: Span): string =>
  `${nameOf(path)}: ${from === to ? from : `{ $gte: ${from}, $lte: ${to} }`}`;

/** More wells than this are not named in a query. */
const mostNamed = 200;

const oneOf = (assets: readonly number[]): string =>
  assets.length === 1 ? String(assets[0]) : `{ $in: [${assets.join(', ')}] }`;

/**
 * The query that shows what was uploaded, the first of it first: the asset and the range of the index field that the
 * file brought. Where these can't be told the query is wider.
 * @param constants the values that were given for all rows, by path
 * @param assets what the names of wells in the file stand for
 */
export function lookQuery(
  type: DatasetType | null,
  spans: readonly Span[],
  constants: Readonly<Record<string, string | number | boolean>>,
  assets: readonly number[] = [],
): LookQuery {
  const shape = type === null ? null : datasetShapes[type];
  const scope = shape?.scopeField ?? 'asset_id';
  const paths = shape ? [scope, shape.indexScope, shape.indexField].filter((path) => path !== null) : [scope];
  const conditions = paths.flatMap((path) => {
    const constant = constants[path];
    if (constant !== undefined) return [`${nameOf(path)}: ${JSON.stringify(constant)}`];
    const span = spans.find((each) => each.path === path);
    if (span) return [condition(span)];
    const named = path === scope && assets.length > 0 && assets.length <= mostNamed;
    return named ? [`${nameOf(path)}: ${oneOf(assets)}`] : [];
  });
  const index = shape?.indexField ?? null;
  return {
    query: conditions.length === 0 ? '{}' : `{ ${conditions.join(', ')} }`,
    sort: index === null ? startingQuery(type, []).sort : `{ ${nameOf(index)}: 1 }`,
  };
}

/** The query that shows where the rows of an upload belong; null: that is not known yet. */
export function lookQueryOf({
  dataset,
  match,
  choices,
  wellNames,
}: Pick<UploadTabState, 'dataset' | 'match' | 'choices' | 'wellNames'>): LookQuery | null {
  if (!dataset || !match.value) return null;
  const names = wellNames.status === 'loaded' ? namesToSettle(wellNames.value, choices) : [];
  const assets = new Set(names.map(({ assetId }) => assetId).filter((id) => id !== null));
  const { constants } = mappingFrom(choices, kindIn(match));
  return lookQuery(dataset.type, match.value.spans, constants, [...assets]);
}
