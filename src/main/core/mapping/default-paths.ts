import { pathId } from '../../../shared/column-paths.ts';
import type { FileWarning } from '../../../shared/upload/upload.ts';
import type { Column } from '../tables/tables.ts';
import { mapsToItself, restPath } from '../records/targets.ts';

/** The names that lead to a column's values in the file; a repeated name is the one that distinguishes it. */
const namesOf = ({ name, key, path }: Column): readonly string[] =>
  path && path.length > 0 && key === name ? path : [key];

/** Whether a column goes to the field of the same name: not if dots in names of the file look like nesting. */
export const isField = (field: string, { path = [] }: Column): boolean =>
  mapsToItself(field) && (path.length < 2 || path.every((name) => !name.includes('.')));

const cached = new WeakMap<readonly Column[], readonly (readonly string[])[]>();

/** For each column, the path under `data` without a mapping. Columns with different names have different paths. */
export function defaultPaths(columns: readonly Column[]): readonly (readonly string[])[] {
  const earlier = cached.get(columns);
  if (earlier) return earlier;
  const wanted = columns.map((column) => restPath(namesOf(column)));
  const isSame = columns.map((column, at) => !isRenamed(column, wanted[at] ?? []));
  const taken = new Set(wanted.filter((_, at) => isSame[at]).map(pathId));
  const paths = wanted.map((path, at) => {
    if (isSame[at]) return path;
    const free = freePath(path, taken);
    taken.add(pathId(free));
    return free;
  });
  cached.set(columns, paths);
  return paths;
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
