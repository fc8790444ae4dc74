import { valueUnder } from '../../../../shared/json.ts';
import { type DatasetType, datasetShapes, scopeFieldOf } from '../../../../shared/datasets/datasets.ts';
import { assetCondition, nameOf, startingQuery } from '../../../../shared/language/scope.ts';
import type { UploadMatch } from '../../../../shared/upload/preview.ts';
import { mappingFrom } from '../columns/mapping-choices.ts';
import { targetKind, type UploadTabState } from '../upload-state.ts';
import { assetsOf } from '../wells/file-wells.ts';

/** A query as the editor takes it. */
export interface RecordQuery {
  readonly query: string;
  readonly sort: string;
}

type Span = UploadMatch['spans'][number];

const condition = ({ path, from, to }: Span): string =>
  `${nameOf(path)}: ${from === to ? from : `{ $gte: ${from}, $lte: ${to} }`}`;

/** A query with more wells than this has no well condition. */
const maxNamedWells = 200;

/**
 * The query for the uploaded records, oldest first: the assets, and the range of the index field in the file.
 * Unknown parts are omitted, which widens the query.
 * @param constants values for all rows, by path
 * @param assets the assets that the file's well names match
 */
export function uploadedRecordsQuery(
  type: DatasetType | null,
  spans: readonly Span[],
  constants: Readonly<Record<string, string | number | boolean>>,
  assets: readonly number[] = [],
): RecordQuery {
  const shape = type === null ? null : datasetShapes[type];
  const scope = scopeFieldOf(type);
  const paths = shape ? [scope, shape.indexScope, shape.indexField].filter((path) => path !== null) : [scope];
  const conditions = paths.flatMap((path) => {
    const constant = valueUnder(constants, path);
    if (constant !== undefined) return [`${nameOf(path)}: ${JSON.stringify(constant)}`];
    // Between the ids of the file's wells are those of others.
    if (path === scope && assets.length > 0 && assets.length <= maxNamedWells)
      return [assetCondition(path, assets)];
    const span = spans.find((span) => span.path === path);
    return span ? [condition(span)] : [];
  });
  const index = shape?.indexField ?? null;
  return {
    query: conditions.length === 0 ? '{}' : `{ ${conditions.join(', ')} }`,
    sort: index === null ? startingQuery(type, false).sort : `{ ${nameOf(index)}: 1 }`,
  };
}

/** The query for the existing records of an upload's wells; null: the wells are not known yet. */
export function targetRecordsQuery(
  state: Pick<UploadTabState, 'dataset' | 'match' | 'choices' | 'wellNames'>,
): RecordQuery | null {
  const { dataset, match, choices } = state;
  if (!dataset || !match.value) return null;
  const { fields, spans } = match.value;
  const inColumns = fields.filter(({ columns }) => columns.length > 0).map(({ path }) => path);
  const { constants } = mappingFrom(choices, targetKind(match));
  // The constant of a field with columns is only that of blank cells.
  const ofAllRows = Object.entries(constants).filter(([path]) => !inColumns.includes(path));
  return uploadedRecordsQuery(
    dataset.type,
    spans,
    Object.fromEntries(ofAllRows),
    assetsOf(state, scopeFieldOf(dataset.type)),
  );
}
