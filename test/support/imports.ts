import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';

/** One import: the importing file, and the imported one, from the root of the sources. */
export interface Import {
  readonly from: string;
  readonly to: string;
}

// Type imports count as well: code that uses another module's types depends on it.
const importing = /(?:from|import)\s*\(?\s*'(\.[^']+)'/g;

/** All imports between the source files of a folder. */
export function importsOf(folder: string): Import[] {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    /\.tsx?$/.test(name),
  );
  return files.flatMap((file) => {
    const text = readFileSync(join(folder, file), 'utf8');
    return Array.from(text.matchAll(importing), ([, path = '']) => ({
      from: file.split(sep).join('/'),
      to: relative(folder, resolve(folder, dirname(file), path.replace(/\?.*/, '')))
        .split(sep)
        .join('/'),
    }));
  });
}

/** The module of a file in `parent`: the first folder below it, or null for files elsewhere. */
export const moduleIn =
  (parent: string) =>
  (file: string): string | null => {
    if (!file.startsWith(`${parent}/`)) return null;
    const [room, rest] = file.slice(parent.length + 1).split('/');
    return rest === undefined ? null : (room ?? null);
  };

/**
 * Import cycles between modules, each with the imports that form it, as lines.
 * @param roomOf the module of a file; null if none
 */
export function importCycles(imports: readonly Import[], roomOf: (file: string) => string | null): string[] {
  const edges = new Map<string, Map<string, Import[]>>();
  for (const one of imports) {
    const [from, to] = [roomOf(one.from), roomOf(one.to)];
    if (from === null || to === null || from === to) continue;
    const targets = edges.get(from) ?? new Map<string, Import[]>();
    targets.set(to, [...(targets.get(to) ?? []), one]);
    edges.set(from, targets);
  }
  const reaches = (from: string, to: string, seen = new Set<string>()): boolean =>
    [...(edges.get(from)?.keys() ?? [])].some((next) => {
      if (next === to) return true;
      if (seen.has(next)) return false;
      seen.add(next);
      return reaches(next, to, seen);
    });
  return [...edges].flatMap(([from, targets]) =>
    [...targets]
      .filter(([to]) => reaches(to, from))
      .map(
        ([to, found]) => `${from} → ${to}: ${found.map((one) => `${one.from} imports ${one.to}`).join(', ')}`,
      ),
  );
}
