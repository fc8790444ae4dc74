import { knownFields } from '../editing/fields.ts';
import { nearestWord } from '../nearest.ts';
import type { Key, TreeNode } from '../tree/tree.ts';
import { renameFix, type Case } from './notes.ts';

/** The names of fields in a query or a sort: those at its top, and in the queries that `$and`, `$or` and `$nor` join. */
function* keysOf(node: TreeNode): Generator<Key> {
  if (node.kind === 'list') for (const item of node.items) yield* keysOf(item);
  if (node.kind !== 'object') return;
  for (const { key, value } of node.members) {
    if (!key.name.startsWith('$')) yield key;
    else if (/^\$(?:and|or|nor)$/.test(key.name) && value?.kind === 'list') yield* keysOf(value);
  }
}

/** Items of a list may be named by their numbers: `list.0.name` is `list.name`. */
const plain = (path: string): string => path.replaceAll(/\.\d+(?=\.|$)/g, '');

/** The paths of the objects that contain a field, up to 100 levels: the services' database allows no more. */
function parentsOf(path: string): string[] {
  const parents: string[] = [];
  for (let dot = path.indexOf('.'); dot >= 0 && parents.length < 100; dot = path.indexOf('.', dot + 1))
    parents.push(path.slice(0, dot));
  return parents;
}

/**
 * Warns of names that no field of the dataset has. A sample may lack a field, so parents and children of
 * known fields are accepted, and nothing is reported without a sample.
 */
export function unknownFields(root: TreeNode, of: Case): void {
  if (of.knowledge.fields.every(({ from }) => from !== 'sample')) return;
  const paths = knownFields(of.knowledge).map(({ path }) => path);
  const knownPaths = new Set(paths);
  const parents = new Set(paths.flatMap(parentsOf));
  // An object without known members may have any member.
  const isKnown = (name: string): boolean =>
    knownPaths.has(name) ||
    parents.has(name) ||
    parentsOf(name).some((parent) => knownPaths.has(parent) && !parents.has(parent));
  for (const key of keysOf(root)) {
    if (key.name === '' || isKnown(plain(key.name))) continue;
    of.note(key, () => {
      const last = key.name.slice(key.name.lastIndexOf('.') + 1);
      // A field without the prefix of the data is more likely than one of a similar name.
      const suggestion = paths.find((path) => path.endsWith(`.${last}`)) ?? nearestWord(key.name, paths);
      return {
        severity: 'warning',
        code: 'field_unknown',
        message: `This dataset has no known field ${key.name}. ${suggestion === undefined ? 'Check its name.' : `Did you mean ${suggestion}?`}`,
        fix: renameFix(of, key, suggestion),
      };
    });
  }
}
