import { channelOf, noSynonyms, unitInField } from '../../../shared/channels/channels.ts';
import {
  convert,
  isSameUnit,
  quantitiesOf,
  shownUnit,
  symbolText,
  unitOf,
  unitPair,
} from '../../../shared/channels/units.ts';
import { storedUnit, type StoredUnits } from '../../../shared/datasets/fields.ts';
import { append } from '../../../shared/lists.ts';
import { isNullOfFiles } from '../../../shared/upload/null-tokens.ts';
import { namesUnit } from '../../../shared/upload/units.ts';
import type { FileWarning, Mapping } from '../../../shared/upload/upload.ts';
import { columnType, type ColumnFacts, type JudgedType, type Layout, type Scan } from '../tables/tables.ts';
import type { Conversion, RepeatedReading, NumberStyle } from './upload-plan.ts';
import {
  areClocks,
  areDates,
  compactDate,
  isDateFormat,
  joinPatterns,
  type Example,
} from '../records/time-patterns.ts';
import { isZone, zoneOfColumns } from '../records/zone-names.ts';
import type { Match } from './decisions.ts';
import { converter, notesFor, type RecordRow } from './record-writer.ts';
import {
  repeatedTimesWarnings,
  type RepeatedTimes,
  bringsZone,
  clocksGoBack,
  isPlausibleTime,
  isUnixFormat,
  joinedText,
  oddUnixTimes,
  patternProblem,
  timeReader,
  unixUnit,
  unixUnitNames,
  type UnixUnit,
} from './times.ts';

interface Decided {
  readonly conversion: Conversion;
  readonly warnings: readonly FileWarning[];
}

/** The name of a column at the start of a message. */
const named = (match: Match): string => `Column “${match.column}”`;
/** An error of a column's mapping. */
export interface Fault {
  /** They follow the name of the column. */
  readonly words: string;
  /** The part of the mapping that has the error; undefined: the whole. */
  readonly part: 'format' | 'zone' | 'unit' | undefined;
}
const fault = (words: string, part?: Fault['part']): Fault => ({ words, part });
/** A conversion with nothing to report. */
const plain = (conversion: Conversion): Decided => ({ conversion, warnings: [] });

interface MatchedFacts {
  readonly facts: ColumnFacts;
  readonly joined: readonly ColumnFacts[];
  /** The unit of places in the facts; absent: lines. */
  readonly placeKind: Layout['placeKind'];
  /** Its local times that occur twice, by the order of rows; absent: none, or not determined yet. */
  readonly repeated: RepeatedTimes | undefined;
}

