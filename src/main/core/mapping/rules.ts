import type { DatasetAddress, DatasetType } from '../../../shared/datasets/datasets.ts';
import type { StoredUnits } from '../../../shared/datasets/fields.ts';
import { datasetShapes } from '../../../shared/datasets/shapes.ts';
import { AppError, type Issue } from '../../../shared/errors/errors.ts';
import { append, rowsInWords } from '../../../shared/lists.ts';
import { nullsOf } from '../../../shared/upload/null-tokens.ts';
import { foldColumn, type FileWarning, type Mapping } from '../../../shared/upload/upload.ts';
import type { WarningCode } from '../../../shared/upload/warnings.ts';
import { isInList, type ColumnRule, type FoldRule, type Rules, type Conversion } from './plan.ts';
import { type ColumnFacts, type Layout, type Scan, scanWarnings } from '../tables/tables.ts';
import { assetPaths, parseTarget } from '../records/targets.ts';
import {
  canRepeat,
  clockColumn,
  decideConversion,
  fileFacts,
  hasUnit,
  midnightWarning,
  unitOfNewField,
  type FileFacts,
} from './decide.ts';
import {
  columnsInWords,
  columnsList,
  itemColumns,
  matchColumns,
  renamedField,
  type Column,
  type Folding,
  type Match,
  type MatchedFile,
} from './match.ts';
import type { LocalTimes, RepeatedTimes } from './repeated-times.ts';

/** What is known beside a file and a mapping. What is absent isn't known yet: columns that depend on it need it. */
export interface Knowledge {
  readonly address: DatasetAddress;
  /** Null: the service has an unknown type. */
  readonly type: DatasetType | null;
  /** How rows are combined into records; null or absent: each row is a record. */
  readonly folding?: Folding | null | undefined;
  /** Asset ids by column, then by name or API number. */
  readonly assets?: Readonly<Record<string, Readonly<Record<string, number>>>> | undefined;
  /** The local times that occur twice. */
  readonly repeatedTimes?: readonly RepeatedTimes[] | undefined;
  /** Whether records need a well although their type doesn't, because those of the dataset have one. */
  readonly requiresWell?: boolean | undefined;
  /** The units of the dataset's fields. */
  readonly storedUnits?: StoredUnits | undefined;
}

/**
 * What a column's decision still needs: the `format` of its times from the user, the wells of its names, the `zone` of
 * its local times, the `unit` of its field, the `order` of rows for times that occur twice.
 */
type Need = 'format' | 'well' | 'zone' | 'unit' | 'order';

/** Where a column goes, and how its cells become values. */
export interface ColumnDecision {
  readonly column: Column;
  readonly facts: ColumnFacts;
  /** Null: it is skipped, or its target is wrong. */
  readonly match: Match | null;
  /** Null: it has no target, or a problem. */
  readonly conversion: Conversion | null;
  readonly problem: Issue | null;
  readonly warnings: readonly FileWarning[];
  /** Its unit, if it is stored in a field that has none yet; null: the field has. */
  readonly newUnit: string | null;
  readonly needs: readonly Need[];
}

/** All decisions about a file, a mapping, and a dataset. */
export interface Decisions {
  readonly columns: readonly ColumnDecision[];
  readonly matched: MatchedFile;
  /** How rows become records; null: there are issues. */
  readonly rules: Rules | null;
  /** All errors and missing fields. */
  readonly issues: readonly Issue[];
  readonly warnings: readonly FileWarning[];
  /** The units in which fields are stored that the dataset doesn't have yet, by path. */
  readonly newUnits: Readonly<Record<string, string>>;
}

/** The paths of a record that a dataset of a type requires. */
export const requiredPaths = (type: DatasetType | null): readonly string[] =>
  type === null ? ['version'] : datasetShapes[type].required;

