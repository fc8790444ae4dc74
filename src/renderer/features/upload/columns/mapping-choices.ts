import { nullWords } from '../../../../shared/upload/null-tokens.ts';
import type { ColumnMapping, Mapping } from '../../../../shared/upload/upload.ts';
import type { TargetKind } from '../../../../shared/upload/preview.ts';

/** Where a person wants a column to go, and how it is read. */
export type ColumnChoice =
  { readonly skip: true; readonly join?: never } | (ColumnMapping & { readonly skip?: never });

/** What a person has said of the mapping; columns that they said nothing of are matched by name. */
export interface MappingChoices {
  readonly columns: Readonly<Record<string, ColumnChoice>>;
  /** Values for all rows, by path, as typed. */
  readonly constants: Readonly<Record<string, string>>;
  /** Texts that stand for no value, with commas between them, as typed. */
  readonly nulls: string;
  /** Of the usual words for null those that are text in this file. */
  readonly keepAsText?: readonly string[] | undefined;
  /** The share of values, from 0 to 1, under which exceptions don't change a column's type; absent: the usual one. */
  readonly exceptionShare?: number | undefined;
  /** Names of other wells in the file whose rows are stored under the one well of all rows. */
  readonly confirmedWells?: readonly string[] | undefined;
  /** The wells that the file names are meant, whichever well is selected. */
  readonly usesFileWells?: boolean | undefined;
}

/** What decides how the whole file is read, whatever its columns are. */
export type ValueChoices = Pick<MappingChoices, 'nulls' | 'keepAsText' | 'exceptionShare'>;

/** The part of the choices that stays when the columns of the file change. */
export const valueChoices = ({ nulls, keepAsText, exceptionShare }: MappingChoices): ValueChoices => ({
  nulls,
  ...(keepAsText ? { keepAsText } : {}),
  ...(exceptionShare === undefined ? {} : { exceptionShare }),
});

/** The choices with one more text that stands for null. */
export const withNullText = (choices: MappingChoices, text: string): MappingChoices => {
  const { keepAsText = [], ...others } = choices;
  const kept = keepAsText.filter((word) => word !== text);
  return keepAsText.includes(text)
    ? { ...others, ...(kept.length > 0 ? { keepAsText: kept } : {}) }
    : { ...choices, nulls: withNull(choices.nulls, text) };
};

/** The choices with one text fewer that stands for null. */
export function withoutNullText(choices: MappingChoices, text: string): MappingChoices {
  const nulls = nullTokens(choices.nulls).filter((token) => token !== text);
  const isUsual = nullWords.includes(text);
  return {
    ...choices,
    nulls: nulls.join(', '),
    ...(isUsual ? { keepAsText: [...new Set([...(choices.keepAsText ?? []), text])] } : {}),
  };
}

/** The places of a record that name its well. */
export const assetPaths = ['asset_id', 'metadata.asset_id'] as const;

/** Whether a path of a record names its well. */
export const isAssetPath = (path: string): boolean => assetPaths.some((each) => each === path);

/** The well that is given for all rows: where it stands in the record, and its asset id. */
export interface WellOfRows {
  readonly path: string;
  readonly assetId: number;
}

/** The well that the choices give all rows; null: none. */
export function wellConstant({ constants }: MappingChoices): WellOfRows | null {
  const path = assetPaths.find((each) => /^\d{1,15}$/.test(constants[each]?.trim() ?? ''));
  return path === undefined ? null : { path, assetId: Number(constants[path]) };
}

export const noChoices: MappingChoices = { columns: {}, constants: {}, nulls: '' };

const isWhole = (kind: TargetKind | undefined): boolean =>
  kind === 'asset' || kind === 'integer' || kind === 'timestamp';

/** A constant as it is meant; what is no number where one belongs stays text, for the engine to refuse by its name. */
export function constantValue(text: string, kind: TargetKind | undefined): string | number {
  const trimmed = text.trim();
  if (isWhole(kind) && /^-?\d{1,15}$/.test(trimmed)) return Number(trimmed);
  if (kind === 'number' && /^-?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i.test(trimmed)) return Number(trimmed);
  return trimmed;
}

/** The texts between the commas. */
export function nullTokens(text: string): string[] {
  const tokens = text
    .split(',')
    .map((token) => token.trim())
    .filter((token) => token !== '');
  return [...new Set(tokens)];
}

