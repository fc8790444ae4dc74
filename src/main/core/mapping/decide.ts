import { convert, shownUnit, unitPair } from '../../../shared/channels/units.ts';
import type { StoredUnits } from '../../../shared/datasets/fields.ts';
import type { Issue } from '../../../shared/errors/errors.ts';
import type { FileWarning } from '../../../shared/upload/upload.ts';
import {
  numberEnds,
  type ColumnFacts,
  columnType,
  notationOf,
  type Notation,
  mayBeDays,
  areExceptions,
  type Layout,
  type Scan,
} from '../tables/tables.ts';
import type { NumberStyle, RepeatedReading, Conversion } from './plan.ts';
import type { Match } from './match.ts';
import { unitWarnings } from './unit-warnings.ts';
import { type RepeatedTimes, repeatedTimesWarnings } from './repeated-times.ts';
import { append } from '../../../shared/lists.ts';
import { type Example, compactDate, joinPatterns } from '../records/time-patterns.ts';
import { bringsZone, patternProblem } from './times.ts';
import {
  isUnixFormat,
  oddUnixTimes,
  unixUnit,
  unixUnitNames,
  type UnixUnit,
  isPlausibleTime,
} from './unix-times.ts';
import { isZone } from './zones.ts';

/** How the cells of a column are converted, and what to report about it. */
export interface Decided {
  readonly conversion: Conversion;
  readonly warnings: readonly FileWarning[];
}

/** The name of a column at the start of a message. */
export const named = (match: Match): string => `Column “${match.column}”`;
/**
 * An error of a column's mapping.
 * @param message follows the name of the column
 * @param part the part of the mapping that has the error; absent: the whole
 */
export const issue = (match: Match, message: string, part?: 'format' | 'zone' | 'unit'): Issue => ({
  message: `${named(match)}: ${message}`,
  place: { field: `mapping.columns.${match.column}${part ? `.${part}` : ''}` },
});
/** A conversion with nothing to report. */
export const plain = (conversion: Conversion): Decided => ({ conversion, warnings: [] });

export interface MatchedFacts {
  readonly facts: ColumnFacts;
  readonly joined: readonly ColumnFacts[];
  /** The unit of places in the facts; absent: lines. */
  readonly placeKind: Layout['placeKind'];
  /** Its local times that occur twice, by the order of rows; absent: none, or not determined yet. */
  readonly repeated: RepeatedTimes | undefined;
}

/** The format for joined columns without one in the mapping; an issue if it would be a guess. */
function joinedFormat(match: Match, { facts, joined }: MatchedFacts): string | Issue {
  const all = [facts, ...joined];
  const [only, ...others] = joinPatterns(all.map(({ patterns }) => patterns));
  if (only !== undefined && others.length === 0) return only;
  const example = all.map(({ firsts }) => (firsts.date ?? firsts.time ?? firsts.text)?.text ?? '…').join(' ');
  return issue(
    match,
    `“${example}”, joined of ${all.length} columns, is an ambiguous time. Set its "format", such as "dd.MM.yyyy HH:mm:ss", and its "zone".`,
    'format',
  );
}

/** What numbers that aren't plain Unix milliseconds look like, with an example and its place, and what to do. */
function numbersLookLike(
  unit: UnixUnit,
  { min, max, firsts }: ColumnFacts,
  placeKind: Layout['placeKind'],
): string {
  const example = (end: Example | null | undefined): string =>
    `${end?.text ?? ''} (${placeKind ?? 'line'} ${end?.line ?? 0})`;
  if (unit === 'mixed')
    return `numbers such as ${example(min)} and ${example(max)} look like times in different units. Correct the file.`;
  // As a count since 1970 in any unit, they would be stored as times of another century.
  // A date of six digits can begin with zero, as a code does.
  const ends = [firsts.code, min, max].filter((end) => end !== null && end !== undefined);
  const date = compactDate(ends.map(({ text }) => text));
  if (unit === 'unknown' && date !== null)
    return `numbers such as ${example(ends[0])} aren't Unix milliseconds, but look like ${date.what}. Set "format": "${date.format}".`;
  if (unit === 'unknown')
    return `numbers such as ${example(max ?? firsts.code)} aren't Unix milliseconds of a time from 1950 to next year. Set their "format", such as "yyyyMM" or "ddMMyy", or map the column to another field.`;
  return `numbers such as ${example(max)} look like ${unixUnitNames[unit]}, not milliseconds. Set "format": "${unit}".`;
}