/** The path of the well that records need although their type doesn't require it; null: none. */
export function wellOfRecords({
  type,
  requiresWell,
}: Pick<Knowledge, 'type' | 'requiresWell'>): string | null {
  const well = type === null ? 'asset_id' : datasetShapes[type].scopeField;
  return requiresWell === true && !requiredPaths(type).includes(well) ? well : null;
}

/** The default version as JSON text. */
export const assumedVersion = '1';

/** A constant as JSON text; an issue if its path has another type. */
function constantJson(
  to: string,
  value: string | number | boolean,
): { path: string[]; json: string } | Issue {
  const target = parseTarget(to);
  const place = { field: `mapping.constants.${to}` };
  if (typeof target === 'string') return { message: `${target}.`, place };
  const path = [...target.path];
  const whole = target.kind === 'integer' || target.kind === 'asset' || target.kind === 'timestamp';
  if (whole && !(typeof value === 'number' && Number.isSafeInteger(value)))
    return { message: `The constant ${to} must be a whole number, not ${JSON.stringify(value)}.`, place };
  if (target.kind === 'number' && !(typeof value === 'number' && Number.isFinite(value)))
    return { message: `The constant ${to} must be a number, not ${JSON.stringify(value)}.`, place };
  if ((target.kind === 'identifier' || target.kind === 'datetime') && typeof value !== 'string')
    return { message: `The constant ${to} must be text in quotes, not ${JSON.stringify(value)}.`, place };
  return { path, json: JSON.stringify(value) };
}

/** A mapping that would add a missing field, with columns of the file where one can be suggested. */
function exampleMapping(missing: readonly string[], { layout, columns }: Scan): string {
  const named = (path: string): string => {
    const index = columns.findIndex((facts) =>
      path === 'timestamp' ? facts.counts.time > 0 : path === 'measured_depth' && facts.counts.number > 0,
    );
    return layout.columns[index]?.key ?? 'Name';
  };
  const well = missing.find((path) => assetPaths.includes(path));
  const whole = missing.filter((path) => path !== well);
  const parts = [
    ...(whole.length > 0
      ? [
          `"columns": {${whole.map((path) => `${JSON.stringify(named(path))}: {"to": "${path}"}`).join(', ')}}`,
        ]
      : []),
    ...(well === undefined ? [] : [`"constants": {"${well}": 1001}`]),
  ];
  return `{${parts.join(', ')}}`;
}

function missingIssue(
  missing: readonly string[],
  scan: Scan,
  { address, type, requiresWell = false }: Knowledge,
): Issue {
  const lacksWell = missing.some((path) => assetPaths.includes(path));
  return {
    message:
      (lacksWell && requiresWell
        ? `Every sampled record of ${address.provider}/${address.dataset} has a well. `
        : '') +
      `${address.provider}/${address.dataset} (${type ?? 'of unknown type'}) needs ${missing.join(', ')}, but the file has no such column. ` +
      `The file has ${columnsInWords(scan.layout.columns)}. Name the column in a mapping file, or set a constant, for example ${exampleMapping(missing, scan)}.` +
      (lacksWell ? ' On the command line, --well sets the well of all rows.' : '') +
      (lacksWell && requiresWell
        ? ' To store records without a well, set "withoutWell": true in the mapping file.'
        : ''),
    place: { field: 'mapping' },
    lists: { missing: [...missing], ...columnsList(scan.layout.columns) },
  };
}

/** Rows with a blank well get the well of a constant. */
function blankWells(match: Match, { counts, firsts }: ColumnFacts, { constants }: Mapping): FileWarning[] {
  const constant = constants[match.path.join('.')];
  const blanks = counts.empty + counts.null_word;
  if (match.kind !== 'asset' || constant === undefined || blanks === 0) return [];
  const message = `Column “${match.column}” is blank in ${rowsInWords(blanks)}, stored under ${match.path.join('.')} ${constant}.`;
  const line = firsts.empty?.line ?? null;
  return [{ code: 'blank_wells', message, line, column: match.column, count: blanks }];
}

