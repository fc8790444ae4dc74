import type { Span } from '../reader.ts';
import { closing, isSignificant, scan } from '../scan.ts';

/** An element of a list, or an entry of an object, without its trailing comma. */
interface Item extends Span {
  /** The position of its trailing comma; null: none. */
  readonly comma: number | null;
}

/** The positions of two brackets and the items between them. */
interface Outline {
  readonly open: number;
  readonly close: number;
  readonly items: readonly Item[];
}

/**
 * The items of a bracketed text, which may have spaces and comments around it; null for other texts or
 * unmatched brackets. The items themselves may be invalid.
 */
export function outlineOf(text: string, bracket: '[' | '{'): Outline | null {
  const pieces = [...scan(text)].filter(isSignificant);
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
  /** Without its quotes. */
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

/** The entries of an object text; null if it isn't an object. */
export function objectOutlineOf(text: string): ObjectOutline | null {
  const outline = outlineOf(text, '{');
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

/** Replaces a span of the text. */
export function replaceSpan(text: string, { start, end }: Span, by: string): string {
  return text.slice(0, start) + by + text.slice(end);
}

export interface TextEdit extends Span {
  readonly text: string;
}

/** Applies edits in any order, which don't overlap; their offsets are those of the text before all of them. */
export function applyEdits(text: string, edits: readonly TextEdit[]): string {
  let done = 0;
  let result = '';
  for (const { start, end, text: by } of edits.toSorted((a, b) => a.start - b.start)) {
    result += text.slice(done, start) + by;
    done = end;
  }
  return result + text.slice(done);
}

function indentAt(text: string, offset: number): string {
  const line = text.slice(text.lastIndexOf('\n', offset - 1) + 1, offset);
  return /^[ \t]*/.exec(line)?.[0] ?? '';
}

/** Whether only spaces precede an offset on its line. */
export function beginsLine(text: string, offset: number): boolean {
  let at = offset;
  while (text[at - 1] === ' ' || text[at - 1] === '\t') at--;
  return at === 0 || text[at - 1] === '\n' || text[at - 1] === '\r';
}

/**
 * The end of an item's trailing comma and comments on its line, and whether the last comment runs to the
 * line's end.
 */
export function trailOf(text: string, item: Item): { end: number; open: boolean } {
  let end = item.comma === null ? item.end : item.comma + 1;
  let open = false;
  let spaces = '';
  for (const lexeme of scan(text.slice(end))) {
    const source = text.slice(end + spaces.length, end + spaces.length + lexeme.end - lexeme.start);
    if (/[\n\r]/.test(source)) break;
    if (lexeme.kind === 'space') spaces = source;
    else if (lexeme.kind === 'comment') {
      end += spaces.length + source.length;
      spaces = '';
      open = source.startsWith('//');
      if (open) break;
    } else break;
  }
  return { end, open };
}

/** Appends an item, on its own line if the others have one. Existing text remains. */
export function appendItem(text: string, { open, items }: Outline, item: string): string {
  const last = items.at(-1);
  if (!last) {
    const next = text.charAt(open + 1);
    return replaceSpan(text, { start: open + 1, end: open + 1 }, ` ${item}${/\s/.test(next) ? '' : ' '}`);
  }
  const { end, open: isOpen } = trailOf(text, last);
  const ownLine = beginsLine(text, last.start);
  const separator = ownLine || isOpen ? `\n${indentAt(text, last.start)}` : ' ';
  const withItem = replaceSpan(text, { start: end, end }, `${separator}${item}${ownLine ? ',' : ''}`);
  return last.comma === null ? replaceSpan(withItem, { start: last.end, end: last.end }, ',') : withItem;
}

/** Prepends an item. Existing text remains. */
export function prependItem(text: string, outline: Outline, item: string): string {
  const [first] = outline.items;
  if (!first) return appendItem(text, outline, item);
  const separator = beginsLine(text, first.start) ? `\n${indentAt(text, first.start)}` : ' ';
  return replaceSpan(text, { start: first.start, end: first.start }, `${item},${separator}`);
}

/** Removes an item with its comma and a line that would be blank. Comments beside it remain. */
export function removeItem(text: string, { items }: Outline, at: number): string {
  const item = items[at];
  if (!item) return text;
  const before = items[at - 1];
  let start = item.start;
  let end = item.comma === null ? item.end : item.comma + 1;
  const isLast = at === items.length - 1;
  const restOfLine = beginsLine(text, start) ? /^[ \t]*(?:\r\n|\n|\r)/.exec(text.slice(end))?.[0] : undefined;
  const gap = before && before.comma !== null ? text.slice(before.comma + 1, start) : null;
  if (restOfLine !== undefined) {
    start -= indentAt(text, start).length;
    end += restOfLine.length;
  } else if (isLast && item.comma === null && gap !== null && gap.trim() === '') start -= gap.length + 1;
  else end += /^[ \t]*/.exec(text.slice(end))?.[0].length ?? 0;
  return replaceSpan(text, { start, end }, '');
}
