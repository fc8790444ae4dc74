import { valueUnder } from '../../../../shared/json.ts';
import { assetPaths, isAssetPath } from '../../../../shared/datasets/datasets.ts';
import { nullWords } from '../../../../shared/upload/null-tokens.ts';
import type { ColumnMapping, Mapping } from '../../../../shared/upload/upload.ts';
import { typedNumber } from '../../../format/numbers.ts';
import type { TargetKind } from '../../../../shared/upload/preview.ts';

export type ColumnChoice =
  /** `isEmpty`: it is skipped because it has no values in this file. */
  | ({ readonly skip: true; readonly isEmpty?: true | undefined } & {
      readonly [Key in keyof ColumnMapping]?: never;
    })
  | (ColumnMapping & { readonly skip?: never; readonly isEmpty?: never });

/** A mapping that is being made: columns without a choice are matched by name, or else stored under their own. */
export interface MappingChoices extends Readonly<
  Omit<Mapping, 'columns' | 'constants' | 'nulls' | 'skip' | 'rest'>
> {
  readonly columns: Readonly<Record<string, ColumnChoice>>;
  /** Constants for all rows, by path: as typed, or values of a mapping. */
  readonly constants: Readonly<Record<string, string | number | boolean>>;
  /** Null values beside the usual ones. */
  readonly nulls: readonly string[];
  /** The wells named in the file apply, regardless of the selected well. */
  readonly usesFileWells?: boolean | undefined;
}

export const withNullText = (choices: MappingChoices, text: string): MappingChoices => {
  const { keepAsText = [], ...otherChoices } = choices;
  const kept = keepAsText.filter((word) => word !== text);
  return keepAsText.includes(text)
    ? { ...otherChoices, ...(kept.length > 0 ? { keepAsText: kept } : {}) }
    : { ...choices, nulls: [...new Set([...choices.nulls, text])] };
};

export function withoutNullText(choices: MappingChoices, text: string): MappingChoices {
  const isUsual = nullWords.includes(text);
  return {
    ...choices,
    nulls: choices.nulls.filter((token) => token !== text),
    ...(isUsual ? { keepAsText: [...new Set([...(choices.keepAsText ?? []), text])] } : {}),
  };
}

/** A constant well for all rows: its path in the record and its asset id. */
export interface ConstantWell {
  readonly path: string;
  readonly assetId: number;
}

/** The constant well; null: none. @param filled paths of columns, whose blanks a constant fills */
export function wellConstant(
  { constants }: MappingChoices,
  filled: readonly (string | null)[] = [],
): ConstantWell | null {
  const path = assetPaths.find(
    (assetPath) =>
      /^\d{1,15}$/.test(String(constants[assetPath] ?? '').trim()) && !filled.includes(assetPath),
  );
  return path === undefined ? null : { path, assetId: Number(constants[path]) };
}

export const noChoices: MappingChoices = { columns: {}, constants: {}, nulls: [] };

const isIntegerKind = (kind: TargetKind | undefined): boolean =>
  kind === 'asset' || kind === 'integer' || kind === 'timestamp';

/** A constant as a number or a text. A text where a number is required stays text: validation reports it. */
export function constantValue(text: string, kind: TargetKind | undefined): string | number {
  const trimmed = text.trim();
  if (isIntegerKind(kind) && /^-?\d{1,15}$/.test(trimmed)) return Number(trimmed);
  return (kind === 'number' ? typedNumber(trimmed) : undefined) ?? trimmed;
}

/**
 * The mapping for the engine. Columns without a choice map to the field of the same name, or under `data`.
 * @param kindOf the type that a path takes; undefined: unknown
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
  const { constants: typed, nulls, usesFileWells: _, ...otherChoices } = choices;
  const constants = Object.fromEntries(
    Object.entries(typed)
      .filter(([, value]) => typeof value !== 'string' || value.trim() !== '')
      .map(([path, value]) => [path, typeof value === 'string' ? constantValue(value, kindOf(path)) : value]),
  );
  return {
    ...otherChoices,
    columns,
    constants,
    ...(nulls.length > 0 ? { nulls: [...nulls] } : {}),
    ...(skip.length > 0 ? { skip } : {}),
    rest: 'data',
  };
}

/** @param chosen the choices by column; null: the column is matched by name */
export function chooseColumns(
  choices: MappingChoices,
  chosen: ReadonlyMap<string, ColumnChoice | null>,
): MappingChoices {
  if (chosen.size === 0) return choices;
  const kept = Object.entries(choices.columns).filter(([column]) => !chosen.has(column));
  const added = [...chosen].flatMap(([column, choice]) =>
    choice === null ? [] : [[column, choice] as const],
  );
  return { ...choices, columns: Object.fromEntries([...kept, ...added]) };
}