/** What is decided about. */
interface Subject {
  readonly scan: Scan;
  readonly mapping: Mapping;
  readonly knowledge: Knowledge;
}

/** What the decisions about all columns have in common. */
interface Context extends Subject {
  readonly file: FileFacts;
  readonly clock: () => string | undefined;
}

/** What the decision about a column still needs. */
function needsOf(
  { match, conversion, problem, facts, warnings }: Omit<ColumnDecision, 'needs' | 'column' | 'newUnit'>,
  { assets, storedUnits, repeatedTimes }: Knowledge,
): Need[] {
  const needs: Need[] = problem?.place?.field?.endsWith('.format') === true ? ['format'] : [];
  if (!match || !conversion) return needs;
  if (conversion.kind === 'asset' && !assets) needs.push('well');
  if (warnings.some(({ code }) => code === 'zone_assumed')) needs.push('zone');
  if (!storedUnits && hasUnit(match, conversion)) needs.push('unit');
  if (!repeatedTimes && conversion.kind === 'time' && canRepeat(facts, conversion)) needs.push('order');
  return needs;
}

/** The decision about one column. @param target as in {@link MatchedFile} */
function decideColumn(
  column: Column,
  facts: ColumnFacts,
  target: Match | string | null,
  { scan, mapping, knowledge, file, clock }: Context,
): ColumnDecision {
  const base = { column, facts, conversion: null, problem: null, warnings: [], newUnit: null, needs: [] };
  if (target === null) return { ...base, match: null };
  if (typeof target === 'string') return { ...base, match: null, problem: { message: `${target}.` } };
  const decided = decideConversion(target, file, knowledge.assets?.[column.key]);
  const problem = 'message' in decided ? decided : null;
  const conversion = 'message' in decided ? null : decided.conversion;
  const warnings: FileWarning[] = 'message' in decided ? [] : [...decided.warnings];
  const midnight = conversion && midnightWarning(target, conversion, facts, clock);
  if (midnight) warnings.push(midnight);
  const renamed = target.isDefault ? renamedField(column, target.path) : null;
  if (renamed) warnings.push(renamed);
  append(warnings, blankWells(target, facts, mapping));
  if (target.path[0] === 'company_id') {
    const message = `Column “${column.key}” is sent as company_id, which the service may refuse or replace.`;
    warnings.push({ code: 'company_id', message, line: null, column: column.key, count: scan.rows });
  }
  const newUnit =
    conversion && knowledge.storedUnits ? unitOfNewField(target, conversion, knowledge.storedUnits) : null;
  const decision = { match: target, facts, conversion, problem, warnings };
  return { column, newUnit, ...decision, needs: needsOf(decision, knowledge) };
}

/**
 * Decides for each column of a file where it goes and how its cells become values, and so how rows become records.
 * @param earlier decisions about the same mapping before more was known, or before zones and units were added to its
 *   columns: those that needed nothing are kept
 */
export function decideAll(
  scan: Scan,
  mapping: Mapping,
  knowledge: Knowledge,
  earlier?: Decisions,
): Decisions {
  const { folding, type } = knowledge;
  const { columns: all } = scan.layout;
  const items = folding ? itemColumns(scan, folding, type, mapping) : [];
  const matched = matchColumns(all, mapping, items);
  let clock: { readonly key: string | undefined } | null = null;
  const context: Context = {
    scan,
    mapping,
    knowledge,
    file: fileFacts(scan, mapping.exceptionShare, knowledge),
    clock: () => (clock ??= { key: clockColumn(scan, mapping) }).key,
  };
  const columns = all.flatMap((column, index) => {
    const before = earlier?.columns[index];
    const target = matched.targets[index] ?? null;
    if (before?.column === column && before.needs.length === 0) return [before];
    const facts = scan.columns[index];
    return facts ? [decideColumn(column, facts, target, context)] : [];
  });
  return { columns, matched, ...rulesOf(columns, matched, { scan, mapping, knowledge }) };
}

