import { pathId } from '../column-groups.ts';
import type { Chunk } from './chunk.ts';
import { joined } from './kinds.ts';
import type { ColumnHead } from './table.ts';

/** What is known of columns, by their paths, with what some more of their cells tell. */
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
      characters: Math.max(known?.characters ?? 0, characters),
    });
  }
  return more;
}
