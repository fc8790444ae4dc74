import { valueUnder } from '../../../shared/json.ts';
import { wellNamePaths } from '../../../shared/export/export.ts';
import { pathId } from '../../../shared/column-paths.ts';
import { columnUnit } from '../../../shared/channels/header.ts';
import {
  type DatasetType,
  type DatasetAddress,
  datasetShapes,
  isAssetPath,
  scopeFieldOf,
} from '../../../shared/datasets/datasets.ts';
import { type Issue, AppError } from '../../../shared/errors/errors.ts';
import { append, firstInWords, rowsInWords } from '../../../shared/lists.ts';
import type { TargetKind } from '../../../shared/upload/preview.ts';
import {
  foldColumn,
  type ColumnMapping,
  type FileWarning,
  type Fold,
  type Mapping,
} from '../../../shared/upload/upload.ts';
import { isInList, type ColumnRule, type FoldRule, type Rules, type Conversion } from './upload-plan.ts';
import { isDropped, mapsToItself, parseTarget, restPath } from '../records/targets.ts';
import type { ColumnFacts, JudgedType, Layout, Scan } from '../tables/tables.ts';
import type { GroupScan } from './preparation.ts';
import { namedField } from '../records/zone-names.ts';
import type { LocalTimes, RepeatedTimes } from './times.ts';
import type { StoredUnits } from '../../../shared/datasets/fields.ts';
import { nullsOf } from '../../../shared/upload/null-tokens.ts';
import type { WarningCode } from '../../../shared/upload/warnings.ts';
import {
  canRepeat,
  clockColumn,
  decideConversion,
  fileFacts,
  midnightWarning,
  spanOf,
  unitOfNewField,
  zoneOfFile,
  type Fault,
  type FileFacts,
} from './decide.ts';

/** A column of the file and its path in the record. */
export interface Match {
  readonly index: number;
  /** Indexes of the columns whose text is appended. */
  readonly join: readonly number[];
  readonly column: string;
  readonly path: readonly string[];
  readonly kind: TargetKind;
  /** Its unit in the file, below its name or in it; null: the file says none. */
  readonly unit: string | null;
  /** Its entry in the mapping; empty if it is mapped by name. */
  readonly wanted: Partial<ColumnMapping>;
  /** Whether nothing says where it goes, so that it goes to a field of its name. */
  readonly isDefault?: true;
}

/** The default without a mapping file: columns are mapped by name, the others go under `data`. */
export const noMapping: Mapping = { columns: {}, constants: {}, rest: 'data' };

const columnsShown = 40;

/** The columns of a file as text, for messages. */
export const columnsInWords = (columns: readonly Column[]): string =>
  firstInWords(
    columns.map(({ key }) => `“${key}”`),
    columnsShown,
  );

/** All columns of a file, for an issue whose message shows {@link columnsInWords}. */
export const columnsList = (columns: readonly Column[]): NonNullable<Issue['lists']> => ({
  columns: columns.map(({ key }) => key),
});

/** How rows of a file are combined: the mapping's choice, and the groups that it makes. */
export interface Folding {
  readonly fold: Fold;
  /** Null: the file has no such column. */
  readonly groups: GroupScan | null;
}

/** Index of the column whose values make the groups; null: all rows are one group; -1: the file has no such column. */
export function groupColumn(fold: Fold, { columns }: Pick<Layout, 'columns'>): number | null {
  const by = foldColumn(fold);
  return by === null ? null : columns.findIndex(({ key }) => key === by);
}

const ofWholeRecord: ReadonlySet<string> = new Set(['asset_id', 'company_id', 'version']);

/**
 * For each column without a target in the mapping, whether its values go to the items of the list: numbers, and texts
 * that differ within a record. Numbers that are equal in one file, such as the azimuth of a vertical hole, differ in
 * the next; the records of both files must have the same fields.
 */
