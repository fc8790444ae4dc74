import type { ColumnHead } from './table.ts';

/** A header over columns (or over further groups) of one object, or a column by itself. */
export type ColumnTree<C> =
  | { readonly name: string; readonly path: readonly string[]; readonly children: ColumnTree<C>[] }
  | { readonly name: string; readonly path: readonly string[]; readonly column: C };

/**
 * Groups columns under their parents: `data.rop` and `data.wob` stand under `data`. A path that is a value in some
 * records and an object in others gives a column of its own name beside the group's others.
 */
export function columnGroups<C extends Pick<ColumnHead, 'path'>>(columns: readonly C[]): ColumnTree<C>[] {
  const top: ColumnTree<C>[] = [];
  const groups = new Map<string, ColumnTree<C>[]>();
  const into = (path: readonly string[]): ColumnTree<C>[] => {
    if (path.length === 0) return top;
    const key = pathId(path);
    const known = groups.get(key);
    if (known) return known;
    const children: ColumnTree<C>[] = [];
    groups.set(key, children);
    into(path.slice(0, -1)).push({ name: path.at(-1) ?? '', path, children });
    return children;
  };
  for (const column of columns) {
    into(column.path.slice(0, -1)).push({ name: column.path.at(-1) ?? '', path: column.path, column });
  }
  return top;
}

/** A path as one text that no other path gives: dots and backslashes in names stand behind a backslash. */
export function pathId(path: readonly string[]): string {
  return path.map((name) => name.replaceAll(/[\\.]/g, String.raw`\$&`)).join('.');
}