/** The texts that stand for no value, as typed, with one more. */
export const withNull = (nulls: string, text: string): string => [...nullTokens(nulls), text].join(', ');

/** Whether a text can be named among those that stand for no value: commas part them. */
export const canBeNull = (text: string): boolean => text.trim() !== '' && !text.includes(',');

/**
 * The mapping that the choices come to, for the engine. Columns that nothing was said of go where their names say,
 * else under `data`.
 * @param kindOf what a path takes, as the engine says; undefined: it does not say
 */
export function mappingFrom(
  choices: MappingChoices,
  kindOf: (path: string) => TargetKind | undefined,
): Mapping {
  const columns: Record<string, ColumnMapping> = {};
  const skip: string[] = [];
  for (const [column, choice] of Object.entries(choices.columns))
    if (choice.skip) skip.push(column);
    else columns[column] = choice;
  const constants = Object.fromEntries(
    Object.entries(choices.constants)
      .filter(([, text]) => text.trim() !== '')
      .map(([path, text]) => [path, constantValue(text, kindOf(path))]),
  );
  const nulls = nullTokens(choices.nulls);
  return {
    columns,
    constants,
    ...(nulls.length > 0 ? { nulls } : {}),
    ...(choices.keepAsText ? { keepAsText: [...choices.keepAsText] } : {}),
    ...(choices.exceptionShare === undefined ? {} : { exceptionShare: choices.exceptionShare }),
    ...(choices.confirmedWells ? { confirmedWells: [...choices.confirmedWells] } : {}),
    ...(skip.length > 0 ? { skip } : {}),
    rest: 'data',
  };
}

const without = <T>(of: Readonly<Record<string, T>>, name: string): Record<string, T> =>
  Object.fromEntries(Object.entries(of).filter(([key]) => key !== name));

/** The choices with another one for a column; null: it is matched by its name again. */
export function chooseColumn(
  choices: MappingChoices,
  column: string,
  choice: ColumnChoice | null,
): MappingChoices {
  const others = without(choices.columns, column);
  return { ...choices, columns: choice === null ? others : { ...others, [column]: choice } };
}

const noColumns: readonly string[] = [];
/** The columns that are joined to one by choice. */
export const joinOf = (choice: ColumnChoice | undefined): readonly string[] => choice?.join ?? noColumns;

/** The choices with further columns joined to one that has a place; none: it stands alone again. */
export function joinColumns(
  choices: MappingChoices,
  column: string,
  to: string,
  join: readonly string[],
): MappingChoices {
  const choice = choices.columns[column];
  const { join: _, format: __, ...others } = choice && !choice.skip ? choice : { to };
  // A format that was named is that of the cells as they were before.
  const joined = { ...others, ...(join.length > 0 ? { join: [...join] } : {}) };
  // A column that is left out by choice goes along again.
  const kept = join
    .filter((name) => choices.columns[name]?.skip)
    .reduce<MappingChoices>((all, name) => chooseColumn(all, name, null), choices);
  return chooseColumn(kept, column, joined);
}

/** How a field is to be filled. */
export type FieldSource =
  | { readonly from: 'nothing' }
  | { readonly from: 'column'; readonly column: string; readonly join?: readonly string[] }
  | { readonly from: 'constant'; readonly text: string };

/**
 * The choices with a field filled in one way only.
 * @param filledBy the columns that fill it now; those that do so by their name are left out of the upload then
 */
export function fillField(
  choices: MappingChoices,
  path: string,
  filledBy: readonly string[],
  source: FieldSource,
): MappingChoices {
  const chosen = source.from === 'column' ? source.column : null;
  const { confirmedWells: _, ...others } = choices;
  // What was confirmed of one well holds for no other.
  const kept = isAssetPath(path) ? others : choices;
  let next: MappingChoices = { ...kept, constants: without(choices.constants, path) };
  for (const column of filledBy) {
    if (column === chosen) continue;
    const byChoice = Object.hasOwn(choices.columns, column);
    next = chooseColumn(next, column, byChoice && column !== path ? null : { skip: true });
  }
  if (chosen !== null && !filledBy.includes(chosen)) {
    const byName = chosen === path;
    next = chooseColumn(next, chosen, byName ? null : { to: path });
  }
  if (source.from === 'column' && source.join) next = joinColumns(next, source.column, path, source.join);
  if (source.from === 'constant') next = { ...next, constants: { ...next.constants, [path]: source.text } };
  return next;
}
