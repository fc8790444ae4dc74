import { datasetShapes, type DatasetType } from '../../../../shared/datasets/datasets.ts';
import type { MatchedField, UploadMatch } from '../../../../shared/upload/preview.ts';
import type { Inspection } from '../../../../shared/upload/upload.ts';
import type { UploadTabState } from '../upload-state.ts';
import { scopeOf, type ScopedWell } from '../../wells/scope.ts';
import { chooseColumn, fillField, isAssetPath, type MappingChoices } from './mapping-choices.ts';

export type ColumnType = Inspection['columns'][number]['type'];

/** What each column holds, by what a mapping calls it. */
export function columnTypes({
  preview,
  inspection,
}: Pick<UploadTabState, 'preview' | 'inspection'>): ReadonlyMap<string, ColumnType> {
  if (preview.status !== 'loaded' || inspection.status !== 'loaded') return new Map();
  const { columns } = inspection.value;
  return new Map(
    preview.value.columns.flatMap(({ key }, at) => {
      const type = columns[at]?.type;
      return type === undefined ? [] : [[key, type] as const];
    }),
  );
}

const apiNumbers = /\b(?:api|uwi)\b/;

/** How a column gives wells, by its name and by what it holds. */
export function wellsBy(column: string, type: ColumnType | undefined): 'id' | 'name' | 'api_number' {
  const name = column.toLowerCase().replaceAll(/[^a-z]+/g, ' ');
  if (apiNumbers.test(name)) return 'api_number';
  return type === 'string' || !/\basset/.test(name) ? 'name' : 'id';
}

/** The choices with the way in which a column gives wells, where it goes to an asset and nothing says which way. */
export function withWellsBy(
  choices: MappingChoices,
  column: string,
  types: ReadonlyMap<string, ColumnType>,
): MappingChoices {
  const choice = choices.columns[column];
  if (!choice || choice.skip || choice.by !== undefined || !isAssetPath(choice.to)) return choices;
  const by = wellsBy(column, types.get(column));
  return by === 'id' ? choices : chooseColumn(choices, column, { ...choice, by });
}

/**
 * The choices with the well of the rows, where the records of the dataset belong to a well, nothing says which, and
 * exactly one is selected: a column that can name wells gives it, else it is the selected one. Null: nothing is to be
 * filled in.
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
  const naming = match.wellColumns.find((each) => each.column !== null);
  if (!naming || naming.column === null)
    return fillField(choices, scopeField, [], { from: 'constant', text: String(asset) });
  const { column, by } = naming;
  return chooseColumn(choices, column, { to: scopeField, ...(by === 'id' ? {} : { by }) });
}

/** Whether something fills a field. */
export const isFilled = ({ columns, constant, assumed }: MatchedField): boolean =>
  columns.length > 0 || constant || assumed !== null;

/** The required fields that nothing fills. */
export const missingFields = ({ fields }: Pick<UploadMatch, 'fields'>): MatchedField[] =>
  fields.filter((field) => field.required && !isFilled(field));
