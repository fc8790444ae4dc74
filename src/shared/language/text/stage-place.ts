import { outlineOf } from './outline.ts';
import { takeApart } from './pipeline.ts';

/** Where in a pipeline something stands: in which of its pieces, and at which place of that stage's own text. */
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

/** The stage that holds a place of the whole text; null: it stands in none, or the text can't be read. */
export function stagePlace(text: string, line: number, column: number): StagePlace | null {
  const offset = offsetOf(text, line, column);
  const items = outlineOf(text, '[')?.items ?? [];
  const nth = items.findIndex(({ start, end }) => start <= offset && offset <= end);
  const item = items[nth];
  const pieces = takeApart(text)?.stages ?? [];
  // Those that are switched off are no items of the list, but have their place among the pieces.
  const at = pieces.map(({ on }, place) => (on ? place : -1)).filter((place) => place >= 0)[nth];
  if (!item || at === undefined) return null;
  const before = text.slice(item.start, offset).split('\n');
  return { at, line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
}
