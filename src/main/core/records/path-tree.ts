import { childPath } from '../../../shared/column-paths.ts';

/** A path in records. Paths with a value become columns. */
export interface PathNode {
  readonly index: number;
  /** The path, with dots inside of names escaped; empty for the record itself. */
  readonly path: string;
  /** The key with its quotes, as in the text. */
  readonly quoted: Uint8Array;
  readonly depth: number;
  readonly children: Map<string, PathNode>;
  /** The children in the order of the last object; the next object usually has the same order. */
  readonly expectedChildren: PathNode[];
}

/** All paths of the records scanned so far. */
export interface PathTree {
  readonly root: PathNode;
  readonly nodes: readonly PathNode[];
  /** The child of a node by its quoted key; created on first use. */
  child(parent: PathNode, quoted: string): PathNode;
}

/** Creates a tree without paths. */
export function createPathTree(): PathTree {
  const nodes: PathNode[] = [];
  const add = (path: string, quoted: string, depth: number): PathNode => {
    const node = {
      index: nodes.length,
      path,
      quoted: Buffer.from(quoted),
      depth,
      children: new Map(),
      expectedChildren: [],
    };
    nodes.push(node);
    return node;
  };
  const root = add('', '', 0);
  return {
    root,
    nodes,
    child(parent, quoted) {
      const existing = parent.children.get(quoted);
      if (existing) return existing;
      const key = String(JSON.parse(quoted));
      const created = add(childPath(parent.path, key), quoted, parent.depth + 1);
      parent.children.set(quoted, created);
      return created;
    },
  };
}