/** The choices with a new choice for a column; null: the column is matched by name. */
export const chooseColumn = (
  choices: MappingChoices,
  column: string,
  choice: ColumnChoice | null,
): MappingChoices => chooseColumns(choices, new Map([[column, choice]]));

/** Whether a field can have codes with leading zeros. @param kind undefined: unknown */
export const takesDigits = (kind: TargetKind | undefined): boolean =>
  kind === undefined || kind === 'auto' || kind === 'identifier';

const kindsWithoutTimes: readonly (TargetKind | undefined)[] = ['asset', 'integer', 'number'];

/**
 * A column with another target, whose cells are read as before: type, format, time zone, and unit describe the file.
 * @param kind the type of values that the target takes; undefined: unknown
 */
export function retargeted(
  choice: ColumnChoice | undefined,
  to: string,
  kind: TargetKind | undefined,
): ColumnMapping {
  if (choice === undefined || choice.skip) return { to };
  // The unit of the field, and whether it is converted to, were those of the other one.
  const {
    fieldUnit: _,
    convert: __,
    by,
    wells,
    format,
    zone,
    repeatedTimes,
    digits,
    ...otherChoice
  } = choice;
  return {
    ...otherChoice,
    to,
    ...(isAssetPath(to) ? { by, wells } : {}),
    ...(kindsWithoutTimes.includes(kind) ? {} : { format, zone, repeatedTimes }),
    ...(takesDigits(kind) ? { digits } : {}),
  };
}

/** The choices with columns joined to a mapped column; empty: no join. */
export function joinColumns(
  choices: MappingChoices,
  column: string,
  to: string,
  join: readonly string[],
): MappingChoices {
  const choice = valueUnder(choices.columns, column);
  const joined = {
    ...(choice && !choice.skip ? choice : { to }),
    join: join.length > 0 ? [...join] : undefined,
    // It described the cells without the join.
    format: undefined,
  };
  // A skipped column is included again when it is joined.
  const included = join
    .filter((name) => valueUnder(choices.columns, name)?.skip)
    .map((name) => [name, null] as const);
  return chooseColumns(choices, new Map([...included, [column, joined]]));
}

export type FieldSource =
  | { readonly from: 'nothing' }
  /** A well that records go without, as the user confirms. */
  | { readonly from: 'nowhere' }
  | { readonly from: 'column'; readonly column: string; readonly join?: readonly string[] }
  | { readonly from: 'constant'; readonly text: string };

/**
 * The choices with one source for a field.
 * @param filledBy its current columns; those matched by name are skipped from now on
 * @param kind the type of values that the field takes; undefined: unknown
 */
export function fillField(
  choices: MappingChoices,
  path: string,
  filledBy: readonly string[],
  source: FieldSource,
  kind: TargetKind | undefined = isAssetPath(path) ? 'asset' : undefined,
): MappingChoices {
  const chosen = source.from === 'column' ? source.column : null;
  const { confirmedWells: _, withoutWell: ___, ...otherChoices } = choices;
  // Confirmations applied to the previous well.
  const kept = isAssetPath(path) ? otherChoices : choices;
  const { [path]: __, ...constants } = choices.constants;
  let next: MappingChoices = { ...kept, constants };
  for (const column of filledBy) {
    if (column === chosen) continue;
    const byChoice = Object.hasOwn(choices.columns, column);
    next = chooseColumn(next, column, byChoice && column !== path ? null : { skip: true });
  }
  if (chosen !== null && !filledBy.includes(chosen)) {
    const before = valueUnder(choices.columns, chosen);
    const isRead = before !== undefined && !before.skip;
    // Type, format, and unit describe the file.
    next = chooseColumn(next, chosen, chosen === path && !isRead ? null : retargeted(before, path, kind));
  }
  if (source.from === 'column' && source.join) next = joinColumns(next, source.column, path, source.join);
  if (source.from === 'nowhere') next = { ...next, withoutWell: true };
  if (source.from === 'constant') next = { ...next, constants: { ...next.constants, [path]: source.text } };
  return next;
}
