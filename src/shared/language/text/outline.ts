import type { Span } from '../reader.ts';
import { isSignificant, scan, type Lexeme } from '../scan.ts';

/** An element of a list, or an entry of an object, without its trailing comma. */
export interface Item extends Span {
  /** The position of its trailing comma; null: none. */
  readonly comma: number | null;
}

/** The positions of two brackets and the items between them. */
export interface Outline {
  readonly open: number;
  readonly close: number;
  readonly items: readonly Item[];
}

const closing: Readonly<Record<string, string>> = { '[': ']', '{': '}', '(': ')' };

/**
 * The items of a bracketed text, which may have spaces and comments around it; null for other texts or
 * unmatched brackets. The items themselves may be invalid.
 */
export function outlineOf(text: string, bracket: '[' | '{', span?: Span): Outline | null {
  const { start: from, end: to } = span ?? { start: 0, end: text.length };
  const pieces = [...scan(text.slice(from, to))]
    .filter(isSignificant)
    .map(({ kind, start, end }): Lexeme => ({ kind, start: start + from, end: end + from }));
  const [first] = pieces;
  const last = pieces.at(-1);
  if (!first || !last || text[first.start] !== bracket || first.kind !== 'open') return null;
  const awaited: string[] = [];
  const items: Item[] = [];
  // The start of the current item; -1: none.
  let start = -1;
  let end = -1;
  for (const piece of pieces) {
    const char = text.charAt(piece.start);
    if (piece.kind === 'close' && awaited.pop() !== char) return null;
    if (awaited.length === 0 && piece.kind === 'close') {
      if (piece.start !== last.start) return null;
      if (start >= 0) items.push({ start, end, comma: null });
      return { open: first.start, close: piece.start, items };
    }
    if (awaited.length === 1 && piece.kind === 'comma') {
      if (start < 0) return null;
      items.push({ start, end, comma: piece.start });
      start = -1;
    } else if (awaited.length > 0) {
      if (start < 0) start = piece.start;
      end = piece.end;
    }
    if (piece.kind === 'open') awaited.push(closing[char] ?? '');
  }
  return null;
}

/** The position of the first top-level comma; null: none. Reads no further. */
export function firstComma(text: string): number | null {
  let depth = 0;
  for (const { kind, start } of scan(text)) {
    if (kind === 'open') depth++;
    else if (kind === 'close') depth--;
    else if (kind === 'comma' && depth === 1) return start;
  }
  return null;
}

/** One entry of an object: `path: value`. */
export interface Entry extends Item {
  /** What it is called, its quotes taken off. */
  readonly key: string;
  readonly name: Span;
  readonly value: Span;
}

export interface ObjectOutline extends Outline {
  readonly items: readonly Entry[];
}

function entryOf(text: string, item: Item): Entry | null {
  const [name, colon, ...rest] = [...scan(text.slice(item.start, item.end))].filter(isSignificant);
  const first = rest[0];
  if (!name || !first || colon?.kind !== 'colon' || (name.kind !== 'word' && name.kind !== 'text'))
    return null;
  const source = text.slice(item.start + name.start, item.start + name.end);
  // Pickers never write a name with escapes.
  if (source.includes('\\')) return null;
  return {
    ...item,
    key: name.kind === 'text' ? source.slice(1, -1) : source,
    name: { start: item.start + name.start, end: item.start + name.end },
    value: { start: item.start + first.start, end: item.end },
  };
}

/** The entries of an object text or span; null if it isn't an object. */
export function objectOutlineOf(text: string, span?: Span): ObjectOutline | null {
  const outline = outlineOf(text, '{', span);
  if (!outline) return null;
  const items: Entry[] = [];
  for (const item of outline.items) {
    const entry = entryOf(text, item);
    if (!entry) return null;
    items.push(entry);
  }
  return { ...outline, items };
}

/** The piece of a text at a span. */
export const textOf = (text: string, { start, end }: Span): string => text.slice(start, end);
