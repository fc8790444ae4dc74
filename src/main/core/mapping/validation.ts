import * as z from 'zod';
import type { calls } from '../../../shared/contract/contract.ts';
import { assetPaths, datasetShapes } from '../../../shared/datasets/datasets.ts';
import { verticalIndex } from '../../../shared/upload/formats.ts';
import { nullsOf } from '../../../shared/upload/null-tokens.ts';
import type {
  CellExample,
  FilePreview,
  MatchedColumn,
  MatchedField,
  matchRequest,
  TimeChoice,
  UploadMatch,
} from '../../../shared/upload/preview.ts';
import type { Mapping, ReadingOptions } from '../../../shared/upload/upload.ts';
import type { WarningCode } from '../../../shared/upload/warnings.ts';
import { isVerticalDepth } from '../../../shared/channels/channels.ts';
import { canNameWells, nameInWords } from '../../../shared/wells/wells.ts';
import type { Files } from '../files/files.ts';
import type { ModuleHandlers } from '../handlers.ts';
import type { JobStore } from '../jobs/jobs.ts';
import { type TableReader, type ColumnFacts, type JudgedType, inspectFile } from '../tables/tables.ts';
import type { Conversion, Rules } from './upload-plan.ts';
import { envelopeFields, parseTarget, problem } from '../records/targets.ts';
import { areClocks, compactPattern, joinPatterns, timePatterns } from '../records/time-patterns.ts';
import type { Services } from '../wire/services/services.ts';
import { datesAndTimes, zoneOfFile } from './decide.ts';
import {
  noMapping,
  type Match,
  assumedVersion,
  decideAll,
  localTimes,
  requiredPaths,
  spanAt,
  wellOfRecords,
  type ColumnDecision,
  type Decisions,
  type Knowledge,
} from './decisions.ts';
import { inParent, openWarnings, originOf } from './plan-upload.ts';
import {
  converter,
  createRecordWriter,
  notesFor,
  rowOfPreview,
  Unfit,
  type Notes,
  type RecordRow,
} from './record-writer.ts';
import {
  rowsShown,
  type FileScans,
  type ScannedFile,
  openCsvThread,
  withThread,
  type CsvThread,
  type OpenCsvThread,
  type Preview,
} from './source-file.ts';
import { offsetAt, timeReader, joinedText } from './times.ts';
import {
  assetColumns,
  columnsOfWells,
  namingColumns,
  settledAssets,
  wellsInName,
  wellsOfFile,
  assetsAt,
  zoneOfWells,
} from './wells.ts';

interface PreviewInput {
  readonly scanned: Pick<ScannedFile, 'file' | 'scan' | 'sample' | 'values'>;
  readonly mapping: Mapping;
  readonly knowledge: Knowledge;
}

/** Codes that say why numbers may be in another unit than their field. */
const unitWarningCodes: ReadonlySet<WarningCode> = new Set([
  'unit_unknown',
  'unit_mismatch',
  'field_unit_unknown',
  'unit_differs',
]);

/** What is wrong with the mapping of a column, as it is shown beside it: without its name. */
function problemOf(
  { column: { key }, match, problem }: ColumnDecision,
  shared: ReadonlyMap<string, string>,
): Pick<MatchedColumn, 'problem' | 'problemOf'> {
  // Only a mapping file can send two columns to one field.
  const other = shared.get(key);
  if (other !== undefined)
    return { problem: `${other}. Map one of them elsewhere, or skip it.`, problemOf: 'to' };
  if (!problem) return { problem: null, problemOf: null };
  if (!match) return { problem: problem.words, problemOf: 'to' };
  const { words, part } = problem;
  return { problem: words, problemOf: part === 'format' || part === 'zone' ? part : null };
}

function repeatedCounts(
  { match }: ColumnDecision,
  { repeatedTimes = [] }: Knowledge,
): Pick<MatchedColumn, 'repeatedTimes'> {
  const columnTimes = repeatedTimes.find((times) => times.index === match?.index);
  if (!columnTimes) return {};
  const { first, second, undecided } = columnTimes;
  return { repeatedTimes: { first, second, undecided: undecided?.count ?? 0 } };
}