function itemColumns(
  columns: readonly Column[],
  { types }: Pick<FileFacts, 'types'>,
  { groups }: Folding,
  type: DatasetType | null,
): boolean[] {
  const required = type === null ? [] : datasetShapes[type].required;
  return columns.map(({ name }, index) => {
    if (!groups || index === groups.by) return false;
    const varies = groups.varies[index] === true;
    if (mapsToItself(name) && !name.startsWith('data.')) {
      if (ofWholeRecord.has(name) || name.startsWith('metadata.') || required.includes(name)) return false;
      return varies || name === 'measured_depth';
    }
    const detectedType = types[index]?.type;
    return varies || detectedType === 'number' || detectedType === 'integer';
  });
}

type Column = Layout['columns'][number];

/** A mapping and the columns of a file, by the names that the mapping has for them. */
interface Lookup {
  readonly columns: readonly Column[];
  readonly mapping: Mapping;
  readonly places: ReadonlyMap<string, number>;
  readonly skipped: ReadonlySet<string>;
  readonly joinedTo: ReadonlyMap<string, string>;
  readonly defaultPaths: readonly (readonly string[])[];
}

function lookupOf(columns: readonly Column[], mapping: Mapping): Lookup {
  const joinedTo = new Map<string, string>();
  for (const [column, { join = [] }] of Object.entries(mapping.columns))
    for (const key of join)
      if (!joinedTo.has(key) && !Object.hasOwn(mapping.columns, key)) joinedTo.set(key, column);
  return {
    columns,
    mapping,
    places: new Map(columns.map(({ key }, index) => [key, index])),
    skipped: new Set(mapping.skip),
    joinedTo,
    defaultPaths: defaultPaths(columns),
  };
}

/** The indexes of columns to join; a string describes an error. */
function joinIndices(
  { columns, places }: Lookup,
  own: string,
  join: readonly string[] = [],
): readonly number[] | string {
  const unknown = join.find((name) => !places.has(name));
  if (unknown !== undefined)
    return `"join" names the column “${unknown}”, but the file has ${columnsInWords(columns)}`;
  return join.includes(own) || new Set(join).size < join.length
    ? `"join" of “${own}” can list each column once, and not “${own}” itself`
    : join.flatMap((name) => places.get(name) ?? []);
}

/**
 * The target of one column; null: it is skipped; a string describes an error in the target.
 * @param isItem whether its values go to the items of the list, because rows are combined
 */
function targetOf(index: number, column: Column, lookup: Lookup, isItem: boolean): Match | string | null {
  const { columns, mapping, skipped, joinedTo, defaultPaths: paths } = lookup;
  const { key, name } = column;
  if (skipped.has(key) || joinedTo.has(key)) return null;
  const wanted = valueUnder(mapping.columns, key);
  const join = joinIndices(lookup, key, wanted?.join);
  if (typeof join === 'string') return join;
  if (!wanted && isNameOfWell(columns, index)) return null;
  const list = mapping.fold?.into.split('.');
  const into = isItem ? list : undefined;
  const { field } = namedField(column);
  const to = wanted?.to ?? (isField(field, column) ? field : null);
  const unit = columnUnit(column);
  if (to !== null) {
    const target = parseTarget(to);
    if (typeof target === 'string') return target;
    const zone = zoneOfFile(columns, { index, join, kind: target.kind });
    const path = into && !wanted ? itemPath(target.path, into) : target.path;
    const kind = (list && wanted?.type === undefined && kindOfItem(field, path, list)) || target.kind;
    return { index, join, column: key, path, kind, unit, wanted: { ...(zone && { zone }), ...wanted } };
  }
  if (isDropped(name) || mapping.rest === 'skip') return null;
  const rest = paths[index] ?? restPath([key]);
  const path = into ? itemPath(rest, into) : rest;
  return { index, join: [], column: key, path, kind: 'auto', unit, wanted: {}, isDefault: true };
}

