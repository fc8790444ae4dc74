import type { Dataset } from '../../../shared/datasets/datasets.ts';
import { datasetShapes } from '../../../shared/datasets/shapes.ts';
import { liveField, type LiveField } from '../../../shared/tabs/live.ts';

/** The field along which a dataset grows; null: the type has none. */
export function liveFieldOf({ type }: Pick<Dataset, 'type'>): LiveField | null {
  return type === null ? null : (liveField.safeParse(datasetShapes[type].indexField).data ?? null);
}