function readingOf(conversion: Conversion | null): MatchedColumn['reading'] {
  if (!conversion) return null;
  const isTime = conversion.kind === 'time';
  return {
    as: conversion.kind,
    format: isTime ? conversion.format : null,
    zone: isTime ? conversion.zone : null,
    trim: conversion.kind === 'string' ? conversion.trim : null,
  };
}

/** The fields that a dataset of this type requires, then those that scope and order its records. */
function fieldPaths({
  mapping,
  knowledge,
}: PreviewInput): Pick<MatchedField, 'path' | 'required' | 'isOfRecords'>[] {
  const { type } = knowledge;
  const well = wellOfRecords(knowledge);
  const required = requiredPaths(type);
  const { scopeField, indexField, indexScope } =
    type === null ? { scopeField: 'asset_id', indexField: null, indexScope: null } : datasetShapes[type];
  const otherPaths = [scopeField, indexScope, indexField].filter((path) => path !== null);
  return [
    ...required.map((path) => ({ path, required: true })),
    ...otherPaths
      .filter((path) => !required.includes(path))
      .map((path) =>
        path === well
          ? { path, required: mapping.withoutWell !== true, isOfRecords: true }
          : { path, required: false },
      ),
  ];
}

const isTime = (kind: MatchedField['kind']): boolean => kind === 'timestamp' || kind === 'datetime';

/** The columns of dates and times of day that can make a timestamp, if the field uses one of the dates or nothing. */
function joinsFor(
  column: string | undefined,
  { scanned: { scan }, mapping }: PreviewInput,
): MatchedField['joins'] {
  return datesAndTimes(scan, mapping).filter((pair) => column === undefined || pair.column === column);
}

function fieldsOf(decisions: readonly ColumnDecision[], input: PreviewInput): MatchedField[] {
  const { mapping, scanned } = input;
  const vertical = verticalIndex(scanned.file.facts.index);
  const free = decisions
    .filter(({ match }) => match === null || match.path[0] === 'data')
    .map(({ column: { key }, facts, type }) => ({ key, facts, type }));
  const alongHole = free.filter(({ key }) => key !== vertical);
  const columnsByPath = Map.groupBy(decisions, ({ match }) => match?.path.join('.'));
  return fieldPaths(input).flatMap(({ path, ...needs }): MatchedField[] => {
    const target = parseTarget(path);
    if (typeof target === 'string') return [];
    const columns = (columnsByPath.get(path) ?? []).map(({ column }) => column.key);
    const constant = Object.hasOwn(mapping.constants, path);
    const isFilled = columns.length > 0 || constant;
    const candidates = path === 'measured_depth' ? alongHole : free;
    return [
      {
        path,
        kind: target.kind,
        ...needs,
        columns,
        constant,
        assumed: path === 'version' && !isFilled ? assumedVersion : null,
        likely: isFilled ? [] : likelyColumns(path, candidates),
        certain: isFilled ? null : certainColumn(path, candidates),
        joins: isTime(target.kind) && columns.length < 2 ? joinsFor(columns[0], input) : [],
      },
    ];
  });
}

function foldedOf({ scanned, knowledge }: PreviewInput, rules: Rules | null): UploadMatch['folded'] {
  const groups = knowledge.folding?.groups;
  if (!groups || groups.problem !== null) return null;
  const { rows, records, firstRows } = groups;
  const items = Math.min(firstRows, itemsShown);
  const { sample, scan } = scanned;
  const example = rules && foldExample(sample.slice(0, items), rules, scan.layout.columns.length);
  return { rows, records, firstRows, example, items };
}

