import { knownFields } from '../editing/fields.ts';
import { nearestWord } from '../nearest.ts';
import type { Key, TreeNode } from '../tree/tree.ts';
import { replaceBy, sourceOf, type Case } from './notes.ts';

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

/**
 * Warns of names that no field of the dataset has. A sample may lack a field, so parents and children of
 * known fields are accepted, and nothing is reported without a sample.
 */
export function unknownFields(root: TreeNode, of: Case): void {
  if (of.knowledge.fields.every(({ from }) => from !== 'sample')) return;
  const paths = knownFields(of.knowledge).map(({ path }) => path);
  const isKnown = (name: string): boolean =>
    paths.some(
      (path) =>
        path === name ||
        path.startsWith(`${name}.`) ||
        // An object without known members may have any.
        (name.startsWith(`${path}.`) && !paths.some((other) => other.startsWith(`${path}.`))),
    );
  for (const key of keysOf(root)) {
    if (key.name === '' || isKnown(plain(key.name))) continue;
    const last = key.name.split('.').at(-1) ?? '';
    // A field of the data without its prefix is meant more often than one of a similar name.
    const suggestion = paths.find((path) => path.endsWith(`.${last}`)) ?? nearestWord(key.name, paths);
    of.note(key, {
      severity: 'warning',
      code: 'field_unknown',
      message: `This dataset has no known field ${key.name}. ${suggestion === undefined ? 'Check its name.' : `Did you mean ${suggestion}?`}`,
      fix:
        suggestion === undefined
          ? undefined
          : replaceBy(key, renamed(sourceOf(of, key), suggestion), `Use ${suggestion}`),
    });
  }
}

/** A name in the quotes that it was typed in, or in those that it needs. */
function renamed(typed: string, name: string): string {
  const quote = /^["'`]/.exec(typed)?.[0] ?? (/^[\p{L}_$][\p{L}\p{N}_$]*$/u.test(name) ? '' : '"');
  return `${quote}${name}${quote}`;
}
