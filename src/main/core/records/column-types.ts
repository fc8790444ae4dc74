import { countInWords } from '../../../shared/lists.ts';
import {
  timeKinds,
  valueGroups,
  valueKinds,
  type Column,
  type ValueGroup,
  type ValuesOfGroup,
} from './columns.ts';

const hasOnly = (kinds: number, allowed: number): boolean => (kinds & ~allowed) === 0;

const numberKinds = valueKinds.integer | valueKinds.number | valueKinds.inexact | valueKinds.huge;

export const columnTypes = ['BOOLEAN', 'INT64', 'DOUBLE', 'STRING', 'TIMESTAMP'] as const;
export type ColumnType = (typeof columnTypes)[number];

/**
 * The type of a column: of numbers alone a number, of several kinds text. Integers have 64 bits if all are within them; numbers
 * are doubles otherwise, those with more digits the nearest ones (see {@link roundedInWords}).
 */
export function typeOf({ path, kinds }: Column): ColumnType {
  if (kinds === 0) return 'STRING';
  if (hasOnly(kinds, valueKinds.instant)) return 'TIMESTAMP';
  const { instant } = valueKinds;
  const plainKinds = kinds & instant ? (kinds & ~instant) | (timeKinds.get(path) ?? 0) : kinds;
  if (hasOnly(plainKinds, valueKinds.boolean)) return 'BOOLEAN';
  if (hasOnly(plainKinds, valueKinds.integer | valueKinds.inexact)) return 'INT64';
  return hasOnly(plainKinds, numberKinds) ? 'DOUBLE' : 'STRING';
}

const groupWords: Readonly<Record<ValueGroup, readonly [one: string, several: string]>> = {
  time: ['time', 'times'],
  boolean: ['true or false', 'true or false'],
  number: ['number', 'numbers'],
  longNumber: ['number with more digits than a double has', 'numbers with more digits than a double has'],
  text: ['text', 'texts'],
  nested: ['list or object', 'lists or objects'],
};

/** Some values of a column in words: `3 texts such as "none"`. */
export const valuesInWords = (group: ValueGroup, { count, example }: ValuesOfGroup): string =>
  `${countInWords(count, ...groupWords[group])} such as ${example}`;

/** What a column of several types has, in words; null: its values have one type. */
export function mixtureInWords({ path, values = {} }: Column): string | null {
  const groups = valueGroups.flatMap((group) => {
    const ofGroup = values[group];
    return ofGroup ? [valuesInWords(group, ofGroup)] : [];
  });
  return groups.length < 2 ? null : `${path} (${groups.join(', ')})`;
}

/** What a column of doubles has rounded, in words; null: nothing. */
export function roundedInWords({ path, values: { longNumber } = {} }: Column): string | null {
  return longNumber ? `${path} (${valuesInWords('longNumber', longNumber)})` : null;
}

export interface TypesOptions {
  readonly omittedPaths: ReadonlySet<string>;
  readonly typeOf: (column: Column) => ColumnType;
}

/**
 * The types of a folder's columns, without those whose values are in the names of folders. A number of the payload is a
 * `DOUBLE` even if all values so far are whole: the next day can have fractions, and then all files would change.
 * Integers that a double can't hold stay `INT64`.
 */
export function folderTypes({ assetPath }: { readonly assetPath: string | null }): TypesOptions {
  const { integer, inexact, number } = valueKinds;
  const isWhole = ({ path, kinds }: Column): boolean =>
    path.startsWith('data.') && (kinds & integer) !== 0 && (kinds & inexact) === 0;
  return {
    omittedPaths: new Set(assetPath === 'asset_id' ? [assetPath] : []),
    typeOf: (column) => typeOf(isWhole(column) ? { ...column, kinds: column.kinds | number } : column),
  };
}
