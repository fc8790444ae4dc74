import { pathId } from './column-groups.ts';
import type { Chunk } from './chunk.ts';
import { joined } from './kinds.ts';
import type { ColumnHead } from './table.ts';

/**
 * What is known of columns, by their paths, with what some more of their cells tell. How wide one is stays as it was first
 * learnt: columns that are looked at don't move because more comes.
 */
export function withChunks(
  heads: ReadonlyMap<string, ColumnHead>,
  chunks: readonly Chunk[],
): ReadonlyMap<string, ColumnHead> {
  const more = new Map(heads);
  for (const { path, kind, characters } of chunks) {
    const id = pathId(path);
    const known = more.get(id);
    more.set(id, {
      path,
      kind: known ? joined(known.kind, kind) : kind,
      characters: known && known.kind !== 'empty' ? known.characters : characters,
    });
  }
  return more;
}

/** Whether two answers have the same columns, as far as anybody sees. */
export const sameHeads = (one: readonly ColumnHead[], other: readonly ColumnHead[]): boolean =>
  one.length === other.length &&
  one.every(({ path, kind, characters }, at) => {
    const beside = other[at];
    return beside?.kind === kind && beside.characters === characters && pathId(beside.path) === pathId(path);
  });
