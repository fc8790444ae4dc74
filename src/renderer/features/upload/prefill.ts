import { datasetShapes, type DatasetType } from '../../../shared/datasets.ts';
import type { UploadMatch } from '../../../shared/upload-preview.ts';
import { scopeOf, type ScopedWell } from '../wells/wells.ts';
import { fillField, type MappingChoices } from './mapping-choices.ts';

/**
 * The choices with the asset of the chosen well, where the records of the dataset belong to a well, no column says
 * which, and exactly one is chosen. Null: nothing is to be filled in.
 */
export function withChosenWell(
  choices: MappingChoices,
  match: UploadMatch,
  type: DatasetType | null,
  wells: readonly ScopedWell[],
): MappingChoices | null {
  const [asset, ...more] = scopeOf(wells);
  if (type === null || type === 'reference' || asset === undefined || more.length > 0) return null;
  const { scopeField } = datasetShapes[type];
  const field = match.fields.find(({ path }) => path === scopeField);
  if (!field || field.columns.length > 0 || field.constant) return null;
  return fillField(choices, scopeField, [], { from: 'constant', text: String(asset) });
}
