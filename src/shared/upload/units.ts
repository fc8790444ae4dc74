import { valueUnder } from '../json.ts';
import { unitOf, unitPair, isSameUnit } from '../channels/units.ts';
import { storedUnit, type StoredUnits } from '../datasets/fields.ts';
import type { ColumnMapping, Mapping } from './upload.ts';
import type { UploadTemplate } from './templates.ts';

/** Texts in the place of a unit that mean “no unit”, or name the type of the column. */
const noUnit =
  /^(?:-+|n\/?a|none|unitless|dimensionless|no ?units?|units?|ratio|index|flag|code|text|string|number|int(?:eger)?|bool(?:ean)?|float|double|date|time|date ?time|timestamp|[dmyhs\s:./_-]{4,})$/i;

/** Whether a text in the place of a unit names one. The form of a date can be one too: mS/m is a conductivity. */
export const namesUnit = (text: string): boolean => !noUnit.test(text) || unitOf(text) !== undefined;

/** A column whose cells become numbers. */
export interface NumberColumn {
  readonly column: string;
  /** The path in the record. */
  readonly to: string;
  /** The unit of its cells: that of the mapping, else that of the file; null: unknown. */
  readonly unit: string | null;
}

/** The entry of a column with both units if its numbers have to be converted; null: it stays as it is. */
function converted(
  { column, to, unit }: NumberColumn,
  mapping: Mapping,
  stored: StoredUnits,
): ColumnMapping | null {
  const wanted = valueUnder(mapping.columns, column);
  if (wanted?.convert === false || (wanted !== undefined && wanted.to !== to)) return null;
  const into = wanted?.fieldUnit ?? storedUnit(stored, to);
  if (unit === null || into == null || (wanted?.unit && wanted.fieldUnit)) return null;
  const pair = unitPair(unit, into);
  if (!pair || pair.from === pair.to) return null;
  return { to, ...wanted, unit: pair.from.symbol, fieldUnit: pair.to.symbol };
}

/**
 * A mapping with both units of each column whose numbers are in another unit than their field, however the field was
 * set: selected, typed, in a file, or by name. Columns with `"convert": false` stay as they are.
 * @param columns the columns of numbers, by the match of that mapping
 * @param stored the units of the fields of the dataset by path
 */
export function withFieldUnits(
  mapping: Mapping,
  columns: readonly NumberColumn[],
  stored: StoredUnits,
): Mapping {
  const changed = columns.flatMap((column) => {
    const entry = converted(column, mapping, stored);
    return entry ? [[column.column, entry] as const] : [];
  });
  if (changed.length === 0) return mapping;
  return { ...mapping, columns: { ...mapping.columns, ...Object.fromEntries(changed) } };
}

/** A mapping of files for other datasets, without units of fields that are other ones in this dataset. */
export function withoutOtherFieldUnits(mapping: Mapping, stored: StoredUnits): Mapping {
  const columns = Object.entries(mapping.columns).map(([column, wanted]) => {
    const { fieldUnit, ...others } = wanted;
    const ofField = storedUnit(stored, wanted.to);
    const isOther = fieldUnit !== undefined && ofField != null && !isSameUnit(fieldUnit, ofField);
    return [column, isOther ? others : wanted] as const;
  });
  return { ...mapping, columns: Object.fromEntries(columns) };
}

/** A column whose unit in this file is another one than in the file of its mapping. */
export interface UnitDifference {
  readonly column: string;
  /** The unit of the mapping. */
  readonly before: string;
  /** The unit of this file; null: it says none, so that of the mapping applies. */
  readonly now: string | null;
  /** Whether values are converted; otherwise they stay as they are in the file. */
  readonly isConverted: boolean;
}

/** How a column is read in the unit of this file, so that its field gets the same unit as before. */
function inUnitOfFile(wanted: ColumnMapping, before: string, now: string): ColumnMapping {
  const { unit: _, fieldUnit, ...others } = wanted;
  // Without a conversion, the field got the unit of the earlier file.
  const target = fieldUnit ?? before;
  return others.convert !== false && unitPair(now, target) && !isSameUnit(now, target)
    ? { ...others, unit: now, fieldUnit: target }
    : others;
}

/**
 * A mapping of an earlier file with the units of this one: a header can be the same although the units below it differ.
 * @param units of the columns of the header in the earlier file; absent: only conversions tell them
 */
export function withUnitsOfFile(
  { header, units, mapping }: Pick<UploadTemplate, 'header' | 'units' | 'mapping'>,
  fileUnits: ReadonlyMap<string, string | null>,
): { readonly mapping: Mapping; readonly differences: readonly UnitDifference[] } {
  const columns = { ...mapping.columns };
  const differences: UnitDifference[] = [];
  for (const [column, wanted] of Object.entries(mapping.columns)) {
    const before = units?.[header.indexOf(column)] ?? wanted.unit;
    const now = fileUnits.get(column);
    if (before == null || now === undefined || (now !== null && isSameUnit(before, now))) continue;
    const isConverting = wanted.unit !== undefined && wanted.fieldUnit !== undefined;
    if (now === null && !isConverting) continue;
    const fileUnit = now === null ? wanted : inUnitOfFile(wanted, before, now);
    columns[column] = fileUnit;
    differences.push({ column, before, now, isConverted: fileUnit.fieldUnit !== undefined });
  }
  return { mapping: { ...mapping, columns }, differences };
}
