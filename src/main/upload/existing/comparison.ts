import { datasetShapes } from '../../../shared/datasets/datasets.ts';
import type { DatasetType } from '../../../shared/datasets/datasets.ts';
import type { Rules } from '../model/rules.ts';
import type { Comparison } from './existing-records.ts';

const nameOf = (path: readonly string[]): string => path.join('.');

/** What of a record is compared: every place that the rules fill, and no other (the service adds its own). */
export function comparisonOf({ columns, constants }: Rules, type: DatasetType | null): Comparison {
  const filled = new Map([...columns, ...constants].map(({ path }) => [nameOf(path), path]));
  const shape = type === null ? null : datasetShapes[type];
  const numericIndex =
    shape?.indexField === 'timestamp' || shape?.indexField === 'measured_depth' ? shape.indexField : null;
  const index = numericIndex !== null && filled.has(numericIndex) ? [numericIndex] : null;
  const key = index
    ? [[...(shape?.scopeField.split('.') ?? [])], index, ...(shape?.indexScope ? [[shape.indexScope]] : [])]
    : [];
  return { paths: [...filled.values()].sort((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1)), key, index };
}