/** The format for a time column without one in the mapping, from its cells; an issue if it would be a guess. */
function timeFormat(match: Match, { facts, placeKind }: MatchedFacts): string | Issue {
  const { counts, firsts, patterns } = facts;
  const wholes = counts.integer + counts.number + counts.code;
  const texts = counts.text + counts.label;
  if (wholes > 0 && wholes >= counts.time + counts.date + texts) {
    if (facts.compactTime !== null && counts.number === 0) return facts.compactTime;
    if (mayBeDays(facts))
      return issue(
        match,
        `numbers such as ${facts.min?.text ?? ''} (${placeKind ?? 'line'} ${facts.min?.line ?? 0}) look like spreadsheet serial dates. Set "format": "excel_1900", or "excel_1904" for workbooks with the 1904 date system.`,
        'format',
      );
    const unit = unixUnit(facts);
    if (unit === 'unix_ms') return unit;
    return issue(match, numbersLookLike(unit, facts, placeKind), 'format');
  }
  // A few dates alone among times are errors of their rows.
  const hasDates =
    counts.date > 0 && !areExceptions(counts.date, firsts.date ?? null, counts.time + counts.date);
  if (!hasDates && (counts.time > 0 || texts === 0)) return 'iso';
  const [only, ...others] = patterns ?? [];
  // A day of the year alone is a time only for who maps it to one.
  const isDayOfYear = only === 'yyyy-ooo';
  if ((counts.date > 0 || isDayOfYear) && only !== undefined && others.length === 0) return only;
  const example = firsts.date ?? firsts.text ?? firsts.label;
  if (only?.endsWith('z') === true && others.length === 0)
    return issue(
      match,
      `“${example?.text.slice(0, 60) ?? ''}” (${placeKind ?? 'line'} ${example?.line ?? 0}) has the abbreviation of a time zone. If it is one of the United States, set "format": "${only}".`,
      'format',
    );
  return issue(
    match,
    `“${example?.text.slice(0, 60) ?? ''}” (${placeKind ?? 'line'} ${example?.line ?? 0}) is an ambiguous time. Set its "format", such as "dd.MM.yyyy HH:mm:ss", and its "zone".`,
    'format',
  );
}

/**
 * Determines how the times of a column are parsed: from the mapping, else from its cells.
 * @param as milliseconds since 1970, or ISO 8601 in UTC
 */
export function decideTime(match: Match, matched: MatchedFacts, as: 'ms' | 'iso'): Decided | Issue {
  const { facts, joined, repeated } = matched;
  const { format: wanted, zone } = match.wanted;
  const format = wanted ?? (joined.length > 0 ? joinedFormat(match, matched) : timeFormat(match, matched));
  if (typeof format !== 'string') return format;
  if (zone !== undefined && !isZone(zone))
    return issue(
      match,
      `“${zone}” isn't a time zone. Use an IANA name such as America/Chicago, an offset such as +01:00, or UTC.`,
      'zone',
    );
  const isDays = format === 'excel_1900' || format === 'excel_1904';
  const isPattern = format !== 'iso' && !isDays && !format.startsWith('unix_');
  const wrong = isPattern
    ? patternProblem(format)
    : isDays || format === 'iso' || isUnixFormat(format)
      ? null
      : `“${format}” isn't a format`;
  if (wrong !== null) return issue(match, `${wrong}.`, 'format');
  const zoneless = isPattern ? !bringsZone(format) : isDays || (format === 'iso' && facts.zoneless > 0);
  const warnings: FileWarning[] = [];
  if (zoneless && zone === undefined)
    warnings.push({
      code: 'zone_assumed',
      message: `${named(match)} has times without a time zone, read as UTC. If they aren't UTC, set "zone" in a mapping.`,
      line: (facts.firsts.time ?? facts.firsts.date ?? facts.firsts.integer)?.line ?? null,
      column: match.column,
      count: facts.zoneless + (facts.compactTime === null ? 0 : facts.counts.integer),
    });
  append(warnings, oddUnixTimes(match.column, format, facts));
  append(warnings, implausibleTimes(match.column, facts));
  const { repeatedTimes = 'order' } = match.wanted;
  if (repeated) append(warnings, repeatedTimesWarnings(match.column, repeated, repeatedTimes));
  const reading = repeatedReading(repeatedTimes, repeated);
  const conversion = { kind: 'time' as const, format, zone: zone ?? 'UTC', as };
  return { conversion: reading ? { ...conversion, repeated: reading } : conversion, warnings };
}

/** Which of two times a local time has that occurs twice; undefined: none occurs twice, or this isn't determined yet. */
function repeatedReading(
  setting: 'order' | 'first' | 'second',
  repeated: RepeatedTimes | undefined,
): RepeatedReading | undefined {
  if (setting !== 'order') return { reading: setting, wells: [], hours: [] };
  return repeated && { reading: 'first', wells: [...repeated.wells], hours: [...repeated.hours] };
}

/** Warnings about the earliest and the latest text of a column of times before 1950 or after next year. */
export function implausibleTimes(column: string, { timeRange }: ColumnFacts): FileWarning[] {
  if (!timeRange) return [];
  return [timeRange.min, timeRange.max].flatMap(({ value, text, line }): FileWarning[] => {
    if (isPlausibleTime(value)) return [];
    const cell = text.slice(0, 60);
    const message = `Column “${column}”: “${cell}” is no plausible time: it is before 1950 or after next year.`;
    return [{ code: 'implausible_times', message, line, column, count: 1, cell }];
  });
}

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
