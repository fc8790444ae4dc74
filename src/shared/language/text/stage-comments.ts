import { isSignificant, scan } from '../scan.ts';
import { beginsLine } from './edits.ts';
import { objectOutlineOf, outlineOf } from './outline.ts';

const lineEnds = /(\r\n|[\n\r\u2028\u2029])/;

/** Comments out a text: `//` before each line, after the first line's indent. */
export function commentOut(text: string, indent: string): string {
  return text
    .split(lineEnds)
    .map((line, at) => {
      if (at % 2 === 1) return line;
      return at > 0 && line.startsWith(indent) ? `${indent}// ${line.slice(indent.length)}` : `// ${line}`;
    })
    .join('');
}

/** The counterpart of {@link commentOut}. */
function uncomment(text: string): string {
  return text
    .split(lineEnds)
    .map((line, at) => (at % 2 === 1 ? line : line.replace(/^([ \t]*)\/\/ ?/, '$1')))
    .join('');
}

/** The stage of a text with one stage: its text, comma, and comments; null otherwise. */
export function readStage(text: string): { text: string; comma: boolean; rest: string } | null {
  const outline = outlineOf(`[${text}\n]`, '[');
  const [item, ...others] = outline?.items ?? [];
  if (!item || others.length > 0) return null;
  const stage = text.slice(item.start - 1, item.end - 1);
  const object = objectOutlineOf(stage);
  if (text.slice(0, item.start - 1).trim() !== '' || object?.items.length !== 1) return null;
  if (!object.items[0]?.key.startsWith('$')) return null;
  if (item.comma === null) return { text: stage, comma: false, rest: text.slice(item.end - 1) };
  if (text.slice(item.end - 1, item.comma - 1) !== '') return null;
  return { text: stage, comma: true, rest: text.slice(item.comma) };
}

interface HiddenStage {
  readonly start: number;
  readonly end: number;
  readonly text: string;
  readonly comma: boolean;
  readonly rest: string;
}

function depthOf(line: string): number {
  let depth = 0;
  for (const lexeme of scan(line)) {
    if (!isSignificant(lexeme)) continue;
    if (lexeme.kind === 'open') depth++;
    if (lexeme.kind === 'close') depth--;
  }
  return depth;
}

/**
 * The commented-out stages between two offsets with only spaces and comments: whole lines that are one stage
 * without their `//`. An editor's "comment out" produces the same.
 */
export function hiddenStages(text: string, from: number, to: number): HiddenStage[] {
  const lines: { start: number; end: number }[] = [];
  for (const { kind, start, end } of scan(text.slice(from, to))) {
    const line = { start: start + from, end: end + from };
    if (kind === 'comment' && text.startsWith('//', line.start) && beginsLine(text, line.start))
      lines.push(line);
  }
  const stages: HiddenStage[] = [];
  for (let at = 0; at < lines.length; at++) {
    const first = lines[at];
    if (!first || !/^\/\/\s*\{/.test(text.slice(first.start, first.end))) continue;
    let depth = 0;
    for (let last = at; last < lines.length; last++) {
      const line = lines[last];
      const before = lines[last - 1];
      if (!line || (before && last > at && !isNextLine(text.slice(before.end, line.start)))) break;
      depth += depthOf(uncomment(text.slice(line.start, line.end)));
      if (depth > 0) continue;
      const stage = readStage(uncomment(text.slice(first.start, line.end)));
      if (stage) {
        stages.push({ start: first.start, end: line.end, ...stage });
        at = last;
      }
      break;
    }
  }
  return stages;
}

const isNextLine = (between: string) => /^(?:\r\n|\n|\r)[ \t]*$/.test(between);