/** The format for joined columns without one in the mapping; a fault if it would be a guess. */
function joinedFormat({ facts, joined }: MatchedFacts): string | Fault {
  const all = [facts, ...joined];
  const [only, ...others] = joinPatterns(
    all.map(({ patterns, compactTime }) => patterns ?? (compactTime === null ? null : [compactTime])),
  );
  if (only !== undefined && others.length === 0) return only;
  const example = all.map(({ firsts }) => (firsts.date ?? firsts.time ?? firsts.text)?.text ?? '…').join(' ');
  return fault(
    `“${example}”, joined from ${all.length} columns, is an ambiguous time. Set its "format", such as "dd.MM.yyyy HH:mm:ss", and its "zone".`,
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

/** The format for a time column without one in the mapping, from its cells; a fault if it would be a guess. */
function timeFormat({ facts, placeKind }: MatchedFacts): string | Fault {
  const { counts, firsts, patterns } = facts;
  const wholes = counts.integer + counts.number + counts.code;
  const texts = counts.text + counts.label;
  if (wholes > 0 && wholes >= counts.time + counts.date + texts) {
    if (facts.compactTime !== null && counts.number === 0) return facts.compactTime;
    if (facts.areDays)
      return fault(
        `numbers such as ${facts.min?.text ?? ''} (${placeKind ?? 'line'} ${facts.min?.line ?? 0}) look like spreadsheet serial dates. Set "format": "excel_1900", or "excel_1904" for workbooks with the 1904 date system.`,
        'format',
      );
    const unit = unixUnit(facts);
    if (unit === 'unix_ms') return unit;
    return fault(numbersLookLike(unit, facts, placeKind), 'format');
  }
  // A few dates alone among times are errors of their rows.
  const hasDates = counts.date > 0 && !facts.areDatesExceptions;
  if (!hasDates && (counts.time > 0 || texts === 0)) return 'iso';
  const [only, ...others] = patterns ?? [];
  // A day of the year alone is a time only for who maps it to one.
  const isDayOfYear = only === 'yyyy-ooo';
  if ((counts.date > 0 || isDayOfYear) && only !== undefined && others.length === 0) return only;
  const first = firsts.date ?? firsts.text ?? firsts.label;
  const example = `“${first?.text.slice(0, 60) ?? ''}” (${placeKind ?? 'line'} ${first?.line ?? 0})`;
  if (only?.endsWith('z') === true && others.length === 0)
    return fault(
      `${example} contains a time zone abbreviation. If it is a United States time zone, set "format": "${only}".`,
      'format',
    );
  const kind = counts.date > 0 ? 'is an ambiguous time' : "isn't a time in a known format";
  return fault(
    `${example} ${kind}. Set its "format", such as "dd.MM.yyyy HH:mm:ss", and its "zone".`,
    'format',
  );
}

/**
 * Determines how the times of a column are parsed: from the mapping, else from its cells.
 * @param as milliseconds since 1970, or ISO 8601 in UTC
 */
function decideTime(match: Match, matched: MatchedFacts, as: 'ms' | 'iso'): Decided | Fault {
  const { facts, joined, repeated } = matched;
  const { format: wanted, zone } = match.wanted;
  const format = wanted ?? (joined.length > 0 ? joinedFormat(matched) : timeFormat(matched));
  if (typeof format !== 'string') return format;
  if (zone !== undefined && !isZone(zone))
    return fault(
      `“${zone}” isn't a time zone. Use an IANA name such as America/Chicago, an offset such as +01:00, or UTC.`,
      'zone',
    );
  const isDays = format === 'excel_1900' || format === 'excel_1904';
  const isPattern = format !== 'iso' && !isDays && !format.startsWith('unix_');
  const wrong = isPattern
    ? patternProblem(format)
    : isDays || format === 'iso' || isUnixFormat(format)
      ? null
      : `“${format}” isn't a time format`;
  if (wrong !== null) return fault(`${wrong}.`, 'format');
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
    const message = `Column “${column}”: “${cell}” isn't a plausible time: it is before 1950 or after next year.`;
    return [{ code: 'implausible_times', message, line, column, count: 1, cell }];
  });
}

