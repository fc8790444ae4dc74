import { unitPair } from '../channels/units.ts';
import type { StoredUnits } from '../datasets/fields.ts';
import type { ColumnMapping, Mapping } from './upload.ts';

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
  const wanted = Object.hasOwn(mapping.columns, column) ? mapping.columns[column] : undefined;
  if (wanted?.convert === false || (wanted !== undefined && wanted.to !== to)) return null;
  const into = wanted?.fieldUnit ?? (Object.hasOwn(stored, to) ? stored[to] : null);
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
