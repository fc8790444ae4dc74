/** A place in records: a key under its parents. Places with a value become columns. */
export interface PathNode {
  readonly index: number;
  /** The dotted path, as a column is named; empty for the record itself. */
  readonly path: string;
  /** The key as it stands in the text, with its quotes. */
  readonly quoted: Uint8Array;
  readonly depth: number;
  readonly children: Map<string, PathNode>;
  /** Which child stood at which position in the object read last: the next object is nearly always alike. */
  readonly guesses: PathNode[];
}

/** All places that the records read so far have. */
export interface PathTree {
  readonly root: PathNode;
  readonly nodes: readonly PathNode[];
  /** The child of a node by its key as it stands in the text; made when it is seen first. */
  child(parent: PathNode, quoted: string): PathNode;
}

export function createPathTree(): PathTree {
  const nodes: PathNode[] = [];
  const add = (path: string, quoted: string, depth: number): PathNode => {
    const node = {
      index: nodes.length,
      path,
      quoted: Buffer.from(quoted),
      depth,
      children: new Map(),
      guesses: [],
    };
    nodes.push(node);
    return node;
  };
  const root = add('', '', 0);
  return {
    root,
    nodes,
    child(parent, quoted) {
      const found = parent.children.get(quoted);
      if (found) return found;
      const key = String(JSON.parse(quoted));
      const made = add(parent.path === '' ? key : `${parent.path}.${key}`, quoted, parent.depth + 1);
      parent.children.set(quoted, made);
      return made;
    },
  };
}
