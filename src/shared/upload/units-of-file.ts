import { isSameUnit, unitPair } from '../channels/units.ts';
import type { UploadTemplate } from './templates.ts';
import type { ColumnMapping, Mapping } from './upload.ts';

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
  return unitPair(now, target) && !isSameUnit(now, target)
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