function columnPreview(
  decision: ColumnDecision,
  index: number,
  { scanned: { scan, sample }, mapping, knowledge }: PreviewInput,
  { matched }: Decisions,
): Omit<MatchedColumn, 'problem' | 'problemOf'> {
  const { column, match, facts, conversion, warnings } = decision;
  const { key, unit } = column;
  const cells = filledCells(index, match?.join ?? [], sample, mapping);
  const shown = cells.length > 0 ? cells : firstCells(facts);
  /** The patterns that fit all its texts together with those joined to it. */
  const patterns = match
    ? joinPatterns([match.index, ...match.join].map((at) => scan.columns[at]?.patterns ?? null))
    : [];
  return {
    column: key,
    zoneOfFile: match ? zoneOfFile(scan.layout.columns, match) : undefined,
    joinedTo: matched.joinedTo.get(key) ?? null,
    to: match?.path.join('.') ?? null,
    ...(matched.skippedWellNames.includes(key) && { isWellName: true }),
    kind: match?.kind ?? null,
    unit: match ? (match.wanted.unit ?? match.unit) : unit,
    conversion: conversion?.kind === 'number' ? conversion.units : undefined,
    unitWarning: warnings.find(({ code }) => unitWarningCodes.has(code))?.message,
    reading: readingOf(conversion),
    ...repeatedCounts(decision, knowledge),
    examples: examplesOf(shown, key, conversion, mapping),
    choices: choicesOf(shown, patterns, match, mapping),
  };
}

/**
 * The result of a file, a mapping, and a dataset, by the same decisions as the upload: the target, examples, and issues
 * of each column, and the fields that are filled or missing.
 */
function mappingPreview(input: PreviewInput, decisions: Decisions): UploadMatch {
  const { scan, values } = input.scanned;
  const { columns, matched, rules, issues, warnings } = decisions;
  const fields = fieldsOf(columns, input);
  const shared = new Map(
    matched.sharedFields.flatMap(({ columns: keys, message }) => keys.map((key) => [key, message] as const)),
  );
  const matchedColumns = columns.map((decision, index) => ({
    ...columnPreview(decision, index, input, decisions),
    ...problemOf(decision, shared),
  }));
  const missing = fields.some(
    ({ required, columns: filling, constant, assumed }) =>
      required && filling.length === 0 && !constant && assumed === null,
  );
  const [only, ...more] = assetPaths.filter((path) =>
    fields.some((field) => field.path === path && field.columns.length > 0),
  );
  // Issues of single columns and missing fields are shown beside them.
  const isReported = (place: string | undefined): boolean =>
    place?.startsWith('mapping.columns.') === true || (missing && place === 'mapping');
  return {
    columns: matchedColumns,
    fields,
    targets: [...envelopeFields, 'metadata.asset_id'],
    issues: issues.filter(({ place }) => !isReported(place?.field)),
    warnings: rules ? [...warnings, ...openWarnings(scan, input.mapping, decisions)] : [],
    folded: foldedOf(input, rules),
    wellColumns: namingColumns(scan, values).map(({ column, by }) => ({ column, by })),
    ready: issues.length === 0 && matchedColumns.every(({ problem: text }) => text === null),
    spans: fields.flatMap(({ path }) => spanAt(path, decisions) ?? []),
    assets: only !== undefined && more.length === 0 ? assetsAt(only, decisions, scan, {}) : [],
  };
}

interface ValidationDependencies {
  readonly connections: { services(connectionId: string): Services };
  readonly files: Pick<Files, 'source'>;
  readonly store: Pick<JobStore, 'related' | 'plan'>;
  readonly reader: TableReader;
  readonly scans: FileScans;
  readonly openThread?: OpenCsvThread;
}

const previewOf = (
  { facts, conversion }: ScannedFile['file'],
  { layout, rows, lines }: Preview,
): FilePreview => ({
  ...facts,
  encoding: layout.encoding.name,
  delimiter: conversion?.places ? '' : layout.delimiter,
  headerRow: layout.headerLine,
  unitRow: layout.unitLine,
  columns: layout.columns.map(({ key, unit }) => ({ key, unit })),
  rows: rows.map(({ line, cells, problem }) => ({ line, cells: [...cells], problem })),
  lines: [...(conversion?.places ? conversion.converted.lines : lines)],
});

