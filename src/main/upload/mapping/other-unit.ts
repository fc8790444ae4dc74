import { isSameUnit, quantitiesOf, symbolText } from '../../../shared/channels/units.ts';
import type { FileWarning } from '../../../shared/upload/upload.ts';
import type { ColumnFacts } from '../reading/column-facts.ts';
import type { Match } from './match.ts';

/** A warning that the file says another unit of a column than the mapping; none if one of them says no unit. */
export function otherUnit({ column, unit, wanted }: Match, facts: ColumnFacts | undefined): FileWarning[] {
  if (unit === null || wanted.unit === undefined) return [];
  if (quantitiesOf(unit).length === 0 || isSameUnit(wanted.unit, unit)) return [];
  return [
    {
      code: 'unit_differs',
      message: `Column “${column}” is read in ${symbolText(wanted.unit)}, but the file says ${symbolText(unit)}. Check the unit of the column.`,
      line: null,
      column,
      cell: unit,
      count: facts ? facts.counts.integer + facts.counts.number : 0,
    },
  ];
}
