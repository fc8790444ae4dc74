/** Start and end of a column in each line, in characters from 0; the last column reaches to the end. */
export interface ColumnEdge {
  readonly start: number;
  readonly end: number;
}

/** The columns between positions in a line; the first one starts with the line. */
export const edgesBetween = (positions: readonly number[]): ColumnEdge[] =>
  [0, ...positions].map((start, at) => ({ start, end: positions[at] ?? Number.MAX_SAFE_INTEGER }));

/** Cells of a line by column edges. */
export const cutAtEdges = (text: string, edges: readonly ColumnEdge[]): string[] =>
  edges.map(({ start, end }) => text.slice(start, end).trim());

const isBlank = (text: string, at: number): boolean =>
  at < 0 || at >= text.length || text.charCodeAt(at) <= 0x20;

/** Whether an edge is within a word. */
export const cutsWord = (text: string, at: number): boolean => !isBlank(text, at - 1) && !isBlank(text, at);

/**
 * Cells of a line by column edges. A value that is wider than its column shifts the rest of the line: the edges shift
 * too.
 * @returns null if the line doesn't fit the edges, shifted or not
 */
export function cutRow(
  text: string,
  edges: readonly ColumnEdge[],
): { readonly cells: string[]; readonly isMoved: boolean } | null {
  const wide = edges.findIndex(({ end }) => cutsWord(text, end));
  const edge = edges[wide];
  if (!edge) return { cells: cutAtEdges(text, edges), isMoved: false };
  const gap = /\S\s{2,}(?=\S)|\S\s*$/g;
  gap.lastIndex = edge.end;
  const match = gap.exec(text);
  const next = match ? gap.lastIndex : text.length;
  const shift = next - edge.end;
  const moved = edges.slice(wide + 1).map(({ start, end }) => ({ start: start + shift, end: end + shift }));
  if (moved.some(({ end }) => cutsWord(text, end))) return null;
  const cells = [...cutAtEdges(text, edges.slice(0, wide)), text.slice(edge.start, next).trim()];
  return { cells: [...cells, ...cutAtEdges(text, moved)], isMoved: true };
}