type MatchRequest = z.infer<typeof matchRequest>;
type Calls = 'inspect' | 'preview' | 'match' | 'wellZone' | 'wells' | 'wellsInName' | 'origin';

/**
 * The validation of a file before anything is sent: the whole file, its first rows, the result of a mapping, the wells
 * that it names, and the job whose rejects file it is.
 */
export function createValidation({
  connections,
  files,
  store,
  reader,
  scans,
  openThread = openCsvThread,
}: ValidationDependencies): Pick<ModuleHandlers<(typeof calls)['upload']>, Calls> {
  const using = <T>(
    token: string,
    reading: ReadingOptions,
    signal: AbortSignal | undefined,
    use: (thread: CsvThread, file: ScannedFile['file']) => Promise<T>,
  ): Promise<T> =>
    withThread(openThread, signal, async (thread) =>
      use(thread, await reader.readable(files.source(token), reading, thread, signal)),
    );

  /** The decisions about the columns of a file by the file alone. @param distinct columns whose values are counted */
  async function matched(
    { source, reading, mapping: given, type, requiresWell, storedUnits, ...address }: MatchRequest,
    distinct: readonly string[],
    signal: AbortSignal | undefined,
  ) {
    const asGiven = given ?? noMapping;
    const place = files.source(source);
    const asRead = await scans.read(place, reading, { nulls: nullsOf(asGiven), distinct }, signal);
    const about = { address, type, requiresWell, storedUnits };
    const read = await inParent(asRead, place.name, asGiven, about, { scans, store }, signal);
    return { ...read, decided: decideAll(read.scanned.scan, read.mapping, read.knowledge) };
  }

  return {
    async inspect({ source, nulls, keepAsText, exceptionShare, explain = false, ...reading }, { signal }) {
      const choices = { nulls: nullsOf({ nulls, keepAsText }), distinct: [] };
      const { scan, file } = await scans.read(files.source(source), reading, choices, signal);
      return inspectFile(file, scan, { exceptionShare, explain });
    },
    preview: ({ source, from, ...reading }, { signal }) =>
      using(source, reading, signal, async (thread, file) => {
        const { path, fileName, places, layout, reading: options } = file;
        const request = { path, fileName, places, reading: options, layout, from, rows: rowsShown };
        return previewOf(file, await thread.calls.preview(request));
      }),
    async match(request, { signal }) {
      const { scanned, mapping, knowledge: open, decided } = await matched(request, [], signal);
      const nulls = nullsOf(mapping);
      const repeatedTimes = await scans.repeatedTimes(scanned, localTimes(decided), nulls, signal);
      const knowledge = { ...open, repeatedTimes };
      return mappingPreview(
        { scanned, mapping, knowledge },
        repeatedTimes.length > 0 ? decideAll(scanned.scan, mapping, knowledge) : decided,
      );
    },
    async wellZone({ connection, ...request }, { signal }) {
      const distinct = columnsOfWells(request.mapping ?? noMapping);
      const { scanned, mapping, decided } = await matched(request, distinct, signal);
      const { scan } = scanned;
      const { platform } = connections.services(connection);
      // The window looked up the names: those without a well are rejected, whatever their time zone.
      const assets = settledAssets(mapping, scan.distinct);
      return zoneOfWells(mapping, scan, decided.columns, assets, platform, { signal });
    },
    async wells({ connection, source, reading, mapping }, { signal }) {
      const { platform } = connections.services(connection);
      const distinct = assetColumns(mapping).map(({ column }) => column);
      const choices = { nulls: nullsOf(mapping), distinct };
      const { scan, values } = await scans.read(files.source(source), reading, choices, signal);
      return wellsOfFile(platform, mapping, scan, values, { signal });
    },
    wellsInName: ({ connection, source }, { signal }) =>
      wellsInName(connections.services(connection).platform, files.source(source).name, { signal }),
    origin: ({ source, reading }, { signal }) =>
      using(
        source,
        reading,
        signal,
        async (thread, { path, fileName, places, layout, original, ...file }) => {
          const request = { path, fileName, places, reading: file.reading, layout, rows: 1 };
          const preview = await thread.calls.preview(request);
          return originOf({ path: original.path, name: fileName }, preview.layout, store);
        },
      ),
  };
}

