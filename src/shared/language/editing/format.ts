import { syntaxProblems } from '../lint/notes.ts';
import { scan, type Lexeme } from '../scan.ts';

/** Maximum width of a line before its content is split. */
const width = 80;
const indent = '  ';

/** A lexeme other than a space, and whether a line break comes before it. */
type Part = Lexeme & { source: string; newline: boolean };

function partsOf(text: string): Part[] {
  const parts: Part[] = [];
  let newline = false;
  for (const lexeme of scan(text)) {
    const source = text.slice(lexeme.start, lexeme.end);
    if (lexeme.kind === 'space') newline ||= /[\r\n]/.test(source);
    else {
      parts.push({ ...lexeme, source, newline });
      newline = false;
    }
  }
  return parts;
}

/** The place of the closing bracket by that of the opening one. */
function bracketPairs(parts: readonly Part[]): Map<number, number> {
  const open: number[] = [];
  const pairs = new Map<number, number>();
  for (const [at, part] of parts.entries()) {
    if (part.kind === 'open') open.push(at);
    else if (part.kind === 'close') pairs.set(open.pop() ?? -1, at);
  }
  return pairs;
}

/** The text of parts on one line; null if one of them needs more lines, or the line becomes too long. */
function flat(parts: readonly Part[], from: number, to: number, maxWidth: number): string | null {
  let line = '';
  for (let at = from; at <= to; at++) {
    const part = parts[at];
    if (!part) continue;
    if (part.kind === 'comment' || /[\r\n]/.test(part.source)) return null;
    const next = parts[at + 1];
    if (part.kind === 'comma' && next?.kind === 'close') continue;
    line += glue(parts, at, line) + part.source;
    if (line.length > maxWidth) return null;
  }
  return line;
}

/** The space before a part on a line. */
function glue(parts: readonly Part[], at: number, line: string): string {
  const [part, before] = [parts[at], parts[at - 1]];
  if (line === '' || !part || !before) return '';
  if (part.kind === 'comma' || part.kind === 'colon') return '';
  if (part.source === '}') return before.source === '{' ? '' : ' ';
  if (before.source === '{') return ' ';
  if (before.source === '[' || before.source === '(' || part.kind === 'close') return '';
  if (part.source === '(' && before.kind === 'word') return '';
  return ' ';
}

class Printer {
  private readonly parts: readonly Part[];
  private readonly pairs: ReadonlyMap<number, number>;
  private readonly lines: string[] = [];
  private line = '';

  constructor(parts: readonly Part[]) {
    this.parts = parts;
    this.pairs = bracketPairs(parts);
  }

  print(): string {
    this.sequence(0, this.parts.length, '');
    this.end();
    return this.lines.join('\n');
  }

  private end(): void {
    if (this.line.trim() !== '') this.lines.push(this.line.trimEnd());
    this.line = '';
  }

  private put(at: number, margin: string): void {
    const source = this.parts[at]?.source ?? '';
    this.line = this.line === '' ? margin + source : this.line + glue(this.parts, at, this.line) + source;
  }

  /** Formats a range of lexemes, one element per line. */
  private sequence(from: number, to: number, margin: string): void {
    for (let at = from; at < to; at++) {
      const part = this.parts[at];
      if (!part) continue;
      if (part.kind === 'comment') this.comment(at, margin);
      else if (part.kind === 'comma') {
        this.put(at, margin);
        const next = this.parts[at + 1];
        // A comment after the comma stays on its line.
        if (next?.kind !== 'comment' || next.newline) this.end();
      } else if (part.kind === 'open') at = this.bracket(at, margin);
      else this.put(at, margin);
    }
  }

  private comment(at: number, margin: string): void {
    const part = this.parts[at];
    if (!part) return;
    if (part.newline) this.end();
    this.put(at, margin);
    const next = this.parts[at + 1];
    if (part.source.startsWith('//') || next?.newline) this.end();
  }

  /** Formats a bracket and its content; returns the index of its end. */
  private bracket(at: number, margin: string): number {
    const close = this.pairs.get(at) ?? at;
    // Tokens that follow directly, such as a comma, count for the line's width.
    const before = this.line === '' ? margin : this.line + glue(this.parts, at, this.line);
    const isCall = this.parts[at]?.source === '(';
    const line = flat(this.parts, at, close, isCall ? Infinity : width - before.length - 1);
    if (line !== null) {
      this.line = before + line;
      return close;
    }
    this.put(at, margin);
    const first = this.parts[at + 1];
    if (first?.kind !== 'comment' || first.newline) this.end();
    this.sequence(at + 1, close, margin + indent);
    this.end();
    this.put(close, margin);
    return close;
  }
}

/**
 * Formats a text: on one line if it fits, else one element per line; comments and meaning are preserved. Null
 * if it can't be parsed.
 */
export function formatText(text: string): string | null {
  if (syntaxProblems(text, []).length > 0) return null;
  const parts = partsOf(text);
  return parts.length === 0 ? '' : new Printer(parts).print();
}
