import { isSameUnit, quantitiesOf, symbolText, unitOf, unitPair } from '../../../shared/channels/units.ts';
import type { StoredUnits } from '../../../shared/datasets/fields.ts';
import type { WarningCode } from '../../../shared/upload/warnings.ts';
import type { FileWarning } from '../../../shared/upload/upload.ts';
import type { ColumnFacts } from '../tables/tables.ts';
import type { Conversion } from './plan.ts';
import type { Match } from './match.ts';

/** Those that say why numbers may be in another unit than their field. */
export const unitWarningCodes: ReadonlySet<WarningCode> = new Set([
  'unit_unknown',
  'unit_mismatch',
  'field_unit_unknown',
  'unit_differs',
]);

/** Texts in the place of a unit that say that there is none, or what a column is. */
const noUnit =
  /^(?:-+|n\/?a|none|unitless|dimensionless|no ?units?|units?|ratio|index|flag|code|text|string|number|int(?:eger)?|bool(?:ean)?|float|double|date|time|date ?time|timestamp|[dmyhs\s:./_-]{4,})$/i;

/** The unit of a column's cells: that of the mapping, else that of the file; null: none is named. */
function unitOfCells({ unit, wanted }: Match): string | null {
  const text = (wanted.unit ?? unit)?.trim() ?? '';
  return text === '' || noUnit.test(text) ? null : text;
}

const isKnown = (unit: string): boolean => quantitiesOf(unit).length > 0 || unitOf(unit) !== undefined;

const isNumber = ({ kind }: Match, conversion: Conversion): boolean =>
  (kind === 'auto' || kind === 'number') && (conversion.kind === 'number' || conversion.kind === 'integer');

/**
 * The unit in which a column is stored in a field that has neither numbers nor a unit yet: later nothing but the file
 * has it. Null: the field has, or the unit isn't known.
 */
export function unitOfNewField(match: Match, conversion: Conversion, stored: StoredUnits): string | null {
  if (!isNumber(match, conversion) || Object.hasOwn(stored, match.path.join('.'))) return null;
  const cells = unitOfCells(match);
  const unit = conversion.kind === 'number' ? (conversion.units?.to ?? cells) : cells;
  return unit !== null && isKnown(unit) ? unit : null;
}

/** Why the numbers of a column are stored unchanged, where its unit isn't known to be that of the field. */
function unchanged(match: Match, stored: StoredUnits): Pick<FileWarning, 'code' | 'message' | 'cell'> | null {
  const { column, path, wanted } = match;
  const field = path.join('.');
  const cells = unitOfCells(match);
  const ofField = wanted.fieldUnit ?? (Object.hasOwn(stored, field) ? stored[field] : undefined);
  const start = `Column “${column}”`;
  const inUnit = cells === null ? '' : `is in ${symbolText(cells)}`;
  if (cells !== null && !isKnown(cells))
    return {
      code: 'unit_unknown',
      cell: cells,
      message: `${start}: the unit “${cells}” isn’t known. Values are stored unchanged; check that they fit ${ofField ? `${field}, which is in ${symbolText(ofField)}` : 'the field'}.`,
    };
  if (ofField === undefined) return null;
  if (ofField === null)
    return cells === null
      ? null
      : {
          code: 'field_unit_unknown',
          message: `${start} ${inUnit}, but the unit of ${field} isn’t known. Values are stored unchanged. Check that the records are in ${symbolText(cells)}, and set the unit of the field.`,
        };
  const fieldIn = `${field} is in ${symbolText(ofField)}`;
  if (cells === null)
    return {
      code: 'unit_missing',
      message: `${start} has no unit in the file, and ${fieldIn}. Values are stored unchanged. If they are in another unit, set the unit of the column.`,
    };
  if (isSameUnit(cells, ofField)) return null;
  if (unitPair(cells, ofField))
    return wanted.convert === false
      ? {
          code: 'unit_kept',
          message: `${start} ${inUnit} and ${fieldIn}, but conversion is off. Values are stored unchanged. Turn conversion on unless they already fit.`,
        }
      : null;
  if (!isKnown(ofField))
    return {
      code: 'field_unit_unknown',
      message: `${start} ${inUnit}, but the unit of ${field}, “${ofField}”, isn’t known. Values are stored unchanged. Check that they fit, or set the unit of the field.`,
    };
  return {
    code: 'unit_mismatch',
    message: `${start} ${inUnit}, but ${fieldIn}, which measures something else. Values are stored unchanged. Map the column to another field, or correct its unit.`,
  };
}

function unitOfField(
  match: Match,
  conversion: Conversion,
  count: number,
  stored: StoredUnits | undefined,
): FileWarning[] {
  if (!isNumber(match, conversion) || count === 0) return [];
  const about = { line: null, column: match.column, count };
  const warning = unchanged(match, stored ?? {});
  if (warning) return [{ ...warning, ...about }];
  const unit = stored ? unitOfNewField(match, conversion, stored) : null;
  if (unit === null) return [];
  const message = `Column “${match.column}” is in ${symbolText(unit)}. The new field ${match.path.join('.')} gets this unit.`;
  return [{ code: 'unit_of_new_field', message, ...about }];
}

/** A warning that a column has different units in the file and in the mapping; none if either has no unit. */
function otherUnit({ column, unit, wanted }: Match, count: number): FileWarning[] {
  if (unit === null || wanted.unit === undefined) return [];
  if (quantitiesOf(unit).length === 0 || isSameUnit(wanted.unit, unit)) return [];
  return [
    {
      code: 'unit_differs',
      message: `Column “${column}” is read in ${symbolText(wanted.unit)}, but the file says ${symbolText(unit)}. Check the unit of the column.`,
      line: null,
      column,
      cell: unit,
      count,
    },
  ];
}

/**
 * The warnings about the unit of a column: whether numbers are stored as they are, and in which unit.
 * @param stored the units of the dataset's fields; absent: they aren't read yet
 */
export function unitWarnings(
  match: Match,
  conversion: Conversion,
  facts: ColumnFacts | undefined,
  stored: StoredUnits | undefined,
): FileWarning[] {
  const count = facts ? facts.counts.integer + facts.counts.number : 0;
  return [...otherUnit(match, count), ...unitOfField(match, conversion, count, stored)];
}
