import type { Issue } from '../../../shared/errors/errors.ts';
import { append } from '../../../shared/lists.ts';
import type { FileWarning } from '../../../shared/upload/upload.ts';
import { type ColumnFacts, mayBeDays, areExceptions } from '../tables/reading/column-facts.ts';
import type { Layout } from '../tables/reading/layout.ts';
import { type Example, compactDate, joinPatterns } from '../tables/reading/time-patterns.ts';
import type { Match } from './match.ts';
import type { RepeatedReading, Conversion } from '../tables/model/plan.ts';
import { repeatedTimesWarnings, type RepeatedTimes } from './repeated-times.ts';
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
