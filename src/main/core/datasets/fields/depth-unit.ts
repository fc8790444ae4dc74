import { channelOf } from '../../../../shared/channels/channels.ts';
import type { DatasetField } from '../../../../shared/datasets/fields.ts';
import { depthPath } from '../../../../shared/datasets/shapes.ts';
import { isObject, valueAt, type JsonValue } from '../../../../shared/json.ts';
import { isNullNumber } from '../../../../shared/upload/null-tokens.ts';

/** Largest relative difference between the depth of a record and a channel that repeats it: a record can be a mean. */
const maxDifference = 0.05;

/** Whether a channel has the depth in each record that has both. Without such a record, nothing contradicts the definition. */
const repeatsDepth = (path: readonly string[], records: readonly JsonValue[]): boolean =>
  records.every((record) => {
    if (!isObject(record)) return true;
    const [depth, value] = [record[depthPath], valueAt(record, path)];
    if (typeof depth !== 'number' || typeof value !== 'number' || isNullNumber(value)) return true;
    return Math.abs(depth - value) <= maxDifference * Math.max(Math.abs(depth), Math.abs(value));
  });

/**
 * The fields, with the unit of the records' depths where only another field shows it: definitions have units of channels,
 * and many datasets repeat the depth among them, such as `data.dep`. Not all of their records do.
 */
export function withDepthUnit(fields: DatasetField[], records: readonly JsonValue[]): DatasetField[] {
  const depth = fields.find(({ path }) => path === depthPath);
  if (!depth || depth.unit !== undefined) return fields;
  const copy = fields.find(
    ({ path, unit = null }) =>
      path.startsWith('data.') &&
      unit !== null &&
      channelOf(path, { unit })?.channel.name === depthPath &&
      repeatsDepth(path.split('.'), records),
  );
  return copy?.unit === undefined
    ? fields
    : fields.map((field) => (field === depth ? { ...field, unit: copy.unit } : field));
}
