import type { DatasetType } from '../datasets/datasets.ts';
import { timeFieldOf } from '../datasets/shapes.ts';
import type { Mirror } from '../contract/export.ts';

/** Whether the files of a mirror can be divided by time. Records of an unknown type have a time. */
export const canBeDivided = (type: DatasetType | null): boolean => timeFieldOf(type ?? 'time') !== null;

/** How the folder of a mirror is divided: by well, and by period if its records have a time. */
export const mirrorPartition = (type: DatasetType | null, period: 'day' | 'month'): Mirror['partition'] =>
  canBeDivided(type) ? ['asset_id', period] : ['asset_id'];
