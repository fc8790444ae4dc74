/** The position after blanks, from a position on. */
function skipBlanks(text: string, from: number, delimiter: string): number {
  let at = from;
  while ((text[at] === ' ' || text[at] === '\t') && text[at] !== delimiter) at++;
  return at;
}

/** Whether a cell ends at a position, except for blanks. */
function endsBehind(text: string, from: number, delimiter: string): boolean {
  const behind = skipBlanks(text, from, delimiter);
  return behind === text.length || text[behind] === delimiter;
}

/**
 * The position after the closing quote of a cell; -1: none.
 * @param isStrict whether each quote inside the cell must be doubled
 */
function closingEnd(text: string, open: number, delimiter: string, isStrict: boolean): number {
  for (let quote = text.indexOf('"', open + 1); quote >= 0; quote = text.indexOf('"', quote + 1)) {
    if (text[quote + 1] === '"') quote++;
    else if (endsBehind(text, quote + 1, delimiter)) return quote + 1;
    else if (isStrict) return -1;
  }
  return -1;
}

/**
 * The text of a record without the blanks between a delimiter and the quote that opens a cell. A quote after blanks
 * opens a cell only if it encloses all of it.
 */
export function withoutBlanksBeforeQuotes(text: string, delimiter: string): string {
  let result = '';
  let copied = 0;
  for (let at = 0; ;) {
    const open = skipBlanks(text, at, delimiter);
    const isAfterBlanks = open > at;
    const isQuoted = text[open] === '"' && !(isAfterBlanks && endsBehind(text, open + 1, delimiter));
    const end = isQuoted ? closingEnd(text, open, delimiter, isAfterBlanks) : -1;
    // Without a closing quote, the rest is one cell.
    if (isQuoted && end < 0 && !isAfterBlanks) break;
    if (end >= 0 && isAfterBlanks) {
      result += text.slice(copied, at);
      copied = open;
    }
    const next = text.indexOf(delimiter, Math.max(end, at));
    if (next < 0) break;
    at = next + 1;
  }
  return copied === 0 ? text : result + text.slice(copied);
}
