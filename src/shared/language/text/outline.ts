import type { Span } from '../reader.ts';
import { isSignificant, scan, type Lexeme } from '../scan.ts';

/** One element of a list, or one entry of an object, without the comma behind it. */
export interface Item extends Span {
  /** Where the comma behind it stands; null: none does. */
  readonly comma: number | null;
}

/** What stands between two brackets: offsets of the brackets, and the items between them. */
export interface Outline {
  readonly open: number;
  readonly close: number;
  readonly items: readonly Item[];
}

const closing: Readonly<Record<string, string>> = { '[': ']', '{': '}', '(': ')' };

/**
 * The items between the brackets that a text consists of, beside spaces and comments around them; null where it is
 * something else, or the brackets do not match. Nothing is said of whether the items themselves can be read.
 */
export function outlineOf(text: string, bracket: '[' | '{', within?: Span): Outline | null {
  const { start: from, end: to } = within ?? { start: 0, end: text.length };
  const pieces = [...scan(text.slice(from, to))]
    .filter(isSignificant)
    .map(({ kind, start, end }): Lexeme => ({ kind, start: start + from, end: end + from }));
  const [first] = pieces;
  const last = pieces.at(-1);
  if (!first || !last || text[first.start] !== bracket || first.kind !== 'open') return null;
  const awaited: string[] = [];
  const items: Item[] = [];
  // Where the item begins that is being read; -1: none is.
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

/** Where the first comma of a list stands, beside those within its items; null: it has none. Reads no further. */
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
  const said = text.slice(item.start + name.start, item.start + name.end);
  // A name with escapes in it is nothing that a picker or a form would have written.
  if (said.includes('\\')) return null;
  return {
    ...item,
    key: name.kind === 'text' ? said.slice(1, -1) : said,
    name: { start: item.start + name.start, end: item.start + name.end },
    value: { start: item.start + first.start, end: item.end },
  };
}

/** The entries of the object that a text, or a piece of it, consists of; null where it is no such object. */
export function objectIn(text: string, within?: Span): ObjectOutline | null {
  const outline = outlineOf(text, '{', within);
  if (!outline) return null;
  const items: Entry[] = [];
  for (const item of outline.items) {
    const entry = entryOf(text, item);
    if (!entry) return null;
    items.push(entry);
  }
  return { ...outline, items };
}

export const textOf = (text: string, { start, end }: Span): string => text.slice(start, end);
