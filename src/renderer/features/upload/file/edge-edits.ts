/** Column edges: positions in a line, in characters, ascending. */
export type Edges = readonly number[];

/** Maximum position of an edge. */
const maxEdge = 10_000;
/** The width of a column that an edge after the last one gets. */
const newWidth = 8;

/** The lowest and highest position of an edge, between its neighbors. */
export const edgeBounds = (edges: Edges, index: number): { readonly min: number; readonly max: number } => ({
  min: (edges[index - 1] ?? 0) + 1,
  max: (edges[index + 1] ?? maxEdge + 1) - 1,
});

/** The edges with one moved, which stays between its neighbors. */
export function moveEdge(edges: Edges, index: number, to: number): Edges {
  const { min, max } = edgeBounds(edges, index);
  return edges.with(index, Math.min(max, Math.max(min, to)));
}

/** The edges without one of them; the last one stays, because a table has two columns. */
export const removeEdge = (edges: Edges, index: number): Edges =>
  edges.length > 1 ? edges.toSpliced(index, 1) : edges;

/** The edges with another one; unchanged if there is one at that position. */
export const addEdge = (edges: Edges, at: number): Edges =>
  at < 1 || at > maxEdge || edges.includes(at) ? edges : [...edges, at].toSorted((a, b) => a - b);

/** The edges with one in the middle of the column after an edge; -1: after the start of the line. */
export function addEdgeAfter(edges: Edges, index: number): Edges {
  const start = edges[index] ?? 0;
  const end = edges[index + 1] ?? start + newWidth * 2;
  return addEdge(edges, Math.floor((start + end) / 2));
}