/** The type of values under `data` and `metadata`: from the mapping, else from the whole column. */
function decideAuto(match: Match, matched: MatchedFacts, { notation, types }: FileFacts): Decided | Fault {
  const { facts, joined } = matched;
  const { type = 'auto', format, zone, digits, trim = true } = match.wanted;
  if (format !== undefined)
    return decideTime(match, matched, type === 'number' || type === 'integer' ? 'ms' : 'iso');
  const detection = types[match.index] ?? columnType(facts, notation);
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
const styleOf = (facts: ColumnFacts, notation: Scan['notation']): NumberStyle => {
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
  }: { readonly unit: string; readonly fieldUnit: string; readonly notation: Scan['notation'] },
): Decided | Fault {
  const { type = 'auto' } = match.wanted;
  if ((match.kind !== 'number' && match.kind !== 'auto') || (type !== 'number' && type !== 'auto'))
    return fault('"unit" and "fieldUnit" are only for numbers.', 'unit');
  const detectedType = columnType(facts, notation, 0.5).type;
  if (type === 'auto' && match.kind === 'auto' && detectedType !== 'integer' && detectedType !== 'number')
    return fault('"unit" and "fieldUnit" are only for numbers.', 'unit');
  const pair = unitPair(unit, fieldUnit);
  if (!pair)
    return fault(
      `“${unit}” can't be converted to “${fieldUnit}”: one of them isn't a known unit, or they measure different things.`,
      'unit',
    );
  const field = match.path.join('.');
  const [from, to] = [unitInField(pair.from, field), unitInField(pair.to, field)];
  const style = styleOf(facts, notation);
  if (from === to) return plain({ kind: 'number', style });
  const { max: first } = facts.ends[style.decimal];
  const after = first && !isNullOfFiles(first.value) ? convert(first.value, from, to) : undefined;
  const example = first && after !== undefined ? `, such as ${first.text} to ${after}` : '';
  const message = `${named(match)} is converted from ${shownUnit(from)} to ${shownUnit(to)}${example}.`;
  const count = facts.counts.integer + facts.counts.number;
  return {
    conversion: { kind: 'number', style, units: { from: from.symbol, to: to.symbol } },
    warnings: [{ code: 'units_converted', message, line: first?.line ?? null, column: match.column, count }],
  };
}

export interface FileFacts {
  readonly columns: readonly ColumnFacts[];
  readonly notation: Scan['notation'];
  /** The unit of places in the facts; absent: lines. */
  readonly placeKind: Layout['placeKind'];
  readonly types: readonly JudgedType[];
  /** The local times that occur twice, of the columns that have such times; absent: not determined yet. */
  readonly repeatedTimes?: readonly RepeatedTimes[] | undefined;
  /** The units of the dataset's fields; absent: they aren't read yet. */
  readonly storedUnits?: StoredUnits | undefined;
}

/**
 * The facts of a file with which its columns are converted.
 * @param exceptionShare maximum share of values, from 0 to 1, that can differ from a column's type without changing it;
 *   undefined: the default
 */
export const fileFacts = (
  { layout: { placeKind }, columns, notation }: Pick<Scan, 'layout' | 'columns' | 'notation'>,
  exceptionShare: number | undefined,
): FileFacts => ({
  columns,
  notation,
  placeKind,
  types: columns.map((facts) => columnType(facts, notation, exceptionShare)),
});

/**
 * Determines how the cells of a matched column are converted.
 * @param ids asset ids by name or API number, if the mapping uses wells by those
 * @returns a fault if the mapping has an error, or the cells are ambiguous
 */
export function decideConversion(
  match: Match,
  file: FileFacts,
  ids: Readonly<Record<string, number>> | undefined,
): Decided | Fault {
  const decided = conversionOf(match, file, ids);
  if ('words' in decided) return decided;
  const { conversion, warnings } = decided;
  const ofUnit = unitWarnings(match, conversion, file.columns[match.index], file.storedUnits);
  return { conversion, warnings: [...warnings, ...ofUnit] };
}

/** The time zone that the file names for a column of times or those joined to it; undefined: none. */
export const zoneOfFile = (
  columns: Layout['columns'],
  { index, join, kind }: Pick<Match, 'index' | 'join' | 'kind'>,
): string | undefined =>
  kind === 'timestamp' || kind === 'datetime'
    ? zoneOfColumns([index, ...join].map((at) => columns[at]))
    : undefined;

/**
 * How the cells of the columns of a file become values without a mapping.
 * @param exceptionShare maximum share of values, from 0 to 1, that can differ from a column's type without changing it
 * @returns the conversion of a column, as times or by its content; null: its cells are ambiguous
 */
