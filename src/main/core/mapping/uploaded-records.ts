import type { DatasetType } from '../../../shared/datasets/datasets.ts';
import { datasetShapes } from '../../../shared/datasets/shapes.ts';
import type { RecordSpan, UploadedRecords } from '../../../shared/upload/result.ts';
import type { Rules } from '../tables/model/rules.ts';
import type { ColumnFacts } from '../tables/reading/column-facts.ts';
import { spanOf } from './column-examples.ts';

/** Wells beyond these aren't listed. */
const maxAssets = 200;

/** How the records of a file are found in its dataset, as far as it is known from the first pass over the file. */
export function uploadedRecords(
  rules: Rules,
  columns: readonly ColumnFacts[],
  type: DatasetType | null,
): UploadedRecords {
  const shape = type === null ? null : datasetShapes[type];
  const scope = shape?.scopeField ?? 'asset_id';
  const paths = [scope, shape?.indexScope ?? null, shape?.indexField ?? null].filter((path) => path !== null);
  const isAt = (path: string) => (rule: { readonly path: readonly string[] }) => rule.path.join('.') === path;
  const spans = paths.flatMap((path): RecordSpan[] => {
    const constant = rules.constants.find(isAt(path));
    const [column, ...more] = rules.columns.filter(isAt(path));
    if (constant) return column ? [] : [{ path, from: constant.json, to: constant.json }];
    const facts = column && columns[column.index];
    if (!facts || more.length > 0 || column.join) return [];
    const span = spanOf(facts, column.conversion);
    return span ? [{ path, ...span }] : [];
  });
  const named = rules.columns
    .filter(isAt(scope))
    .flatMap(({ conversion }) => (conversion.kind === 'asset' ? Object.values(conversion.ids) : []));
  const assets = [...new Set(named)].toSorted((a, b) => a - b);
  return { spans, assets: assets.length > maxAssets ? [] : assets };
}