/**
 * How rows become records, by the decisions about their columns. `version` (specification, section 2.1) is required but
 * rarely in a file: without a column or constant it is 1, with a warning.
 */
function rulesOf(
  columns: readonly ColumnDecision[],
  matched: MatchedFile,
  subject: Subject,
): Pick<Decisions, 'rules' | 'issues' | 'warnings' | 'newUnits'> {
  const { scan, mapping, knowledge } = subject;
  const { matches } = matched;
  const newUnits: Record<string, string> = {};
  for (const { match, newUnit } of columns)
    if (match && newUnit !== null) newUnits[match.path.join('.')] = newUnit;
  if (matched.issues.length > 0) return { rules: null, issues: matched.issues, warnings: [], newUnits };
  const issues = columns.flatMap(({ problem }) => problem ?? []);
  const fold = knowledge.folding ? foldRule(knowledge.folding, scan.layout, matches) : undefined;
  if (Array.isArray(fold)) append(issues, fold);
  const constants: Rules['constants'] = [];
  for (const [to, value] of Object.entries(mapping.constants)) {
    const constant = constantJson(to, value);
    if ('message' in constant) issues.push(constant);
    else constants.push(constant);
  }
  const filledPaths = new Set([...matches, ...constants].map(({ path }) => path.join('.')));
  const warnings = columns.flatMap((column) => column.warnings);
  append(warnings, fileNotes(matched, filledPaths, subject));
  if (!filledPaths.has('version')) constants.push({ path: ['version'], json: assumedVersion });
  const well = wellOfRecords(knowledge);
  const required = [
    ...requiredPaths(knowledge.type),
    ...(well !== null && mapping.withoutWell !== true ? [well] : []),
  ];
  const missing = required.filter((path) => path !== 'version' && !filledPaths.has(path));
  if (missing.length > 0) issues.push(missingIssue(missing, scan, knowledge));
  const columnRules = columns.flatMap(({ match, conversion }) =>
    match && conversion ? columnRule(match, conversion) : [],
  );
  if (columnRules.length === 0 && issues.length === 0)
    issues.push({
      message: `No column of the file is mapped. The file has ${columnsInWords(scan.layout.columns)}. Name them in the mapping, or set "rest": "data".`,
      place: { field: 'mapping' },
      lists: columnsList(scan.layout.columns),
    });
  if (issues.length > 0) return { rules: null, issues, warnings, newUnits };
  const rules = {
    columns: columnRules,
    constants,
    nulls: nullsOf(mapping),
    required: required.map((path) => path.split('.')),
    ...(fold && !Array.isArray(fold) ? { fold } : {}),
  };
  return { rules, issues, warnings, newUnits };
}

const columnRule = ({ index, join, column, path }: Match, conversion: Conversion): ColumnRule => ({
  index,
  ...(join.length > 0 ? { join: [...join] } : {}),
  column,
  path: [...path],
  conversion,
});

/** What is assumed or left out for all rows. */
function fileNotes(
  { sharedFields, skippedWellNames }: MatchedFile,
  filledPaths: ReadonlySet<string>,
  { scan, mapping, knowledge }: Subject,
): FileWarning[] {
  const note = (code: WarningCode, message: string, column?: string): FileWarning => ({
    code,
    message,
    line: null,
    count: scan.rows,
    ...(column !== undefined && { column }),
  });
  const notes = sharedFields.map(({ message, columns }) =>
    note('columns_merged', `${message}. Rows in which they differ are rejected.`, columns.at(-1)),
  );
  if (!filledPaths.has('version'))
    notes.push(note('version_assumed', `version isn't mapped; ${assumedVersion} is used.`));
  for (const key of skippedWellNames)
    notes.push(
      note(
        'well_names_skipped',
        `Column “${key}” isn't stored: it follows the asset ID like the well names of an export. Map it to a field to store it.`,
        key,
      ),
    );
  const well = wellOfRecords(knowledge);
  const { provider, dataset } = knowledge.address;
  if (well !== null && mapping.withoutWell === true && !filledPaths.has(well))
    notes.push(
      note(
        'without_well',
        `Records are stored without a well, as confirmed, although every sampled record of ${provider}/${dataset} has one.`,
      ),
    );
  return notes;
}

