import type { calls } from '../../../shared/contract/contract.ts';
import type {
  FilePreview,
  MatchedColumn,
  MatchedField,
  RawLine,
  UploadMatch,
} from '../../../shared/upload/preview.ts';
import { nullsOf } from '../../../shared/upload/null-tokens.ts';
import type { ReadingOptions } from '../../../shared/upload/upload.ts';
import type { Files } from '../files/files.ts';
import type { ModuleHandlers } from '../handlers.ts';
import type { JobStore } from '../jobs/jobs.ts';
import type { Services, CallOptions, PlatformService } from '../wire/services/services.ts';
import {
  type Conversions,
  type ColumnFacts,
  columnType,
  notationOf,
  type Column,
  type Preview,
  type PreviewRow,
  explanationOfFile,
  inspectionOfFile,
} from '../tables/tables.ts';
import { readableFile, type ReadableFile } from './readable-file.ts';
import { assetColumns, wellsNamedLike } from './assets.ts';
import { wellsOfFile, namingColumns } from './file-wells.ts';
import { localTimes } from './local-times.ts';
import {
  noMapping,
  joinedTo,
  matchOne,
  sharedFields,
  skippedWellNames,
  zoneOfFile,
  type Match,
} from './match.ts';
import { originOf } from './parent.ts';
import { rowsShown, type FileScans } from './file-scans.ts';
import { openCsvThread, withThread, type CsvThread, type OpenCsvThread } from './thread/csv-thread.ts';
import { maxOf } from '../../../shared/lists.ts';
import type { WellCandidate } from '../../../shared/upload/wells.ts';
import { datasetShapes } from '../../../shared/datasets/shapes.ts';
import { isAppError, type Issue } from '../../../shared/errors/errors.ts';
import { joinPatterns } from '../records/time-patterns.ts';
import { choicesOf, examplesOf, filledCells, firstCells, spanOf } from './column-examples.ts';
import { datesAndTimes } from './date-and-time.ts';
import { foldExample, itemColumns, itemsShown } from './fold.ts';
import { decideConversion, fileFacts } from './decide.ts';
import { certainColumn, likelyColumns } from './likely-columns.ts';
import { unitWarningCodes } from './unit-warnings.ts';
import { openWarnings } from './open-warnings.ts';
import {
  assumedVersion,
  planRules,
  requiredPaths,
  wellOfRecords,
  type PlanRulesInput,
} from './plan-rules.ts';
import type { Conversion, Rules } from './plan.ts';
import { envelopeFields, parseTarget } from '../records/targets.ts';

interface OutlookInput extends Omit<PlanRulesInput, 'assets'> {
  /** The first rows of the file. */
  readonly sample: readonly PreviewRow[];
  /** Its first lines. */
  readonly lines: readonly RawLine[];
}

interface Judged {
  readonly column: Column;
  readonly facts: ColumnFacts;
  readonly match: Match | null;
  readonly conversion: Conversion | null;
  readonly unitWarning?: string | undefined;
  readonly problem: string | null;
  readonly problemOf: MatchedColumn['problemOf'];
}

function judge(input: OutlookInput): Judged[] {
  const { scan, mapping, folding, type } = input;
  const items = folding ? itemColumns(scan, folding, type, mapping) : [];
  const file = fileFacts(scan, mapping.exceptionShare, input);
  return scan.layout.columns.flatMap((column, index): Judged[] => {
    const facts = scan.columns[index];
    if (!facts) return [];
    const match = matchOne(scan.layout.columns, index, mapping, items);
    const base = { column, facts, conversion: null, problem: null, problemOf: null };
    if (typeof match === 'string') return [{ ...base, match: null, problem: `${match}.`, problemOf: 'to' }];
    if (!match) return [{ ...base, match }];
    const decided = decideConversion(match, file, {});
    if (!('message' in decided)) {
      const { conversion, warnings } = decided;
      const unitWarning = warnings.find(({ code }) => unitWarningCodes.has(code))?.message;
      return [{ ...base, match, conversion, unitWarning }];
    }
    const problem = withoutName(decided.message, column.key);
    return [{ ...base, match, problem, problemOf: mappingPart(decided, column.key) }];
  });
}

