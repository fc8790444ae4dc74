import { knownFields } from '../editing/fields.ts';
import { nearest } from '../nearest.ts';
import type { Key, TreeNode } from '../tree/tree.ts';
import { replaceBy, said, type Case } from './notes.ts';

/** The names of fields in a query or a sort: those at its top, and in the queries that `$and`, `$or` and `$nor` join. */
function* namesIn(node: TreeNode): Generator<Key> {
  if (node.kind === 'list') for (const item of node.items) yield* namesIn(item);
  if (node.kind !== 'object') return;
  for (const { key, value } of node.members) {
    if (!key.name.startsWith('$')) yield key;
    else if (/^\$(?:and|or|nor)$/.test(key.name) && value?.kind === 'list') yield* namesIn(value);
  }
}

/** Items of a list may be named by their numbers: `list.0.name` is `list.name`. */
const plain = (path: string): string => path.replaceAll(/\.\d+(?=\.|$)/g, '');

/**
 * Names that none of the dataset's fields has, most likely typed wrong. A sample of records may lack a field: what lies
 * in a known field, or holds one, is not judged, and nothing is said without a sample, for a definition may name few.
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
  for (const key of namesIn(root)) {
    if (key.name === '' || isKnown(plain(key.name))) continue;
    const last = key.name.split('.').at(-1) ?? '';
    // A field of the data without its prefix is meant more often than one of a similar name.
    const meant = paths.find((path) => path.endsWith(`.${last}`)) ?? nearest(key.name, paths);
    of.note(key, {
      severity: 'warning',
      code: 'field_unknown',
      message: `This dataset has no known field ${key.name}. ${meant === undefined ? 'Check its name.' : `Did you mean ${meant}?`}`,
      fix: meant === undefined ? undefined : replaceBy(key, renamed(said(of, key), meant), `Use ${meant}`),
    });
  }
}

/** A name in the quotes that it was typed in, or in those that it needs. */
function renamed(typed: string, name: string): string {
  const quote = /^["'`]/.exec(typed)?.[0] ?? (/^[\p{L}_$][\p{L}\p{N}_$]*$/u.test(name) ? '' : '"');
  return `${quote}${name}${quote}`;
}