/** Whether a column has the names that an export adds after the asset IDs; stored, they would change each record. */
function isNameOfWell(columns: readonly Column[], index: number): boolean {
  const before = columns[index - 1];
  return before !== undefined && wellNamePaths.get(before.name) === columns[index]?.name;
}

/** The path in an item of the list for a path in the record. */
export function itemPath(path: readonly string[], into: readonly string[]): readonly string[] {
  if (isInList(path, { into })) return path;
  return [...into, ...(path[0] === 'data' ? path.slice(1) : path)];
}

/** The kind of a column that the mapping leaves at its place in the items: an entry can add the zone of its times. */
function kindOfItem(field: string, path: readonly string[], into: readonly string[]): TargetKind | null {
  const target = mapsToItself(field) ? parseTarget(field) : '';
  if (typeof target === 'string') return null;
  return itemPath(target.path, into).join('.') === path.join('.') ? target.kind : null;
}

/** Paths that conflict: one continues where the other ends. */
function conflicts(paths: readonly (readonly string[])[]): Issue[] {
  const names = new Set(paths.map((path) => path.join('.')));
  return paths.flatMap((path) => {
    const above = path.slice(0, -1).map((_, depth) => path.slice(0, depth + 1).join('.'));
    const clash = above.find((name) => name !== 'data' && names.has(name));
    if (clash === undefined) return [];
    const message = `“${clash}” can't be a value and also contain “${path.join('.')}”. Map one of them elsewhere.`;
    return [{ message }];
  });
}

/** Columns with the same path. */
interface SharedField {
  readonly path: string;
  readonly columns: readonly string[];
  /** What is wrong with it, and what to do. */
  readonly message: string;
}

function sharedFields(matches: readonly Pick<Match, 'path' | 'column'>[]): SharedField[] {
  const byPath = Map.groupBy(matches, ({ path }) => pathId(path));
  return [...byPath.values()].flatMap((same) => {
    if (same.length < 2) return [];
    const names = same.map(({ column }) => column);
    const path = same[0]?.path.join('.') ?? '';
    const inWords = names.map((name) => `“${name}”`).join(' and ');
    return [{ path, columns: names, message: `Columns ${inWords} go to one field, ${path}` }];
  });
}

/** Whether the mapping itself sends all of these columns to their field: then blanks of one are filled by the others. */
const isWanted = ({ columns }: SharedField, mapping: Mapping): boolean =>
  columns.every((column) => Object.hasOwn(mapping.columns, column));

export interface MatchedFile {
  /** The target of each column; null: it is skipped; a string describes an error. */
  readonly targets: readonly (Match | string | null)[];
  /** The columns that go to a field. */
  readonly matches: readonly Match[];
  /** All errors of the mapping. */
  readonly issues: readonly Issue[];
  readonly sharedFields: readonly SharedField[];
  /** Each column that is joined to another, with that one. */
  readonly joinedTo: ReadonlyMap<string, string>;
  /** The columns that are left out only because they follow an asset ID like the names of an export. */
  readonly skippedWellNames: readonly string[];
}

/**
 * Matches the columns of a file with paths of the record, by mapping and by name.
 * @param items for each column, whether its values go to the items of the list if rows are combined; empty: none
 */
export function matchColumns(
  columns: readonly Column[],
  mapping: Mapping,
  items: readonly boolean[] = [],
): MatchedFile {
  const lookup = lookupOf(columns, mapping);
  const targets = columns.map((column, index) => targetOf(index, column, lookup, items[index] === true));
  const matches = targets.filter((target) => target !== null && typeof target !== 'string');
  const shared = sharedFields(matches);
  const skippedWellNames = columns.flatMap(({ key }, index) =>
    targets[index] === null &&
    isNameOfWell(columns, index) &&
    mapping.rest !== 'skip' &&
    !lookup.skipped.has(key) &&
    !lookup.joinedTo.has(key)
      ? [key]
      : [],
  );
  const issues = mappingIssues(lookup, { targets, matches, sharedFields: shared });
  return { targets, matches, issues, sharedFields: shared, joinedTo: lookup.joinedTo, skippedWellNames };
}

