/** The name of an empty key in a path, which is not the path of the record itself. */
const emptyName = String.raw`\0`;

const mustEscape = /^$|[\\.]/;

/** Most names stay as they are, and a test is much faster than a replacement. */
function escaped(name: string): string {
  if (!mustEscape.test(name)) return name;
  return name === '' ? emptyName : name.replaceAll(/[\\.]/g, String.raw`\$&`);
}

/** The path of a value in an object: `data.rop`. @param parent the path of the object; empty: the record itself */
export const childPath = (parent: string, name: string): string =>
  parent === '' ? escaped(name) : `${parent}.${escaped(name)}`;

/** A unique text for a path of names. Dots in names are escaped: `a\.b` is the field “a.b”, `a.b` is “b” in “a”. */
export const pathId = (names: readonly string[]): string => names.map(escaped).join('.');

/** The names in a path: the counterpart of {@link pathId}. */
export const pathNames = (path: string): string[] =>
  path === ''
    ? []
    : Array.from(path.matchAll(/((?:\\.|[^\\.])*)(?:\.|$)/gs), ([, name = '']) => name)
        .slice(0, -1)
        .map((name) => (name === emptyName ? '' : name.replaceAll(/\\(.)/gs, '$1')));

const repeats = (names: readonly string[]): ReadonlySet<string> =>
  new Set(names.filter((name, at) => names.indexOf(name) !== at));

/**
 * The names of columns by their paths, in the same order: names joined by dots, escaped only where two columns would
 * have the same name.
 */
export function columnTexts(paths: readonly string[]): string[] {
  const plain = paths.map((path) => (path.includes('\\') ? pathNames(path).join('.') : path));
  if (plain.every((name, at) => name === paths[at])) return plain;
  const repeated = repeats(plain);
  const names = plain.map((name, at) => (repeated.has(name) ? (paths[at] ?? name) : name));
  return repeats(names).size === 0 ? names : [...paths];
}
