import type { DatasetType } from '../../../../shared/datasets/datasets.ts';
import type { MatchedField, UploadMatch } from '../../../../shared/upload/preview.ts';
import type { Inspection } from '../../../../shared/upload/upload.ts';
import type { WellsBy } from '../../../../shared/upload/wells.ts';
import type { UploadTabState } from '../upload-state.ts';
import { scopeOf, type ScopedWell } from '../../../../shared/wells/scope.ts';
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
export function suggestedWellMatch(column: string, type: ColumnType | undefined): WellsBy {
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
 * The choices with the sources of required fields that are certain: a column that names wells, else the only selected
 * well; a column of dates with one of times of day; the only column whose name and content fit. Null: nothing to fill
 * in.
 */
export function withCertainSources(
  choices: MappingChoices,
  match: UploadMatch,
  type: DatasetType | null,
  wells: readonly ScopedWell[],
): MappingChoices | null {
  let filled = choices;
  const used = new Set<string>();
  for (const field of match.fields) {
    if (isFilled(field)) continue;
    if (isAssetPath(field.path)) {
      // A record without a well can be meant where the dataset has such records.
      if (field.required || (type !== null && type !== 'reference'))
        filled = withWellSource(filled, field.path, match, wells);
      continue;
    }
    const [join, ...otherJoins] = field.joins;
    const isJoin =
      join !== undefined && otherJoins.length === 0 && field.likely.every((column) => column === join.column);
    const source = isJoin ? join : field.certain !== null && { column: field.certain };
    if (!field.required || !source || used.has(source.column)) continue;
    used.add(source.column);
    filled = fillField(filled, field.path, [], { from: 'column', ...source });
  }
  return filled === choices ? null : filled;
}

/** The choices with the likeliest column that names wells as the source of the well, else the only selected well. */
function withWellSource(
  choices: MappingChoices,
  path: string,
  { wellColumns }: UploadMatch,
  wells: readonly ScopedWell[],
): MappingChoices {
  const naming = wellColumns.find(({ column }) => column !== null);
  if (naming && naming.column !== null) {
    const { column, by } = naming;
    return chooseColumn(choices, column, { to: path, ...(by === 'id' ? {} : { by }) });
  }
  const [asset, ...more] = scopeOf(wells);
  if (asset === undefined || more.length > 0) return choices;
  return fillField(choices, path, [], { from: 'constant', text: String(asset) });
}

export const isFilled = ({ columns, constant, assumed }: MatchedField): boolean =>
  columns.length > 0 || constant || assumed !== null;

/** Required fields without a source. */
export const missingFields = ({ fields }: Pick<UploadMatch, 'fields'>): MatchedField[] =>
  fields.filter((field) => field.required && !isFilled(field));