const examplesShown = 5;
/** Maximum number of examples with an issue. */
const oddShown = 3;

interface FilledCell {
  readonly line: number;
  readonly cell: string;
  /** Null: only the cell is known. */
  readonly row: RecordRow | null;
}

function timeOf(
  value: string | null,
  conversion: Conversion | null,
  { repeated }: Notes,
): CellExample['time'] {
  if (value === null || conversion?.kind !== 'time') return null;
  const ms = new Date(conversion.as === 'ms' ? Number(value) : z.string().parse(JSON.parse(value))).getTime();
  return { ms, offset: offsetAt(conversion.zone, ms), repeated };
}

/** The nonblank, valid cells of a column among the first rows. @param join indexes of columns whose text is appended */
const filledCells = (
  index: number,
  join: readonly number[],
  sample: readonly Preview['rows'][number][],
  mapping: Mapping,
): FilledCell[] => {
  const nulls = new Set(nullsOf(mapping));
  return sample.flatMap((shown) => {
    const row = rowOfPreview(shown);
    const cell = shown.problem === null ? joinedText(row, { index, join }, nulls) : '';
    return cell.trim() === '' ? [] : [{ line: shown.line, cell, row }];
  });
};

/** Nonblank cells of a column that is blank in the first rows: the first of each kind. */
const firstCells = ({ firsts }: ColumnFacts): FilledCell[] =>
  Object.entries(firsts)
    .filter(([kind]) => kind !== 'empty' && kind !== 'null_word')
    .map(([, { line, text }]) => ({ line, cell: text, row: null }))
    .toSorted((a, b) => a.line - b.line);

const isRepeated = ({ time }: CellExample): boolean => time !== null && time.repeated !== null;

/** The first example of each text, and of each of its two times if it has two, in the order of the file. */
function distinctExamples(examples: readonly CellExample[]): CellExample[] {
  const groups = Map.groupBy(examples, ({ cell, time }) => JSON.stringify([cell, time?.repeated ?? null]));
  return [...groups.values()].flatMap(([first]) => first ?? []);
}

/**
 * Conversions of the first different nonblank cells of a column. Cells with an issue replace others even if they are
 * further down. Wells by name are resolved when the upload starts.
 */
function examplesOf(
  cells: readonly FilledCell[],
  key: string,
  conversion: Conversion | null,
  mapping: Mapping,
): CellExample[] {
  const convert = conversion && conversion.kind !== 'asset' ? converter(conversion, nullsOf(mapping)) : null;
  const all = cells.map(({ line, cell, row }): CellExample => {
    const notes = notesFor(row);
    const value = convert ? convert(cell, notes) : null;
    if (value instanceof Unfit)
      return { line, cell, value: null, problem: problem(value.code, key, cell).message, time: null };
    return { line, cell, value, problem: null, time: timeOf(value, conversion, notes) };
  });
  const examples = distinctExamples(all);
  const odd = examples
    .filter((example) => example.problem !== null || isRepeated(example))
    .slice(0, oddShown);
  const kept = new Set([...new Set([...odd, ...examples])].slice(0, examplesShown));
  return examples.filter((example) => kept.has(example));
}