/** The decisions of an upload that can start. @throws AppError invalid_input with all errors and missing fields */
export function requireRules(decisions: Decisions): Decisions & { readonly rules: Rules } {
  const { rules, issues } = decisions;
  if (!rules) throw new AppError('invalid_input', { issues: [...issues] });
  return { ...decisions, rules };
}

/** The columns whose times have to be read in the order of rows, with the columns of wells; most files have none. */
export function localTimes({ columns }: Pick<Decisions, 'columns'>): LocalTimes {
  return {
    columns: columns.flatMap(({ match, conversion, needs }) =>
      match && conversion?.kind === 'time' && needs.includes('order')
        ? [{ index: match.index, join: match.join, format: conversion.format, zone: conversion.zone }]
        : [],
    ),
    wells: columns.flatMap(({ match }) =>
      match && assetPaths.includes(match.path.join('.'))
        ? [{ index: match.index, by: match.wanted.by ?? 'id' }]
        : [],
    ),
  };
}

/** The rule by which rows are combined; issues if they can't be. */
function foldRule(
  { fold, groups }: Folding,
  { columns }: Pick<Layout, 'columns'>,
  matches: readonly Match[],
): FoldRule | Issue[] {
  const place = { field: 'mapping.fold' };
  const target = parseTarget(fold.into);
  if (typeof target === 'string') return [{ message: `${target}.`, place }];
  if (target.path[0] !== 'data')
    return [{ message: `The list of a record must be under data., not ${fold.into}.`, place }];
  if (!groups) {
    const message = `Rows can't be combined by “${foldColumn(fold) ?? ''}”: the file has ${columnsInWords(columns)}.`;
    return [{ message, place, lists: columnsList(columns) }];
  }
  if (groups.problem !== null) return [{ message: groups.problem, place }];
  const rule = { into: [...target.path] };
  if (!matches.some(({ path }) => isInList(path, rule))) {
    const message = `No column has values for ${fold.into}. Map columns to ${fold.into}.<name>, or make one record of each row.`;
    return [{ message, place }];
  }
  const { by, rows, end } = groups;
  return { ...rule, by: by === null ? null : { index: by, column: columns[by]?.key ?? '' }, rows, end };
}

/** Warnings about times in a column, which the column's format settles. */
const ofTimes: ReadonlySet<WarningCode> = new Set([
  'serial_dates',
  'ambiguous_dates',
  'mixed_dates',
] as const);

/** Whether the format of a column settles a warning about it. */
function isAnswered(
  { code, digits }: FileWarning,
  conversion: Conversion,
  mapping: Mapping,
  column: string,
): boolean {
  // The column's own issues mention the assumption of UTC, and times that are stored as text.
  if (code === 'zone_missing') return true;
  if (ofTimes.has(code)) return conversion.kind === 'time';
  if (code === 'lost_zeros') return conversion.kind === 'string' && conversion.digits === digits;
  // The user set the type of the column, and cells of another type are rejected.
  return (
    (code === 'mixed_types' || code === 'type_exceptions') && mapping.columns[column]?.type !== undefined
  );
}

/** The warnings about a file that still apply to the decisions, without those of skipped columns. */
export function openWarnings(
  scan: Scan,
  mapping: Mapping,
  { columns }: Pick<Decisions, 'columns'>,
): FileWarning[] {
  const conversions = new Map(columns.map(({ column: { key }, conversion }) => [key, conversion]));
  return scanWarnings(scan, mapping.exceptionShare).filter((warning) => {
    if (warning.column === undefined) return true;
    const conversion = conversions.get(warning.column);
    return conversion != null && !isAnswered(warning, conversion, mapping, warning.column);
  });
}
