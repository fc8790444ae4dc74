import { convert, shownUnit, unitPair } from '../../../shared/channels/units.ts';
import type { StoredUnits } from '../../../shared/datasets/fields.ts';
import type { Issue } from '../../../shared/errors/errors.ts';
import type { FileWarning } from '../../../shared/upload/upload.ts';
import {
  numberEnds,
  type ColumnFacts,
  type NumberStyle,
  columnType,
  notationOf,
  type Notation,
} from '../tables/reading/column-facts.ts';
import type { Layout } from '../tables/reading/layout.ts';
import type { Scan } from '../tables/reading/scan.ts';
import type { Match } from './match.ts';
import { unitWarnings } from './unit-warnings.ts';
import { issue, named, plain, type Decided, type MatchedFacts, decideTime } from './decide-time.ts';
import type { RepeatedTimes } from './repeated-times.ts';

/** The type of values under `data` and `metadata`: from the mapping, else from the whole column. */
function decideAuto(
  match: Match,
  matched: MatchedFacts,
  { notation, exceptionShare }: FileFacts,
): Decided | Issue {
  const { facts, joined } = matched;
  const { type = 'auto', format, zone, digits, trim = true } = match.wanted;
  if (format !== undefined)
    return decideTime(match, matched, type === 'number' || type === 'integer' ? 'ms' : 'iso');
  const detection = columnType(facts, notation, exceptionShare);
  if (type === 'auto' && zone !== undefined && detection.type === 'time')
    return decideTime(match, matched, 'iso');
  const style = detection.type === 'string' ? styleOf(facts, notation) : detection.style;
  switch (type) {
    case 'number':
    case 'integer':
      return plain({ kind: type, style });
    case 'string':
      return {
        conversion: { kind: 'string', json: false, trim, ...(digits ? { digits } : {}) },
        warnings: trim ? blanksRemoved(match, facts) : [],
      };
    case 'boolean':
      return plain({ kind: 'boolean' });
    case 'auto':
    default:
      if (joined.length > 0) return plain({ kind: 'string', json: false, trim });
      if (detection.type === 'integer' || detection.type === 'number')
        return plain({ kind: 'number', style });
      if (detection.type === 'boolean') return plain({ kind: 'boolean' });
      return {
        conversion: { kind: 'string', json: true, trim },
        warnings: [
          ...(detection.type === 'time' && facts.zoneless > 0 ? [storedAsText(match, facts)] : []),
          ...(trim ? blanksRemoved(match, facts) : []),
        ],
      };
  }
}

/** A warning that times without a zone stay texts, because no envelope field defines them. */
const storedAsText = (match: Match, { zoneless, firsts }: ColumnFacts): FileWarning => ({
  code: 'time_as_text',
  message: `${named(match)}: ${zoneless === 1 ? '1 time' : `${zoneless} times`} without a time zone ${zoneless === 1 ? 'is' : 'are'} stored as text in ${match.path.join('.')}. To store UTC times, set "format" and "zone" in a mapping.`,
  line: (firsts.time ?? firsts.date)?.line ?? null,
  column: match.column,
  count: zoneless,
});

function blanksRemoved(match: Match, { outerBlanks }: ColumnFacts): FileWarning[] {
  if (!outerBlanks) return [];
  const { count, line } = outerBlanks;
  const message = `${named(match)}: ${count === 1 ? '1 value begins or ends' : `${count} values begin or end`} with spaces, which are removed. To keep them, set "trim": false in a mapping.`;
  return [{ code: 'blanks_removed', message, line, column: match.column, count }];
}

/** The number style of a column that also has other values. */
const styleOf = (facts: ColumnFacts, notation: Notation): NumberStyle => {
  const numbers = { ...facts.counts, text: 0, code: 0, label: 0, time: 0, date: 0, boolean: 0 };
  return columnType({ ...facts, counts: numbers }, notation, 1).style;
};

/** Numbers in another unit than the field's. */
function decideConverted(
  match: Match,
  facts: ColumnFacts,
  {
    unit,
    fieldUnit,
    notation,
  }: { readonly unit: string; readonly fieldUnit: string; readonly notation: Notation },
): Decided | Issue {
  const { type = 'auto' } = match.wanted;
  if ((match.kind !== 'number' && match.kind !== 'auto') || (type !== 'number' && type !== 'auto'))
    return issue(match, '"unit" and "fieldUnit" are only for numbers.', 'unit');
  const detectedType = columnType(facts, notation, 0.5).type;
  if (type === 'auto' && match.kind === 'auto' && detectedType !== 'integer' && detectedType !== 'number')
    return issue(match, '"unit" and "fieldUnit" are only for numbers.', 'unit');
  const pair = unitPair(unit, fieldUnit);
  if (!pair)
    return issue(
      match,
      `“${unit}” can't be converted to “${fieldUnit}”: one of them isn't a known unit, or they measure different things.`,
      'unit',
    );
  const { from, to } = pair;
  const style = styleOf(facts, notation);
  if (from === to) return plain({ kind: 'number', style });
  const { max: first } = numberEnds(facts, style.decimal);
  const after = first && convert(first.value, from, to);
  const example = first && after !== undefined && after !== null ? `, such as ${first.text} to ${after}` : '';
  const message = `${named(match)} is converted from ${shownUnit(from)} to ${shownUnit(to)}${example}.`;
  const count = facts.counts.integer + facts.counts.number;
  return {
    conversion: { kind: 'number', style, units: { from: from.symbol, to: to.symbol } },
    warnings: [{ code: 'units_converted', message, line: first?.line ?? null, column: match.column, count }],
  };
}