/** The formats that fit a column of times. @param patterns that fit all its texts; empty: none, or unknown */
function choicesOf(
  cells: readonly FilledCell[],
  patterns: readonly string[],
  match: Match | null,
  mapping: Mapping,
): TimeChoice[] {
  if (!match) return [];
  const isTime = match.kind === 'timestamp' || match.kind === 'datetime' || match.wanted.format !== undefined;
  if (!isTime) return [];
  const nulls = new Set(nullsOf(mapping));
  const choices = timeChoices(cells.map(({ cell }) => cell.trim()).filter((text) => !nulls.has(text)));
  const fitting = choices.filter(({ format }) => patterns.includes(withSingleLetters(format)));
  return fitting.length > 0 ? fitting : choices;
}

/** A pattern in which one letter matches one or two digits, as detected in the file. */
const withSingleLetters = (format: string): string =>
  format.replaceAll(/dd|MM(?!M)|HH|hh/g, ([one = '']) => one);

const numeric = /^\d+(?:\.\d+)?$/;
const counted = ['unix_ms', 'unix_s', 'unix_us', 'unix_ns', 'excel_1900', 'excel_1904'] as const;
/** Plausible years for a count of days or seconds. */
const likelyYears = { from: Date.UTC(1971, 0, 1), to: Date.UTC(2100, 0, 1) };

/** The patterns that fit all cells, with two letters where all of them have two digits. */
function patternsFor(cells: readonly string[]): string[] {
  const [first = [], ...others] = cells.map(timePatterns);
  const numbers = cells.map((cell) => cell.match(/\d+/g) ?? []);
  return first
    .filter((pattern) => others.every((patterns) => patterns.includes(pattern)))
    .map((pattern) => {
      let at = 0;
      return pattern.replaceAll(/'[^']*'|yy(?:yy)?|mm|ss|[dMHhu]/g, (token) => {
        if (token.startsWith("'")) return token;
        const place = at++;
        const isTwoDigits = numbers.every((tokens) => tokens[place]?.length === 2);
        return token.length === 1 && token !== 'u' && isTwoDigits ? token.repeat(2) : token;
      });
    });
}

/** The local time in a cell, in milliseconds as if it were UTC; null: it doesn't fit the format. */
function localTime(cell: string, format: string): number | null {
  const read = timeReader(format, 'UTC')(cell);
  return typeof read === 'string' ? null : read.ms;
}

/**
 * The formats that fit all of these cells, each with its result for the first cell on which they differ. Empty if the
 * format is unambiguous, or nothing fits.
 * @param cells nonblank cells of one column, trimmed
 */
export function timeChoices(cells: readonly string[]): TimeChoice[] {
  if (cells.every((cell) => localTime(cell, 'iso') !== null)) return [];
  const isCount = cells.every((cell) => numeric.test(cell));
  const compact = cells[0] === undefined ? null : compactPattern(cells[0]);
  if (compact !== null && cells.every((cell) => compactPattern(cell) === compact)) return [];
  const fitting = (isCount ? counted : patternsFor(cells)).flatMap((format) => {
    const times = cells.map((cell) => localTime(cell, format));
    const fits = times.every(
      (ms) => ms !== null && (!isCount || (ms >= likelyYears.from && ms < likelyYears.to)),
    );
    return fits ? [{ format, times }] : [];
  });
  const firstDifference = cells.findIndex((_, at) => new Set(fitting.map(({ times }) => times[at])).size > 1);
  const at = Math.max(firstDifference, 0);
  return fitting.map(({ format, times }) => ({
    format,
    cell: cells[at] ?? '',
    local: times[at] ?? 0,
  }));
}

/** A column with the facts for suggestions. */
export interface Candidate {
  readonly key: string;
  readonly type: JudgedType['type'];
  readonly facts: ColumnFacts;
}

/** Maximum number of suggested columns for a field. */
const suggested = 3;

/** Names of columns for fields, in words. */
const namesOfFields: Readonly<Record<string, RegExp>> = {
  timestamp: /\b(?:date|time|timestamp|datetime|utc|gmt)\b/,
  datetime: /\b(?:date|time|timestamp|datetime|utc|gmt)\b/,
  measured_depth: /\b(?:md|dept|depth|mdepth|dmea|measured depth|hole depth)\b/,
  log_identifier: /\b(?:log|run|pass|logid|identifier)\b/,
  version: /\bversion\b/,
  stage_number: /\bstage\b/,
};

