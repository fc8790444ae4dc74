import { type DatasetType, assetPaths, datasetShapes, isAssetPath } from '../datasets/datasets.ts';
import { rangeFieldOf } from '../language/text/conditions.ts';

/**
 * Where the records of a dataset have their index, and what tells their series apart.
 * @param unitOf the unit of a field by its path
 */
export function recordShapeOf(type: DatasetType | null, unitOf: (path: string) => string | null | undefined) {
  const range = rangeFieldOf(type);
  const shape = type && datasetShapes[type];
  return {
    index: range && {
      field: range.path,
      kind: range.of,
      unit: range.of === 'time' ? 's' : (unitOf(range.path) ?? null),
    },
    /** Records have one of them. */
    wellFields: shape ? shape.scopeFields.filter(isAssetPath) : [...assetPaths],
    logField: shape?.indexScope ?? null,
  };
}
