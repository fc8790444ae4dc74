import { wellNamePaths } from '../../../shared/export/well-names.ts';
import { pathId } from '../../../shared/column-paths.ts';
import { columnUnit } from '../../../shared/channels/header.ts';
import type { DatasetType } from '../../../shared/datasets/datasets.ts';
import { datasetShapes } from '../../../shared/datasets/shapes.ts';
import type { Issue } from '../../../shared/errors/errors.ts';
import { append, firstInWords } from '../../../shared/lists.ts';
import type { TargetKind } from '../../../shared/upload/preview.ts';
import {
  foldColumn,
  type ColumnMapping,
  type FileWarning,
  type Fold,
  type Mapping,
} from '../../../shared/upload/upload.ts';
import { isInList } from './plan.ts';
import { isDropped, mapsToItself, parseTarget, restPath } from '../records/targets.ts';
import { columnType, type Layout, type Scan } from '../tables/tables.ts';
import type { GroupScan } from './groups.ts';
import { isZone, zoneInName } from './times.ts';

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
export function itemColumns(
  { layout, columns, notation }: Pick<Scan, 'layout' | 'columns' | 'notation'>,
  { groups }: Folding,
  type: DatasetType | null,
  { exceptionShare }: Mapping,
): boolean[] {
  const required = type === null ? [] : datasetShapes[type].required;
  return layout.columns.map(({ name }, index) => {
    const facts = columns[index];
    if (!groups || !facts || index === groups.by) return false;
    const varies = groups.varies[index] === true;
    if (mapsToItself(name) && !name.startsWith('data.')) {
      if (ofWholeRecord.has(name) || name.startsWith('metadata.') || required.includes(name)) return false;
      return varies || name === 'measured_depth';
    }
    const detectedType = columnType(facts, notation, exceptionShare).type;
    return varies || detectedType === 'number' || detectedType === 'integer';
  });
}

export type Column = Layout['columns'][number];

/** A mapping and the columns of a file, by the names that the mapping has for them. */
interface Lookup {
  readonly columns: readonly Column[];
  readonly mapping: Mapping;
  readonly places: ReadonlyMap<string, number>;
  readonly skipped: ReadonlySet<string>;
  /** Each column that is joined to another, with that one. */
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
    ? `"join" of “${own}” may name each other column once`
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
  const wanted = Object.hasOwn(mapping.columns, key) ? mapping.columns[key] : undefined;
  const join = joinIndices(lookup, key, wanted?.join);
  if (typeof join === 'string') return join;
  if (!wanted && isNameOfWell(columns, index)) return null;
  const into = isItem ? (mapping.fold?.into.split('.') ?? null) : null;
  const { field } = namedField(column);
  const to = wanted?.to ?? (isField(field, column) ? field : null);
  const unit = columnUnit(column);
  if (to !== null) {
    const target = parseTarget(to);
    if (typeof target === 'string') return target;
    const zone = zoneOfFile(columns, { index, join, kind: target.kind });
    const path = into && !wanted ? itemPath(target.path, into) : target.path;
    const kind = (into && wanted?.type === undefined && kindOfItem(field, path, into)) || target.kind;
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

/** The field that a column is named after, and its unit: exports for Excel have `data.rop (ft/h)`. */
function namedField({ name, unit }: Column): { readonly field: string; readonly unit: string | null } {
  const { field, inName } = /^(?<field>\S+) \((?<inName>[^()]+)\)$/.exec(name)?.groups ?? {};
  return field === undefined || inName === undefined
    ? { field: name, unit }
    : { field, unit: unit ?? inName };
}

/**
 * The time zone that the file names for a column of times or those joined to it, as the unit or in the name; undefined:
 * none.
 */
export function zoneOfFile(
  columns: readonly Column[],
  { index, join, kind }: Pick<Match, 'index' | 'join' | 'kind'>,
): string | undefined {
  if (kind !== 'timestamp' && kind !== 'datetime') return undefined;
  const zones = [index, ...join].flatMap((at) => {
    const column = columns[at];
    if (!column) return [];
    const { unit } = namedField(column);
    return (unit !== null && isZone(unit) ? unit : zoneInName(column.name)) ?? [];
  });
  return zones[0];
}

/** The path in an item of the list for a path in the record. */
function itemPath(path: readonly string[], into: readonly string[]): readonly string[] {
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
    const message = `“${clash}” can't be a value and hold “${path.join('.')}” as well. Map one of them elsewhere.`;
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

/** The fields to which several columns go. */
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

/** Where the columns of a file go. */
export interface MatchedFile {
  /** The target of each column; null: it is skipped; a string describes an error. */
  readonly targets: readonly (Match | string | null)[];
  /** The columns that go to a field. */
  readonly matches: readonly Match[];
  /** All errors of the mapping. */
  readonly issues: readonly Issue[];
  /** The fields to which several columns go. */
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
  const issues = mappingIssues(lookup, { targets, matches, shared });
  return { targets, matches, issues, sharedFields: shared, joinedTo: lookup.joinedTo, skippedWellNames };
}

/** All errors of a mapping, in the order in which they are shown. */
function mappingIssues(
  { columns, mapping, places }: Lookup,
  {
    targets,
    matches,
    shared,
  }: Pick<MatchedFile, 'targets' | 'matches'> & { readonly shared: readonly SharedField[] },
): Issue[] {
  const unknown = (names: readonly string[], field: (name: string) => string): Issue[] =>
    names
      .filter((name) => !places.has(name))
      .map((name) => ({
        message: `The mapping has the column “${name}”, but the file has ${columnsInWords(columns)}.`,
        place: { field: field(name) },
        lists: columnsList(columns),
      }));
  const issues = unknown(Object.keys(mapping.columns), (name) => `mapping.columns.${name}`);
  append(
    issues,
    unknown(mapping.skip ?? [], () => 'mapping.skip'),
  );
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
  const reason = hasDot
    ? 'a dot in the name of a field stands for a nested field'
    : 'names of fields don’t begin with $';
  const message = `Column “${column.key}” is stored in ${path.join('.')}, because ${reason}. To store it in another field, map it.`;
  return { code: 'renamed_field', message, line: null, column: column.key, count: 0 };
}