/** Names that are those of another measurement, so that a field isn't filled without a question. */
const otherNames: Readonly<Record<string, RegExp>> = {
  measured_depth: /\b(?:bit|water|casing|shoe|pump|setting|cut|lag|returns?|time|hours?)\b/,
  log_identifier: /\b(?:time|date|depth|length|duration|hours?|min|minutes)\b/,
};

const isNumeric = ({ type }: Candidate): boolean => type === 'integer' || type === 'number';

/** Integers with the number of digits of Unix times. */
const isUnixTime = ({ facts: { counts, digits } }: Candidate): boolean =>
  counts.integer > 0 && (digits[10] ?? 0) + (digits[13] ?? 0) > counts.integer / 2;

/** Whether a column can contain ids or names: neither times nor measurements. */
const canIdentify = ({ type, facts: { patterns } }: Candidate): boolean =>
  (type === 'integer' || type === 'string') && !areClocks(patterns);

/** How well a column fits a field: by its name, from 0 to 2, and whether it has the content that the field needs. */
function fitOf(path: string, candidate: Candidate): { readonly named: number; readonly holds: boolean } {
  const text = nameInWords(candidate.key).join(' ');
  // The unit of a gamma ray is API, too.
  const isNamed = /(?:^|\.)asset_id$/.test(path)
    ? canNameWells(candidate.key)
    : namesOfFields[path]?.test(text);
  const named = isNamed === true ? 1 + 1 / (1 + text.length) : 0;
  switch (path) {
    case 'timestamp':
    case 'datetime':
      return { named, holds: candidate.type === 'time' || isUnixTime(candidate) };
    case 'measured_depth':
      return { named, holds: isNumeric(candidate) };
    case 'version':
    case 'stage_number':
      return { named, holds: candidate.type === 'integer' };
    default:
      return { named, holds: canIdentify(candidate) };
  }
}

/** The columns whose content fits a field, those whose name fits first; without such a name only times do. */
function fittingColumns(path: string, candidates: readonly Candidate[]) {
  const isTime = path === 'timestamp' || path === 'datetime';
  return candidates
    .map((candidate) => ({ key: candidate.key, ...fitOf(path, candidate) }))
    .filter(({ named, holds }) => holds && (named > 0 || isTime))
    .sort((a, b) => b.named - a.named);
}

/** Suggested columns for a field, by name and content; the most likely first. */
export const likelyColumns = (path: string, candidates: readonly Candidate[]): string[] =>
  fittingColumns(path, candidates)
    .slice(0, suggested)
    .map(({ key }) => key);

/** The only column whose name and content fit a field; null: none, or several do. */
export function certainColumn(path: string, candidates: readonly Candidate[]): string | null {
  const [only, second] = fittingColumns(path, candidates).filter(({ named }) => named > 0);
  if (!only || second) return null;
  if (path === 'measured_depth' && isVerticalDepth(only.key)) return null;
  return otherNames[path]?.test(nameInWords(only.key).join(' ')) === true ? null : only.key;
}

/** Maximum number of items in the example of a record. */
const itemsShown = 3;

/** The first record as JSON text; null: it has errors. @param sample its first rows */
function foldExample(
  sample: readonly Preview['rows'][number][],
  rules: Rules,
  columns: number,
): string | null {
  const rows = sample.map(rowOfPreview);
  // Wells by name are looked up when the upload starts.
  const columnsWithoutWells = rules.columns.filter(({ conversion }) => conversion.kind !== 'asset');
  const write = createRecordWriter({ ...rules, columns: columnsWithoutWells, required: [] }, columns, {
    blankRows: true,
  });
  const written = write(rows);
  return 'record' in written ? written.record : null;
}
