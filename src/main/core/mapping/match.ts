import { wellNamePaths } from '../../../shared/export/well-names.ts';
import { pathId } from '../../../shared/column-paths.ts';
import { AppError, type Issue } from '../../../shared/errors/errors.ts';
import type { ColumnMapping, Mapping } from '../../../shared/upload/upload.ts';
import type { Column } from '../tables/tables.ts';
import { columnUnit } from '../../../shared/channels/header.ts';
import type { TargetKind } from '../../../shared/upload/preview.ts';
import { isDropped, mapsToItself, parseTarget, restPath } from '../records/targets.ts';
import { isInList } from './plan.ts';
import { defaultPaths, isField } from './default-paths.ts';
import { isZone, zoneInName } from './zones.ts';
import { append, firstInWords } from '../../../shared/lists.ts';

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

/** The column that another column is joined to; null: none. */
export function joinedTo(key: string, mapping: Mapping): string | null {
  if (Object.hasOwn(mapping.columns, key)) return null;
  const joiningColumn = Object.entries(mapping.columns).find(([, { join }]) => join?.includes(key) === true);
  return joiningColumn?.[0] ?? null;
}

/** The indexes of columns to join; a string describes an error. */
function joinIndices(
  columns: readonly Column[],
  own: string,
  join: readonly string[] = [],
): readonly number[] | string {
  const indices = join.map((name) => columns.findIndex(({ key }) => key === name));
  const unknown = join[indices.indexOf(-1)];
  if (unknown !== undefined)
    return `"join" names the column “${unknown}”, but the file has ${columnsInWords(columns)}`;
  return join.includes(own) || new Set(join).size < join.length
    ? `"join" of “${own}” may name each other column once`
    : indices;
}

/**
 * The target of one column; null: it is skipped; a string describes an error in the target.
 * @param items for each column, whether its values go to the items of the list if rows are combined; absent: none
 */
export function matchOne(
  columns: readonly Column[],
  index: number,
  mapping: Mapping,
  items: readonly boolean[] = [],
): Match | string | null {
  const column = columns[index];
  if (!column) return null;
  const { key, name } = column;
  if (mapping.skip?.includes(key) === true || joinedTo(key, mapping) !== null) return null;
  const wanted = Object.hasOwn(mapping.columns, key) ? mapping.columns[key] : undefined;
  const join = joinIndices(columns, key, wanted?.join);
  if (typeof join === 'string') return join;
  if (!wanted && isNameOfWell(columns, index)) return null;
  const into = items[index] === true ? (mapping.fold?.into.split('.') ?? null) : null;
  const { field } = namedField(column);
  const to = wanted?.to ?? (isField(field, column) ? field : null);
  if (to !== null) {
    const target = parseTarget(to);
    if (typeof target === 'string') return target;
    const zone = zoneOfFile(columns, { index, join, kind: target.kind });
    const path = into && !wanted ? itemPath(target.path, into) : target.path;
    return {
      index,
      join,
      column: key,
      path,
      kind: (into && wanted?.type === undefined && kindOfItem(field, path, into)) || target.kind,
      unit: columnUnit(column),
      wanted: { ...(zone !== undefined && { zone }), ...wanted },
    };
  }
  if (isDropped(name) || mapping.rest === 'skip') return null;
  const path = defaultPaths(columns)[index] ?? restPath([key]);
  return {
    index,
    join: [],
    column: key,
    path: into ? itemPath(path, into) : path,
    kind: 'auto',
    unit: columnUnit(column),
    wanted: {},
    isDefault: true,
  };
}

/** The columns that go to a field, without those whose mapping has an error. @param items as in {@link matchOne} */
export const matchesOf = (
  columns: readonly Column[],
  mapping: Mapping,
  items?: readonly boolean[],
): Match[] =>
  columns.flatMap((_, index) => {
    const match = matchOne(columns, index, mapping, items);
    return match === null || typeof match === 'string' ? [] : [match];
  });

/** The columns that the mapping leaves out only because they follow an asset ID like the names of an export. */
export const skippedWellNames = (columns: readonly Column[], mapping: Mapping): Column[] =>
  columns.filter(
    ({ key }, index) =>
      isNameOfWell(columns, index) &&
      mapping.rest !== 'skip' &&
      !Object.hasOwn(mapping.columns, key) &&
      mapping.skip?.includes(key) !== true &&
      joinedTo(key, mapping) === null,
  );

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
export function sharedFields(matches: readonly Pick<Match, 'path' | 'column'>[]): SharedField[] {
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

/**
 * Matches the columns of a file with paths of the record, by mapping and by name.
 * @throws AppError invalid_input with all errors of the mapping
 */
export function matchColumns(
  columns: readonly Column[],
  mapping: Mapping,
  items: readonly boolean[] = [],
): Match[] {
  const issues: Issue[] = [];
  const unknown = (names: readonly string[], field: (name: string) => string): void => {
    for (const name of names)
      if (!columns.some(({ key }) => key === name))
        issues.push({
          message: `The mapping has the column “${name}”, but the file has ${columnsInWords(columns)}.`,
          place: { field: field(name) },
          lists: columnsList(columns),
        });
  };
  unknown(Object.keys(mapping.columns), (name) => `mapping.columns.${name}`);
  unknown(mapping.skip ?? [], () => 'mapping.skip');
  const matches: Match[] = [];
  columns.forEach((column, index) => {
    const match = matchOne(columns, index, mapping, items);
    if (typeof match === 'string')
      issues.push({
        message: `${match}.`,
        place: { field: `mapping.columns.${column.key}` },
        lists: columnsList(columns),
      });
    else if (match) matches.push(match);
  });
  const constants = Object.keys(mapping.constants).flatMap((to) => {
    const target = parseTarget(to);
    if (typeof target !== 'string') return [target.path];
    issues.push({ message: `${target}.`, place: { field: `mapping.constants.${to}` } });
    return [];
  });
  append(issues, conflicts([...matches.map(({ path }) => path), ...constants]));
  for (const field of sharedFields(matches))
    if (!isWanted(field, mapping))
      issues.push({
        message: `${field.message}. Map one of them elsewhere, or skip it. To fill blanks of one with the other, list both in the mapping.`,
        place: { field: `mapping.columns.${field.columns.at(-1) ?? ''}` },
        lists: { columns: [...field.columns] },
      });
  if (issues.length > 0) throw new AppError('invalid_input', { issues });
  return matches;
}
