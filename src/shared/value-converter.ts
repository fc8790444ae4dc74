import { converter } from './channels/units.ts';
import type { Unit } from './channels/unit-table.ts';
import { isNullNumber } from './upload/null-tokens.ts';

/** Converts the numbers of records, except null values such as -999.25; null: one of the units isn't known. */
export function valueConverter(
  from: Unit | undefined,
  to: Unit | undefined,
): ((value: number) => number) | null {
  const convert = from && to ? converter(from, to) : undefined;
  return convert ? (value) => (isNullNumber(value) ? value : convert(value)) : null;
}