export function unmappedConversions(
  scan: Pick<Scan, 'layout' | 'columns' | 'notation'>,
  exceptionShare?: number,
): (
  index: number,
  kind: 'timestamp' | 'auto',
  how?: Pick<Match['wanted'], 'format'> & Partial<Pick<Match, 'join'>>,
) => Conversion | null {
  const file = fileFacts(scan, exceptionShare);
  return (index, kind, { join = [], format } = {}) => {
    const { key = '', unit = null } = scan.layout.columns[index] ?? {};
    const wanted = { zone: zoneOfFile(scan.layout.columns, { index, join, kind }), format };
    const match = { index, join, column: key, path: [key], kind, unit, wanted };
    const decided = decideConversion(match, file, undefined);
    return 'words' in decided ? null : decided.conversion;
  };
}

/** Whether all texts are of one day, whatever the order of day and month. */
const isOneDay = ({ timeRange }: ColumnFacts): boolean => {
  const [first, last] = [timeRange?.min, timeRange?.max].map((end) => end?.text.split(/[T ]/)[0]);
  return first !== undefined && first === last;
};

/**
 * Reads the times of a column without a mapping, as Unix milliseconds, with the times of day that complete its dates:
 * those of the columns that are joined to it, else of one beside it or with “time” in its name. Rows are read in order.
 * @param wanted what the user set; the rest is detected
 * @returns NaN for a row without a time; null: the column has no times, or they are ambiguous
 */
export function columnTimes(
  scan: Pick<Scan, 'layout' | 'columns' | 'notation'>,
  index: number,
  { format, join: joined }: Pick<Match['wanted'], 'format' | 'join'> = {},
): { readonly join: readonly number[]; readonly read: (row: RecordRow) => number } | null {
  const facts = scan.columns[index];
  if (!facts) return null;
  const { type } = columnType(facts, scan.notation);
  if (type !== 'time' && (type !== 'integer' || facts.counts.integer === 0)) return null;
  const { patterns, compactTime } = facts;
  const keys = scan.layout.columns.map(({ key }) => key);
  const isLikelyClock = (key: string): boolean =>
    isNamedTime(key) || Math.abs(keys.indexOf(key) - index) === 1;
  const areDays = compactTime === null ? areDates(patterns) : isDateFormat(compactTime);
  const hasClock = areDays && (format === undefined || !isDateFormat(format));
  const clock = hasClock ? clockColumns(scan, { columns: {} }).find(isLikelyClock) : undefined;
  const unit = unixUnit(facts);
  const unixFormat = type === 'integer' && compactTime === null && isUnixFormat(unit) ? unit : undefined;
  const decide = unmappedConversions(scan);
  const joins = joined ? [joined] : clock === undefined ? [[]] : [[clock], []];
  for (const names of joins) {
    const join = names.map((name) => keys.indexOf(name)).filter((at) => at >= 0);
    const ofAll = [index, ...join].map((at) => scan.columns[at]?.patterns ?? null);
    const detected = [unixFormat, ...(isOneDay(facts) ? joinPatterns(ofAll) : [])];
    for (const pattern of format === undefined ? detected : [format]) {
      const conversion = decide(index, 'timestamp', { join, format: pattern });
      if (conversion?.kind === 'time') return { join, read: timeOfRow({ index, join }, conversion) };
    }
  }
  return null;
}

/** Reads the time of one row after another; NaN: it has none. */
function timeOfRow(
  column: { readonly index: number; readonly join: readonly number[] },
  { format, zone }: TimeConversion,
): (row: RecordRow) => number {
  const readTime = timeReader(format, zone);
  let last = Number.NaN;
  return (row) => {
    const time = readTime(joinedText(row, column).trim());
    if (typeof time === 'string') return Number.NaN;
    const { ms, laterMs } = time;
    // Of two times, where clocks go back, the one nearest to the row before.
    last = laterMs !== null && Math.abs(laterMs - last) <= Math.abs(ms - last) ? laterMs : ms;
    return last;
  };
}