interface FileFacts {
  readonly columns: readonly ColumnFacts[];
  readonly notation: Notation;
  /** The unit of places in the facts; absent: lines. */
  readonly placeKind: Layout['placeKind'];
  /** Maximum share of values, from 0 to 1, that can differ from a column's type without changing it. */
  readonly exceptionShare: number | undefined;
  /** The local times that occur twice, of the columns that have such times; absent: not determined yet. */
  readonly repeatedTimes?: readonly RepeatedTimes[] | undefined;
  /** The units of the dataset's fields; absent: they aren't read yet. */
  readonly storedUnits?: StoredUnits | undefined;
}

/**
 * The facts of a file with which its columns are converted.
 * @param exceptionShare from 0 to 1; undefined: the default
 */
export const fileFacts = (
  { layout: { delimiter, placeKind }, columns }: Pick<Scan, 'layout' | 'columns'>,
  exceptionShare: number | undefined,
  { repeatedTimes, storedUnits }: Pick<FileFacts, 'repeatedTimes' | 'storedUnits'> = {},
): FileFacts => ({
  columns,
  notation: notationOf(columns, delimiter),
  placeKind,
  exceptionShare,
  repeatedTimes,
  storedUnits,
});

/**
 * Determines how the cells of a matched column are converted.
 * @param ids asset ids by name or API number, if the mapping uses wells by those
 */
export function decideConversion(
  match: Match,
  file: FileFacts,
  ids: Readonly<Record<string, number>> | undefined,
): Decided | Issue {
  const decided = conversionOf(match, file, ids);
  if ('message' in decided) return decided;
  const { conversion, warnings } = decided;
  const ofUnit = unitWarnings(match, conversion, file.columns[match.index], file.storedUnits);
  return { conversion, warnings: [...warnings, ...ofUnit] };
}

function conversionOf(
  match: Match,
  file: FileFacts,
  ids: Readonly<Record<string, number>> | undefined,
): Decided | Issue {
  const { columns, notation, placeKind, repeatedTimes } = file;
  const facts = columns[match.index];
  // The first pass collects facts for every column of the header.
  if (!facts) return issue(match, 'the file has no such column.');
  const joined = match.join.flatMap((index) => columns[index] ?? []);
  const repeated = repeatedTimes?.find(({ index }) => index === match.index);
  const matched = { facts, placeKind, joined, repeated };
  const { by = 'id', zone, format, repeatedTimes: wantedTimes } = match.wanted;
  if (by !== 'id' && match.kind !== 'asset') return issue(match, `"by" is only for asset_id.`);
  if (
    (zone !== undefined || format !== undefined || wantedTimes !== undefined) &&
    (match.kind === 'asset' || match.kind === 'integer' || match.kind === 'number')
  )
    return issue(match, `"format", "zone", and "repeatedTimes" are only for times.`);
  if (match.wanted.digits !== undefined && (match.kind !== 'auto' || match.wanted.type !== 'string'))
    return issue(match, `"digits" is only for columns of "type": "string".`);
  const style = styleOf(facts, notation);
  const { unit, fieldUnit, convert: isConverted = true } = match.wanted;
  if (isConverted && unit !== undefined && fieldUnit !== undefined)
    return decideConverted(match, facts, { unit, fieldUnit, notation });
  switch (match.kind) {
    case 'asset':
      return plain(by === 'id' ? { kind: 'integer', style } : { kind: 'asset', by, ids: { ...ids } });
    case 'integer':
      return plain({ kind: 'integer', style });
    case 'number':
      return plain({ kind: 'number', style });
    case 'identifier':
      return plain({ kind: 'string', json: false, trim: match.wanted.trim ?? true });
    case 'timestamp':
      return decideTime(match, matched, 'ms');
    case 'datetime':
      if (
        format === undefined &&
        zone === undefined &&
        match.join.length === 0 &&
        facts.counts.time > 0 &&
        facts.zoneless === 0
      )
        return plain({ kind: 'string', json: false, trim: true, isTime: true });
      return decideTime(match, matched, 'iso');
    case 'auto':
    default:
      return decideAuto(match, matched, file);
  }
}
