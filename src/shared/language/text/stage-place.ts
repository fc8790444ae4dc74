import { outlineOf } from './outline.ts';
import { splitPipeline } from './pipeline.ts';

/** A position in a pipeline: its piece, and the offset in that stage's text. */
export interface StagePlace {
  readonly at: number;
  /** From 1. */
  readonly line: number;
  readonly column: number;
}

/** The offset of a line and a column, both from 1. */
function offsetOf(text: string, line: number, column: number): number {
  let start = 0;
  for (let at = 1; at < line; at++) {
    const end = text.indexOf('\n', start);
    if (end < 0) break;
    start = end + 1;
  }
  return start + column - 1;
}

/** The stage at an offset of the whole text; null outside stages or if the text can't be parsed. */
export function stagePlace(text: string, line: number, column: number): StagePlace | null {
  const offset = offsetOf(text, line, column);
  const items = outlineOf(text, '[')?.items ?? [];
  const nth = items.findIndex(({ start, end }) => start <= offset && offset <= end);
  const item = items[nth];
  const pieces = splitPipeline(text)?.stages ?? [];
  // Disabled stages aren't items of the list, but are pieces.
  const at = pieces.map(({ on }, place) => (on ? place : -1)).filter((place) => place >= 0)[nth];
  if (!item || at === undefined) return null;
  const before = text.slice(item.start, offset).split('\n');
  return { at, line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
}