/** All errors of a mapping, in the order in which they are shown. */
function mappingIssues(
  { columns, mapping, places }: Lookup,
  { targets, matches, sharedFields: shared }: Pick<MatchedFile, 'targets' | 'matches' | 'sharedFields'>,
): Issue[] {
  const unknown = (names: readonly string[], field: (name: string) => string): Issue[] =>
    names
      .filter((name) => !places.has(name))
      .map((name) => ({
        message: `The mapping has the column “${name}”, but the file has ${columnsInWords(columns)}.`,
        place: { field: field(name) },
        lists: columnsList(columns),
      }));
  const issues = [
    ...unknown(Object.keys(mapping.columns), (name) => `mapping.columns.${name}`),
    ...unknown(mapping.skip ?? [], () => 'mapping.skip'),
  ];
  targets.forEach((target, index) => {
    const field = `mapping.columns.${columns[index]?.key ?? ''}`;
    if (typeof target === 'string')
      issues.push({ message: `${target}.`, place: { field }, lists: columnsList(columns) });
  });
  const constants = Object.keys(mapping.constants).flatMap((to) => {
    const target = parseTarget(to);
    if (typeof target !== 'string') return [target.path];
    issues.push({ message: `${target}.`, place: { field: `mapping.constants.${to}` } });
    return [];
  });
  append(issues, conflicts([...matches.map(({ path }) => path), ...constants]));
  for (const field of shared)
    if (!isWanted(field, mapping))
      issues.push({
        message: `${field.message}. Map one of them elsewhere, or skip it. To fill blanks of one with the other, list both in the mapping.`,
        place: { field: `mapping.columns.${field.columns.at(-1) ?? ''}` },
        lists: { columns: [...field.columns] },
      });
  return issues;
}

/** The names that lead to a column's values in the file; a repeated name is the one that distinguishes it. */
const namesOf = ({ name, key, path }: Column): readonly string[] =>
  path && path.length > 0 && key === name ? path : [key];

/** Whether a column goes to the field of the same name: not if dots in names of the file look like nesting. */
const isField = (field: string, { path = [] }: Column): boolean =>
  mapsToItself(field) && (path.length < 2 || path.every((name) => !name.includes('.')));

/** For each column, the path under `data` without a mapping. Columns with different names have different paths. */
function defaultPaths(columns: readonly Column[]): readonly (readonly string[])[] {
  const wanted = columns.map((column) => restPath(namesOf(column)));
  const isSame = columns.map((column, at) => !isRenamed(column, wanted[at] ?? []));
  const taken = new Set(wanted.filter((_, at) => isSame[at]).map(pathId));
  return wanted.map((path, at) => {
    if (isSame[at]) return path;
    const free = freePath(path, taken);
    taken.add(pathId(free));
    return free;
  });
}

function freePath(path: readonly string[], taken: ReadonlySet<string>): readonly string[] {
  const numbered = (number: number) => [...path.slice(0, -1), `${path.at(-1) ?? ''}_${number}`];
  let free = path;
  for (let number = 2; taken.has(pathId(free)); number++) free = numbered(number);
  return free;
}

/** Whether the last names of a path aren't those of the file. */
function isRenamed(column: Column, path: readonly string[]): boolean {
  const names = namesOf(column);
  const fieldNames =
    names.length > 1 && (names[0] === 'data' || names[0] === 'metadata') ? names.slice(1) : names;
  const last = path.slice(-fieldNames.length);
  return fieldNames.some((name, at) => name !== last[at]);
}

