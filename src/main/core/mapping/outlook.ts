import { datasetShapes } from '../../../shared/datasets/shapes.ts';
import { isAppError, type Issue } from '../../../shared/errors/errors.ts';
import type { MatchedColumn, MatchedField, RawLine, UploadMatch } from '../../../shared/upload/preview.ts';
import { type ColumnFacts, columnType, notationOf } from '../tables/reading/column-facts.ts';
import type { Column } from '../tables/reading/layout.ts';
import { joinPatterns } from '../tables/reading/time-patterns.ts';
import type { PreviewRow } from '../tables/reading/preview.ts';
import { choicesOf, examplesOf, filledCells, firstCells, spanOf } from './column-examples.ts';
import { datesAndTimes } from './date-and-time.ts';
import { foldExample, itemColumns, itemsShown } from './fold.ts';
import { decideConversion, fileFacts } from './decide.ts';
import { namingColumns } from './file-wells.ts';
import { certainColumn, likelyColumns } from './likely-columns.ts';
import { joinedTo, matchOne, sharedFields, skippedWellNames, zoneOfFile, type Match } from './match.ts';
import { unitWarningCodes } from './unit-warnings.ts';
import { openWarnings } from './open-warnings.ts';
import {
  assumedVersion,
  planRules,
  requiredPaths,
  wellOfRecords,
  type PlanRulesInput,
} from './plan-rules.ts';
import type { Conversion, Rules } from '../tables/model/plan.ts';
import { envelopeFields, parseTarget } from '../tables/model/targets.ts';

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