function conversionOf(
  match: Match,
  file: FileFacts,
  ids: Readonly<Record<string, number>> | undefined,
): Decided | Fault {
  const { columns, notation, placeKind, repeatedTimes } = file;
  const facts = columns[match.index];
  // The first pass collects facts for every column of the header.
  if (!facts) return fault('the file has no such column.');
  const joined = match.join.flatMap((index) => columns[index] ?? []);
  const repeated = repeatedTimes?.find(({ index }) => index === match.index);
  const matched = { facts, placeKind, joined, repeated };
  const { by = 'id', zone, format, repeatedTimes: wantedTimes } = match.wanted;
  if (by !== 'id' && match.kind !== 'asset') return fault(`"by" is only for asset_id.`);
  if (
    (zone !== undefined || format !== undefined || wantedTimes !== undefined) &&
    (match.kind === 'asset' || match.kind === 'integer' || match.kind === 'number')
  )
    return fault(`"format", "zone", and "repeatedTimes" are only for times.`);
  const { digits, type } = match.wanted;
  if (digits !== undefined && ((match.kind !== 'auto' && match.kind !== 'identifier') || type !== 'string'))
    return fault(`"digits" is only for columns of "type": "string".`);
  const { unit, fieldUnit, convert: isConverted = true } = match.wanted;
  if (isConverted && unit !== undefined && fieldUnit !== undefined)
    return decideConverted(match, facts, { unit, fieldUnit, notation });
  switch (match.kind) {
    case 'asset':
      return plain(
        by === 'id'
          ? { kind: 'integer', style: styleOf(facts, notation) }
          : { kind: 'asset', by, ids: { ...ids } },
      );
    case 'integer':
    case 'number':
      return plain({ kind: match.kind, style: styleOf(facts, notation) });
    case 'identifier':
      return plain({
        kind: 'string',
        json: false,
        trim: match.wanted.trim ?? true,
        ...(digits && { digits }),
      });
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

/** The channels whose unit can be called “units”; in other columns the word is no unit. */
const gas = /^(?:total_|background_|connection_|trip_)?gas(?:_units)?$/;

/** The unit of a column's cells: that of the mapping, else that of the file; null: none is named. */
function unitOfCells({ unit, wanted, column, path }: Match): string | null {
  const text = (wanted.unit ?? unit)?.trim() ?? '';
  if (text === '') return null;
  if (namesUnit(text)) return text;
  const isGas = [column, path.join('.')].some((name) =>
    gas.test(channelOf(name, { unit: text, synonyms: noSynonyms })?.channel.name ?? ''),
  );
  return isGas && isKnown(text) ? text : null;
}

const isKnown = (unit: string): boolean => quantitiesOf(unit).length > 0 || unitOf(unit) !== undefined;

/** Whether numbers of a column are stored as such, so that their unit matters. */
const hasUnit = ({ kind }: Match, conversion: Conversion): boolean =>
  (kind === 'auto' || kind === 'number') && (conversion.kind === 'number' || conversion.kind === 'integer');

/**
 * The unit in which a column is stored in a field that has neither numbers nor a unit yet: later nothing but the file
 * has it. Null: the field has, or the unit isn't known.
 */
export function unitOfNewField(match: Match, conversion: Conversion, stored: StoredUnits): string | null {
  if (!hasUnit(match, conversion) || storedUnit(stored, match.path.join('.')) !== undefined) return null;
  const cells = unitOfCells(match);
  const unit = conversion.kind === 'number' ? (conversion.units?.to ?? cells) : cells;
  return unit !== null && isKnown(unit) ? unit : null;
}

/** A warning that the mapping converts into another unit than that of the field, or one that isn't known; null: neither. */
function otherFieldUnit(
  { column, path, wanted }: Match,
  stored: StoredUnits,
): Pick<FileWarning, 'code' | 'message'> | null {
  const field = path.join('.');
  const ofField = storedUnit(stored, field);
  const { unit, fieldUnit, convert: isConverted = true } = wanted;
  if (!isConverted || unit === undefined || fieldUnit === undefined) return null;
  if (ofField === null)
    return {
      code: 'field_unit_unknown',
      message: `Column “${column}” is stored in ${symbolText(fieldUnit)}, but the unit of ${field} isn’t known. Check that the records are in ${symbolText(fieldUnit)}, and set the unit of the field.`,
    };
  if (ofField === undefined || isSameUnit(fieldUnit, ofField)) return null;
  const [wantedText, ofFieldText] = [symbolText(fieldUnit), symbolText(ofField)];
  return {
    code: 'unit_differs',
    message: `Column “${column}” is stored in ${wantedText}, but ${field} is in ${ofFieldText}. Correct or omit "fieldUnit" in the mapping.`,
  };
}

/** Why the numbers of a column are stored unchanged, where its unit isn't known to be that of the field. */
function unchanged(match: Match, stored: StoredUnits): Pick<FileWarning, 'code' | 'message' | 'cell'> | null {
  const { column, path, wanted } = match;
  const field = path.join('.');
  const cells = unitOfCells(match);
  const ofField = wanted.fieldUnit ?? storedUnit(stored, field);
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
  if (unitPair(cells, ofField) && wanted.convert === false)
    return {
      code: 'unit_kept',
      message: `${start} ${inUnit} and ${fieldIn}, but conversion is off. Values are stored unchanged. Turn conversion on unless they already fit.`,
    };
  if (unitPair(cells, ofField))
    return wanted.type === 'integer'
      ? {
          code: 'unit_mismatch',
          message: `${start} ${inUnit}, but ${fieldIn}, and whole numbers aren’t converted. Values are stored unchanged. Read the column as numbers instead.`,
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
  if (!hasUnit(match, conversion) || count === 0) return [];
  const about = { line: null, column: match.column, count };
  const warning = otherFieldUnit(match, stored ?? {}) ?? unchanged(match, stored ?? {});
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
      message: `Column “${column}” is read in ${symbolText(wanted.unit)}, but its unit in the file is ${symbolText(unit)}. Check the unit of the column.`,
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
function unitWarnings(
  match: Match,
  conversion: Conversion,
  facts: ColumnFacts | undefined,
  stored: StoredUnits | undefined,
): FileWarning[] {
  const count = facts ? facts.counts.integer + facts.counts.number : 0;
  return [...otherUnit(match, count), ...unitOfField(match, conversion, count, stored)];
}

type Layouts = Pick<Scan, 'layout' | 'columns'>;

/** Whether a column is called a time; one of times of day can also have durations. */
const isNamedTime = (key: string): boolean => /\btime\b/i.test(key.replaceAll('_', ' '));

/** The keys of columns with times of day, those with a matching name first, without columns that the mapping uses. */
function clockColumns({ layout, columns }: Layouts, mapping: Pick<Mapping, 'columns' | 'skip'>): string[] {
  const named = new Set([
    ...Object.entries(mapping.columns).flatMap(([key, { join = [] }]) => [key, ...join]),
    ...(mapping.skip ?? []),
  ]);
  return layout.columns
    .filter(({ key }, index) => !named.has(key) && areClocks(columns[index]?.patterns ?? null))
    .map(({ key }) => key)
    .toSorted((a, b) => Number(isNamedTime(b)) - Number(isNamedTime(a)));
}

/** The columns of dates, each with the most likely column of times of day; empty if the file has only one kind. */
export function datesAndTimes(scan: Layouts, mapping: Mapping): { column: string; join: string[] }[] {
  const clock = clockColumn(scan, mapping);
  if (clock === undefined) return [];
  return scan.layout.columns
    .filter((_, index) => areDates(scan.columns[index]?.patterns ?? null))
    .map(({ key }) => ({ column: key, join: [clock] }));
}

/** The most likely column with times of day that the mapping doesn't use; undefined: none. */
export const clockColumn = (scan: Layouts, mapping: Pick<Mapping, 'columns' | 'skip'>): string | undefined =>
  clockColumns(scan, mapping)[0];

/**
 * A warning that times are read from dates alone, with the column of times of day; null: not applicable.
 * @param cell as {@link clockColumn}
 */
export function midnightWarning(
  { kind, column, join }: Match,
  conversion: Conversion,
  facts: ColumnFacts,
  cell: string | undefined,
): FileWarning | null {
  if (conversion.kind !== 'time' || (kind !== 'timestamp' && kind !== 'datetime')) return null;
  if (join.length > 0) return null;
  const { format } = conversion;
  if (!(format === 'iso' ? areDates(facts.patterns) : isDateFormat(format))) return null;
  const { date, time } = facts.firsts;
  // Some formats, such as yyyyMM, have cells that are no dates by themselves.
  const count = facts.counts.date + facts.counts.time || facts.values;
  const about = { line: (date ?? time)?.line ?? null, column, count };
  const says = `Column “${column}” has dates without a time of day: ${count === 1 ? '1 row is' : `all ${count} rows are`} at midnight.`;
  if (cell === undefined) return { code: 'times_at_midnight', message: says, ...about };
  return {
    code: 'time_of_day_unused',
    message: `${says} Column “${cell}” has times of day: set "join": [${JSON.stringify(cell)}] in the mapping of “${column}” to combine them.`,
    ...about,
    cell,
  };
}

type TimeConversion = Extract<Conversion, { kind: 'time' }>;

/** The earliest and the latest time of a column, in milliseconds as if they were UTC; null: unknown. */
function rangeOf(
  { timeRange, min, max, counts }: ColumnFacts,
  { format }: TimeConversion,
): readonly [number, number] | null {
  if (timeRange) return [timeRange.min.value, timeRange.max.value];
  if (counts.text + counts.label + counts.time + counts.date > 0 || !min || !max) return null;
  const [from, to] = [min, max].map(({ text }) => timeReader(format, 'UTC')(text));
  if (typeof from !== 'object' || typeof to !== 'object') return null;
  return [Math.min(from.ms, to.ms), Math.max(from.ms, to.ms)];
}

/** Whether times of a column can occur twice because clocks go back: then they are read in the order of rows. */
export function canRepeat(facts: ColumnFacts, conversion: TimeConversion): boolean {
  if (isUnixFormat(conversion.format)) return false;
  const [from, to] = rangeOf(facts, conversion) ?? [-Infinity, Infinity];
  return clocksGoBack(conversion.zone, from, to);
}

/** The minimum and maximum cells of numbers or times; null: unknown. */
function extremes(facts: ColumnFacts, conversion: Conversion): Pick<ColumnFacts, 'min' | 'max'> | null {
  if (conversion.kind === 'number' || conversion.kind === 'integer')
    return facts.ends[conversion.style.decimal];
  if (conversion.kind !== 'time' || conversion.as !== 'ms') return null;
  return isUnixFormat(conversion.format) ? facts : facts.timeRange;
}

/** A conversion that reads all times that occur twice as the first or the second. */
const withReading = (conversion: Conversion, reading: 'first' | 'second'): Conversion =>
  conversion.kind === 'time' ? { ...conversion, repeated: { reading, wells: [], hours: [] } } : conversion;

/** The minimum and maximum value of a column, as JSON texts; null if unknown. */
export function spanOf(facts: ColumnFacts, conversion: Conversion): { from: string; to: string } | null {
  const { min, max } = extremes(facts, conversion) ?? {};
  if (!min || !max) return null;
  const from = converter(withReading(conversion, 'first'), [])(min.text, notesFor());
  const to = converter(withReading(conversion, 'second'), [])(max.text, notesFor());
  return typeof from === 'string' && typeof to === 'string' ? { from, to } : null;
}