/** The note about a column whose field has another name than in the file; null: it has the same. */
export function renamedField(column: Column, path: readonly string[]): FileWarning | null {
  if (!isRenamed(column, path)) return null;
  const hasDot = namesOf(column).some((name) => name.includes('.'));
  const reason = hasDot ? 'a dot in a field name means a nested field' : 'a field name can’t begin with $';
  const message = `Column “${column.key}” is stored in ${path.join('.')}, because ${reason}. To store it in another field, map it.`;
  return { code: 'renamed_field', message, line: null, column: column.key, count: 0 };
}

/** What is known beside a file and a mapping. What is absent isn't known yet. */
export interface Knowledge {
  readonly address: DatasetAddress;
  /** Null: the service has an unknown type. */
  readonly type: DatasetType | null;
  /** How rows are combined into records; null or absent: each row is a record. */
  readonly folding?: Folding | null | undefined;
  /** Asset ids by column, then by name or API number. */
  readonly assets?: Readonly<Record<string, Readonly<Record<string, number>>>> | undefined;
  readonly repeatedTimes?: readonly RepeatedTimes[] | undefined;
  /** Whether records need a well although their type doesn't, because those of the dataset have one. */
  readonly requiresWell?: boolean | undefined;
  readonly storedUnits?: StoredUnits | undefined;
}

/** Where a column goes, and how its cells become values. */
export interface ColumnDecision {
  readonly column: Column;
  readonly facts: ColumnFacts;
  readonly type: JudgedType['type'];
  /** Null: it is skipped, or its target is wrong. */
  readonly match: Match | null;
  /** Null: it has no target, or a problem. */
  readonly conversion: Conversion | null;
  readonly problem: Fault | null;
  readonly warnings: readonly FileWarning[];
  /** Its unit, if it is stored in a field that has none yet; null: the field has. */
  readonly newUnit: string | null;
}

/** All decisions about a file, a mapping, and a dataset. */
export interface Decisions {
  readonly columns: readonly ColumnDecision[];
  /** What was decided about. */
  readonly mapping: Mapping;
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
  const well = scopeFieldOf(type);
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
  const constants = missing.flatMap((path) => {
    if (path === 'log_identifier') return [`"${path}": "run 1"`];
    return isAssetPath(path) ? [`"${path}": 1001`] : [];
  });
  const mapped = missing.filter((path) => path !== 'log_identifier' && !isAssetPath(path));
  const parts = [
    ...(mapped.length > 0
      ? [
          `"columns": {${mapped.map((path) => `${JSON.stringify(named(path))}: {"to": "${path}"}`).join(', ')}}`,
        ]
      : []),
    ...(constants.length > 0 ? [`"constants": {${constants.join(', ')}}`] : []),
  ];
  return `{${parts.join(', ')}}`;
}

function missingIssue(missing: readonly string[], scan: Scan, knowledge: Knowledge): Issue {
  const { address, type } = knowledge;
  const lacksWell = missing.some((path) => isAssetPath(path));
  const canLackWell = missing.includes(wellOfRecords(knowledge) ?? '');
  return {
    message:
      (canLackWell ? `Every sampled record of ${address.provider}/${address.dataset} has a well. ` : '') +
      `${address.provider}/${address.dataset} (${type ?? 'of unknown type'}) needs ${missing.join(', ')}, to which no column is mapped. ` +
      `The file has ${columnsInWords(scan.layout.columns)}. Map a column in a mapping file, or set a constant for all rows, for example ${exampleMapping(missing, scan)}.` +
      (lacksWell ? ' On the command line, --well sets the well of all rows.' : '') +
      (canLackWell ? ' To store records without a well, set "withoutWell": true in the mapping file.' : ''),
    place: { field: 'mapping' },
    lists: { missing: [...missing], ...columnsList(scan.layout.columns) },
  };
}

