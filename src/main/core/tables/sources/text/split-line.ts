import { endsBehind } from '../../reading/records.ts';

/** How the values of a data line are separated: `blank`, or the delimiter itself. */
export type Separator = string;

const QUOTE = 0x22;

/** Values between blanks; quotes can enclose blanks. */
function splitBlanks(line: string): string[] {
  const text = line.trim();
  if (text === '') return [];
  if (!text.includes('"') && !text.includes("'")) return text.split(/\s+/);
  return (text.match(/"[^"]*"(?!\S)|'[^']*'(?!\S)|\S+/g) ?? []).map((cell) =>
    cell.replace(/^(["'])(.*)\1$/, '$2'),
  );
}

/** Trimmed values between delimiters; quotes can enclose a delimiter. */
function splitDelimited(line: string, delimiter: string): string[] {
  if (!line.includes('"')) return line.split(delimiter).map((cell) => cell.trim());
  const cells: string[] = [];
  let at = 0;
  // If a quote isn't closed, no later one is.
  let canClose = true;
  for (;;) {
    while (line[at] === ' ') at++;
    const isQuoted = canClose && line.charCodeAt(at) === QUOTE;
    const close = isQuoted ? closingQuote(line, at, delimiter) : -1;
    if (isQuoted && close < 0) canClose = false;
    if (close > 0)
      cells.push(
        line
          .slice(at + 1, close)
          .replaceAll('""', '"')
          .trim(),
      );
    const next = line.indexOf(delimiter, close > 0 ? close : at);
    if (close < 0) cells.push(line.slice(at, next < 0 ? undefined : next).trim());
    if (next < 0) return cells;
    at = next + 1;
  }
}

/** The closing quote of a value: the first one before a delimiter or the end of the line; -1: none. */
function closingQuote(line: string, open: number, delimiter: string): number {
  for (let at = line.indexOf('"', open + 1); at >= 0; at = line.indexOf('"', at + 1)) {
    if (endsBehind(line, at + 1, delimiter)) return at;
  }
  return -1;
}

/** The values of a data line. */
export const splitLine = (line: string, separator: Separator): string[] =>
  separator === 'blank' ? splitBlanks(line) : splitDelimited(line, separator);
