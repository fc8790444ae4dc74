import { scopeField, type DatasetAddress, type DatasetType } from '../../../shared/datasets/datasets.ts';
import { unitsByPath } from '../../../shared/datasets/fields.ts';
import { datasetShapes } from '../../../shared/datasets/shapes.ts';
import { rangeFieldOf } from '../../../shared/language/text/range.ts';
import { fieldsOrNone } from '../../core/datasets/fields/fields.ts';
import type { Services } from '../../core/wire/services/services.ts';
import type { RecordShape } from './plan.ts';

/** Where the records of a dataset have their index, their well, and their units. @throws AppError `cancelled` */
export async function shapeOf(
  data: Services['data'],
  address: DatasetAddress,
  type: DatasetType | null,
  signal: AbortSignal | undefined,
): Promise<RecordShape> {
  const units = Object.fromEntries(unitsByPath(await fieldsOrNone(data, address, signal)));
  if (type === null) return { index: null, wellFields: [...scopeField.options], logField: null, units };
  const { indexScope, scopeField: field } = datasetShapes[type];
  const range = rangeFieldOf(type);
  return {
    index: range && {
      field: range.path,
      kind: range.of,
      unit: range.of === 'time' ? 's' : (units[range.path] ?? null),
    },
    wellFields: [field],
    logField: indexScope,
    units,
  };
}