/** Rows with a blank well get the well of a constant. */
function blankWells(match: Match, { counts, firsts }: ColumnFacts, { constants }: Mapping): FileWarning[] {
  const constant = valueUnder(constants, match.path.join('.'));
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
  /** As {@link clockColumn}. */
  readonly clock: string | undefined;
}

/** The decision about one column. @param target as in {@link MatchedFile} */
function decideColumn(
  index: number,
  column: Column,
  facts: ColumnFacts,
  target: Match | string | null,
  { scan, mapping, knowledge, file, clock }: Context,
): ColumnDecision {
  const type = file.types[index]?.type ?? 'empty';
  const undecided = { conversion: null, problem: null, warnings: [], newUnit: null };
  const base = { column, facts, type, ...undecided };
  if (target === null) return { ...base, match: null };
  if (typeof target === 'string')
    return { ...base, match: null, problem: { words: `${target}.`, part: undefined } };
  const decided = decideConversion(target, file, knowledge.assets?.[column.key]);
  const problem = 'words' in decided ? decided : null;
  const conversion = 'words' in decided ? null : decided.conversion;
  const warnings: FileWarning[] = 'words' in decided ? [] : [...decided.warnings];
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
  return { ...base, match: target, conversion, problem, warnings, newUnit };
}

/**
 * Decides for each column of a file where it goes and how its cells become values, and so how rows become records.
 */
export function decideAll(scan: Scan, mapping: Mapping, knowledge: Knowledge): Decisions {
  const { folding, type, repeatedTimes, storedUnits } = knowledge;
  const { columns: all } = scan.layout;
  const file = { ...fileFacts(scan, mapping.exceptionShare), repeatedTimes, storedUnits };
  const matched = matchColumns(all, mapping, folding ? itemColumns(all, file, folding, type) : []);
  const context: Context = { scan, mapping, knowledge, file, clock: clockColumn(scan, mapping) };
  const columns = all.flatMap((column, index) => {
    const facts = scan.columns[index];
    return facts ? [decideColumn(index, column, facts, matched.targets[index] ?? null, context)] : [];
  });
  return { columns, mapping, matched, ...rulesOf(columns, matched, { scan, mapping, knowledge }) };
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
  const issues = columns.flatMap(({ column, problem }) => (problem ? issueOf(column, problem) : []));
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
      message: `No column of the file is mapped. The file has ${columnsInWords(scan.layout.columns)}. Map at least one of them, or set "rest": "data" in the mapping.`,
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

const issueOf = ({ key }: Column, { words, part }: Fault): Issue => ({
  message: `Column “${key}”: ${words}`,
  place: { field: `mapping.columns.${key}${part ? `.${part}` : ''}` },
});

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

/** The minimum and maximum at a path that one column alone fills, as JSON texts; null: unknown. */
export function spanAt(path: string, { columns, mapping }: Pick<Decisions, 'columns' | 'mapping'>) {
  const [only, ...more] = columns.filter(({ match }) => match?.path.join('.') === path);
  if (!only?.match || !only.conversion || more.length > 0) return null;
  if (only.match.join.length > 0 || Object.hasOwn(mapping.constants, path)) return null;
  const span = spanOf(only.facts, only.conversion);
  return span && { path, ...span };
}

/** The columns whose times have to be read in the order of rows, with the columns of wells; most files have none. */
export function localTimes({ columns }: Pick<Decisions, 'columns'>): LocalTimes {
  return {
    columns: columns.flatMap(({ match, facts, conversion }) =>
      match && conversion?.kind === 'time' && canRepeat(facts, conversion)
        ? [{ index: match.index, join: match.join, format: conversion.format, zone: conversion.zone }]
        : [],
    ),
    wells: columns.flatMap(({ match }) =>
      match && isAssetPath(match.path.join('.')) ? [{ index: match.index, by: match.wanted.by ?? 'id' }] : [],
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
    const message = `Rows can't be combined by “${foldColumn(fold) ?? ''}”, because the file has ${columnsInWords(columns)}.`;
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
