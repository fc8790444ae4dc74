import { datasetShapes, type DatasetType } from '../../../../shared/datasets/datasets.ts';
import type { MatchedField, UploadMatch } from '../../../../shared/upload/preview.ts';
import type { Inspection } from '../../../../shared/upload/upload.ts';
import type { UploadTabState } from '../upload-state.ts';
import { scopeOf, type ScopedWell } from '../../wells/scope.ts';
import { chooseColumn, fillField, isAssetPath, type MappingChoices } from './mapping-choices.ts';

export type ColumnType = Inspection['columns'][number]['type'];

/** The type of each column, by its key in a mapping. */
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

/** How a column identifies wells, by its name and its type. */
export function suggestedWellMatch(
  column: string,
  type: ColumnType | undefined,
): 'id' | 'name' | 'api_number' {
  const name = column.toLowerCase().replaceAll(/[^a-z]+/g, ' ');
  if (apiNumbers.test(name)) return 'api_number';
  return type === 'string' || !/\basset/.test(name) ? 'name' : 'id';
}

/** The choices with a suggested well match for a column that maps to an asset without one. */
export function withWellMatch(
  choices: MappingChoices,
  column: string,
  types: ReadonlyMap<string, ColumnType>,
): MappingChoices {
  const choice = choices.columns[column];
  if (!choice || choice.skip || choice.by !== undefined || !isAssetPath(choice.to)) return choices;
  const by = suggestedWellMatch(column, types.get(column));
  return by === 'id' ? choices : chooseColumn(choices, column, { ...choice, by });
}

/**
 * The choices with a well for all rows, where the dataset belongs to wells, no source is set, and exactly one
 * well is selected. A column that can identify wells is preferred to the selected well. Null: nothing to fill
 * in.
 */
export function withSelectedWell(
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

export const isFilled = ({ columns, constant, assumed }: MatchedField): boolean =>
  columns.length > 0 || constant || assumed !== null;

/** Required fields without a source. */
export const missingFields = ({ fields }: Pick<UploadMatch, 'fields'>): MatchedField[] =>
  fields.filter((field) => field.required && !isFilled(field));
