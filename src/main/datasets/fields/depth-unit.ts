import { channelOf } from '../../../shared/channels/channels.ts';
import type { DatasetField } from '../../../shared/datasets/fields.ts';
import { depthPath } from '../../../shared/datasets/shapes.ts';

/** Largest relative difference between the ranges of depths and of a field that repeats them. */
const maxRangeDifference = 0.05;

function isSameRange(one: DatasetField['range'], other: DatasetField['range']): boolean {
  // Without records, nothing contradicts the definition.
  if (!one || !other) return true;
  const limit = maxRangeDifference * Math.max(Math.abs(one.max), Math.abs(one.min));
  return Math.abs(one.min - other.min) <= limit && Math.abs(one.max - other.max) <= limit;
}

/**
 * The fields, with the unit of the records' depths where only another field shows it: definitions have units of channels,
 * and many datasets repeat the depth among them, such as `data.dep`.
 */
export function withDepthUnit(fields: readonly DatasetField[]): DatasetField[] {
  const depth = fields.find(({ path }) => path === depthPath);
  if (!depth || depth.unit !== undefined) return [...fields];
  const copy = fields.find(
    ({ path, unit = null, range }) =>
      path.startsWith('data.') &&
      unit !== null &&
      channelOf(path, { unit })?.channel.name === depthPath &&
      isSameRange(depth.range, range),
  );
  return fields.map((field) => (field === depth && copy?.unit ? { ...field, unit: copy.unit } : field));
}
