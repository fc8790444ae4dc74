import { isSameUnit, quantitiesOf, symbolText, unitOf } from '../../../shared/channels/units.ts';
import type { FileWarning } from '../../../shared/upload/upload.ts';
import type { ColumnFacts } from '../reading/column-facts.ts';
import type { Conversion } from '../model/rules.ts';
import type { Match } from './match.ts';

/** Texts in the place of a unit that say that there is none, or what a column is. */
const noUnit =
  /^(?:-+|n\/?a|none|unitless|dimensionless|no ?units?|units?|ratio|index|flag|code|text|string|number|int(?:eger)?|bool(?:ean)?|float|double|date|time|date ?time|timestamp|[dmyhs\s:./_-]{4,})$/i;

/** A warning that the unit of a column of numbers isn't in the table of units. */
export function unknownUnit(
  { column, unit, wanted }: Match,
  { kind }: Conversion,
  facts: ColumnFacts | undefined,
): FileWarning[] {
  const text = unit?.trim() ?? '';
  const count = facts ? facts.counts.integer + facts.counts.number : 0;
  if (text === '' || wanted.unit !== undefined || !['number', 'integer'].includes(kind) || count === 0)
    return [];
  if (noUnit.test(text) || quantitiesOf(text).length > 0 || unitOf(text)) return [];
  return [
    {
      code: 'unit_unknown',
      message: `Column “${column}”: the unit “${text}” isn’t known. Values are stored unchanged; check that they fit the field.`,
      line: null,
      column,
      cell: text,
      count,
    },
  ];
}

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