/** The columns, each with the problem that another one goes to its field. Only a mapping file can send both there. */
function withSharedFields(judged: readonly Judged[]): readonly Judged[] {
  const fields = sharedFields(judged.flatMap(({ match }) => match ?? []));
  return judged.map((entry) => {
    const field = fields.find(({ columns }) => columns.includes(entry.column.key));
    if (!field) return entry;
    return { ...entry, problem: `${field.message}. Map one of them elsewhere, or skip it.`, problemOf: 'to' };
  });
}

/** The part of a column's mapping that has the issue. */
function mappingPart({ place }: Issue, key: string): MatchedColumn['problemOf'] {
  const rest = place?.field?.slice(`mapping.columns.${key}.`.length);
  return rest === 'format' || rest === 'zone' ? rest : null;
}

/** The message is shown beside its column and doesn't repeat the name. */
const withoutName = (message: string, key: string): string => {
  const prefix = `Column “${key}”: `;
  return message.startsWith(prefix) ? message.slice(prefix.length) : message;
};

function repeatedCounts(
  index: number,
  { repeatedTimes = [] }: OutlookInput,
): Pick<MatchedColumn, 'repeatedTimes'> {
  const columnTimes = repeatedTimes.find((times) => times.index === index);
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
function fieldPaths(input: OutlookInput): Pick<MatchedField, 'path' | 'required' | 'isOfRecords'>[] {
  const { type, mapping } = input;
  const well = wellOfRecords(input);
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
function joinsFor(column: string | undefined, { scan, mapping }: OutlookInput): MatchedField['joins'] {
  const joins = datesAndTimes(scan, mapping).filter((pair) => column === undefined || pair.column === column);
  return joins.map((pair) => ({ column: pair.column, join: [...pair.join] }));
}

function fieldsOf(judged: readonly Judged[], input: OutlookInput): MatchedField[] {
  const { mapping, scan } = input;
  const notation = notationOf(scan.columns, scan.layout.delimiter);
  const free = judged
    .filter(({ match }) => match === null || match.path[0] === 'data')
    .map(({ column: { key }, facts }) => ({
      key,
      facts,
      type: columnType(facts, notation, mapping.exceptionShare).type,
    }));
  return fieldPaths(input).flatMap(({ path, ...needs }): MatchedField[] => {
    const target = parseTarget(path);
    if (typeof target === 'string') return [];
    const columns = judged
      .filter(({ match }) => match?.path.join('.') === path)
      .map(({ column }) => column.key);
    const constant = Object.hasOwn(mapping.constants, path);
    const isFilled = columns.length > 0 || constant;
    return [
      {
        path,
        kind: target.kind,
        ...needs,
        columns,
        constant,
        assumed: path === 'version' && !isFilled ? assumedVersion : null,
        likely: isFilled ? [] : likelyColumns(path, free),
        certain: isFilled ? null : certainColumn(path, free),
        joins: isTime(target.kind) && columns.length < 2 ? joinsFor(columns[0], input) : [],
      },
    ];
  });
}

/** The patterns that fit all texts of a column together with those joined to it. */
const patternsOf = ({ index, join }: Match, { columns }: OutlookInput['scan']): readonly string[] =>
  joinPatterns([index, ...join].map((at) => columns[at]?.patterns ?? null));

/** The errors that `start` would throw, if any. */
function verdict(input: OutlookInput): {
  rules: Rules | null;
  issues: readonly Issue[];
  warnings: UploadMatch['warnings'];
} {
  try {
    const { rules, warnings } = planRules({ ...input, assets: {} });
    return { rules, issues: [], warnings: [...warnings, ...openWarnings(input.scan, rules, input.mapping)] };
  } catch (error) {
    if (!isAppError(error, 'invalid_input')) throw error;
    return { rules: null, issues: error.details.issues, warnings: [] };
  }
}

function foldedOf({ folding, sample, scan }: OutlookInput, rules: Rules | null): UploadMatch['folded'] {
  if (!folding?.groups || folding.groups.problem !== null) return null;
  const { rows, records, firstRows } = folding.groups;
  const items = Math.min(firstRows, itemsShown);
  const example = rules && foldExample(sample.slice(0, items), rules, scan.layout.columns.length);
  return { rows, records, firstRows, example, items };
}

/**
 * The result of a file, a mapping, and a dataset, by the same functions as the upload: the target, examples, and issues
 * of each column, and the fields that are filled or missing.
 */
export function outlook(input: OutlookInput): UploadMatch {
  const judged = withSharedFields(judge(input));
  const fields = fieldsOf(judged, input);
  const { rules, issues, warnings } = verdict(input);
  const { mapping, sample, scan } = input;
  const wellNames = new Set(skippedWellNames(scan.layout.columns, mapping).map(({ key }) => key));
  const cells = judged.map(({ match, facts }, index) => {
    const examples = filledCells(index, match?.join ?? [], sample, mapping);
    return examples.length > 0 ? examples : firstCells(facts);
  });
  const missing = fields.some(
    ({ required, columns, constant, assumed }) =>
      required && columns.length === 0 && !constant && assumed === null,
  );
  // Issues of single columns and missing fields are shown beside them.
  const isReported = (place: string | undefined): boolean =>
    place?.startsWith('mapping.columns.') === true || (missing && place === 'mapping');
  return {
    columns: judged.map(
      ({ column: { key, unit }, match, conversion, unitWarning, problem, problemOf }, index) => ({
        column: key,
        zoneOfFile: match ? zoneOfFile(scan.layout.columns, match) : undefined,
        joinedTo: joinedTo(key, mapping),
        to: match?.path.join('.') ?? null,
        ...(wellNames.has(key) && { isWellName: true }),
        kind: match?.kind ?? null,
        unit: match ? (match.wanted.unit ?? match.unit) : unit,
        conversion: conversion?.kind === 'number' ? conversion.units : undefined,
        unitWarning,
        reading: readingOf(conversion),
        ...repeatedCounts(index, input),
        examples: examplesOf(cells[index] ?? [], key, conversion, mapping),
        choices: choicesOf(cells[index] ?? [], match ? patternsOf(match, scan) : [], match, mapping),
        problem,
        problemOf,
      }),
    ),
    fields,
    targets: [...envelopeFields, 'metadata.asset_id'],
    issues: issues.filter(({ place }) => !isReported(place?.field)),
    warnings,
    folded: foldedOf(input, rules),
    wellColumns: namingColumns(input.scan, input.lines).map(({ column, by }) => ({ column, by })),
    ready: issues.length === 0 && judged.every(({ problem }) => problem === null),
    spans: fields.flatMap(({ path, columns, constant }) => {
      const [only, ...more] = judged.filter(({ match }) => match?.path.join('.') === path);
      if (
        !only?.conversion ||
        (only.match?.join.length ?? 0) > 0 ||
        more.length > 0 ||
        constant ||
        columns.length !== 1
      )
        return [];
      const span = spanOf(only.facts, only.conversion);
      return span ? [{ path, ...span }] : [];
    }),
  };
}

export interface ValidationDependencies {
  readonly connections: { services(connectionId: string): Services };
  readonly files: Pick<Files, 'source'>;
  readonly store: Pick<JobStore, 'related' | 'plan'>;
  readonly conversions: Conversions;
  readonly scans: FileScans;
  readonly openThread?: OpenCsvThread;
}

const previewOf = ({ facts, conversion }: ReadableFile, { layout, rows, lines }: Preview): FilePreview => ({
  ...facts,
  encoding: layout.encoding.name,
  delimiter: conversion?.places ? '' : layout.delimiter,
  headerRow: layout.headerLine,
  unitRow: layout.unitLine,
  columns: layout.columns.map(({ key, unit }) => ({ key, unit })),
  rows: rows.map(({ line, cells, problem }) => ({ line, cells: [...cells], problem })),
  lines: [...(conversion?.places ? conversion.converted.lines : lines)],
});

type Calls = 'inspect' | 'preview' | 'match' | 'wells' | 'wellsInName' | 'origin';

/**
 * The validation of a file before anything is sent: the whole file, its first rows, the result of a mapping, the wells
 * that it names, and the job whose rejects file it is.
 */
export function createValidation({
  connections,
  files,
  store,
  conversions,
  scans,
  openThread = openCsvThread,
}: ValidationDependencies): Pick<ModuleHandlers<(typeof calls)['upload']>, Calls> {
  const using = <T>(
    token: string,
    reading: ReadingOptions,
    signal: AbortSignal | undefined,
    use: (thread: CsvThread, file: ReadableFile) => Promise<T>,
  ): Promise<T> =>
    withThread(openThread, signal, async (thread) =>
      use(thread, await readableFile(files.source(token), reading, conversions, thread, signal)),
    );

  return {
    async inspect({ source, nulls, keepAsText, exceptionShare, explain = false, ...reading }, { signal }) {
      const choices = { nulls: nullsOf({ nulls, keepAsText }), distinct: [] };
      const { scan, file } = await scans.read(files.source(source), reading, choices, signal);
      const inspection = inspectionOfFile(file, scan, exceptionShare);
      return explain ? { ...inspection, explain: explanationOfFile(file, scan) } : inspection;
    },
    preview: ({ source, from, ...reading }, { signal }) =>
      using(source, reading, signal, async (thread, file) => {
        const { path, fileName, places, layout, reading: options } = file;
        const request = { path, fileName, places, reading: options, layout, from, rows: rowsShown };
        return previewOf(file, await thread.calls.preview(request));
      }),
    async match({ source, reading, mapping, type, requiresWell, storedUnits, ...address }, { signal }) {
      const nulls = nullsOf(mapping ?? {});
      const scanned = await scans.read(files.source(source), reading, { nulls, distinct: [] }, signal);
      const { scan, sample, lines } = scanned;
      const folding = await scans.groups(scanned, mapping?.fold, signal);
      const times = localTimes({ scan, mapping: mapping ?? noMapping, type, folding });
      const repeatedTimes = await scans.repeatedTimes(scanned, times, nulls, signal);
      return outlook({
        scan,
        sample,
        lines,
        mapping: mapping ?? noMapping,
        address,
        type,
        folding,
        repeatedTimes,
        requiresWell,
        storedUnits,
      });
    },
    async wells({ connection, source, reading, mapping }, { signal }) {
      const { platform } = connections.services(connection);
      const distinct = assetColumns(mapping).map(({ column }) => column);
      const choices = { nulls: nullsOf(mapping), distinct };
      const { scan, lines } = await scans.read(files.source(source), reading, choices, signal);
      return wellsOfFile(platform, mapping, scan, lines, { signal });
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

/** Maximum number of words of a name that are looked up. */
const maxLookups = 3;
/** Words of file names that are seldom part of a well's name. */
const common =
  /^(?:surveys?|wells?|data|export|logs?|las|csv|drilling|depth|time|reports?|stages?|final|raw|daily|day|copy|of|and|the)$/;

const wordsOf = (text: string): string[] =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');

/** The words to search by: those with letters and digits identify a well best, then long ones. */
function searchWords(words: readonly string[]): string[] {
  const rank = (word: string) => (/\d/.test(word) ? 1 : 0) * 100 + word.length;
  return [...new Set(words)]
    .filter((word) => word.length > 1 && /\p{L}/u.test(word) && !common.test(word))
    .toSorted((a, b) => rank(b) - rank(a))
    .slice(0, maxLookups);
}

/** Whether the words of a well's name follow each other in those of the file's name. */
function isNamed(well: string, words: readonly string[]): boolean {
  const name = wordsOf(well).join('');
  return words.some((_, from) =>
    words.some((__, to) => to >= from && words.slice(from, to + 1).join('') === name),
  );
}

/**
 * The wells whose name is in the name of a file, such as `Ridge_A-101H surveys.csv`; only those with the longest name.
 * @throws errors of the platform service
 */
export async function wellsInName(
  platform: PlatformService,
  fileName: string,
  options: CallOptions,
): Promise<WellCandidate[]> {
  const words = wordsOf(fileName.replace(/(?:\.[A-Za-z]\w{0,6}){1,2}$/, ''));
  const named = new Map<number, WellCandidate>();
  for (const word of searchWords(words)) {
    for (const well of await wellsNamedLike(platform, word, options))
      if (isNamed(well.name, words)) named.set(well.assetId, well);
    if (named.size > 0) break;
  }
  const lengthOf = ({ name }: WellCandidate) => wordsOf(name).join('').length;
  const longest = maxOf([...named.values()].map(lengthOf));
  return [...named.values()].filter((well) => lengthOf(well) === longest);
}
