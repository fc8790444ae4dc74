import type { Span } from '../reader.ts';
import { scan } from '../scan.ts';
import type { Item, Outline } from './outline.ts';

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

/** The indent of an offset's line. */
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
