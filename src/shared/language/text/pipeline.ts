import { trailOf, beginsLine, firstComma, outlineOf, objectOutlineOf } from './edits.ts';
import type { Span } from '../reader.ts';
import { scan, isSignificant } from '../scan.ts';

const lineEnds = /(\r\n|[\n\r\u2028\u2029])/;

/** Comments out a text: `//` before each line, after the first line's indent. */
function commentOut(text: string, indent: string): string {
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
function readStage(text: string): Pick<StagePiece, 'text' | 'comma' | 'rest'> | null {
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
function hiddenStages(text: string, from: number, to: number) {
  const lines: Span[] = [];
  for (const { kind, start, end } of scan(text.slice(from, to))) {
    const line = { start: start + from, end: end + from };
    if (kind === 'comment' && text.startsWith('//', line.start) && beginsLine(text, line.start))
      lines.push(line);
  }
  const stages: (Span & Pick<StagePiece, 'text' | 'comma' | 'rest'>)[] = [];
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

export interface StagePiece {
  /** Whether it is sent; a disabled stage is a comment in the text. */
  readonly on: boolean;
  /** Spaces and comments before it. */
  readonly before: string;
  /** The stage itself, as it is typed. */
  readonly text: string;
  /** The text between it and its comma. */
  readonly gap: string;
  readonly comma: boolean;
  /** The text after the comma, on the same line. */
  readonly rest: string;
}

/** The text of a pipeline in pieces, which together are the text, character by character. */
export interface PipelinePieces {
  readonly head: string;
  readonly stages: readonly StagePiece[];
  readonly tail: string;
}

/**
 * Splits the text of a pipeline; null if it isn't a list, or its brackets don't match. Invalid stages are
 * pieces too.
 */
export function splitPipeline(text: string): PipelinePieces | null {
  if (text.trim() === '') return { head: `${text}[`, stages: [], tail: '\n]\n' };
  const outline = outlineOf(text, '[');
  if (!outline) return null;
  const stages: StagePiece[] = [];
  let done = outline.open + 1;
  const takeHidden = (to: number) => {
    for (const { start, end, ...stage } of hiddenStages(text, done, to)) {
      stages.push({ on: false, before: text.slice(done, start), gap: '', ...stage });
      done = end;
    }
  };
  for (const item of outline.items) {
    takeHidden(item.start);
    const { end } = trailOf(text, item);
    const { comma } = item;
    stages.push({
      on: true,
      before: text.slice(done, item.start),
      text: text.slice(item.start, item.end),
      gap: text.slice(item.end, comma ?? end),
      comma: comma !== null,
      rest: comma === null ? '' : text.slice(comma + 1, end),
    });
    done = end;
  }
  takeHidden(outline.close);
  return { head: text.slice(0, outline.open + 1), stages, tail: text.slice(done) };
}

/**
 * As {@link splitPipeline}, but only as far as the first stage that is sent: the text after its comma is the tail, and need
 * not be readable. With thousands of stages that takes the time of one.
 */
export function splitFirstStage(text: string): PipelinePieces | null {
  const comma = firstComma(text);
  if (comma === null) return splitPipeline(text);
  const pieces = splitPipeline(`${text.slice(0, comma + 1)}]`);
  return pieces && { ...pieces, tail: text.slice(comma + 1) };
}

const startsLine = (text: string) => /^[ \t]*[\n\r]/.test(text);
/** Whether spaces and comments end in a comment that a line break must follow. */
function endsInLineComment(trivia: string): boolean {
  const last = [...scan(trivia)].findLast(({ kind }) => kind === 'comment');
  return last?.end === trivia.length && trivia.startsWith('//', last.start);
}
const indentOf = (before: string) => /[\n\r]([ \t]*)$/.exec(before)?.[1] ?? '  ';

/** Joins the pieces. Unchanged pieces keep their text; only required commas and line breaks are added. */
export function joinPipeline({ head, stages, tail }: PipelinePieces): string {
  let text = head;
  let isOpen = false;
  const add = (piece: string) => {
    text += isOpen && !startsLine(piece) ? `\n${piece}` : piece;
  };
  const lastOn = stages.findLastIndex(({ on }) => on);
  for (const [at, { on, before, text: stage, gap, comma, rest }] of stages.entries()) {
    const suffix = `${gap}${comma ? ',' : ''}${rest}`;
    const needed = at < lastOn && !comma ? ',' : '';
    add(before + (on ? stage + needed + suffix : commentOut(stage + suffix, indentOf(before))));
    isOpen = !on || endsInLineComment(comma ? rest : gap);
  }
  add(tail);
  return text;
}

/** The pieces with a stage switched on or off. */
export function withStageEnabled(pieces: PipelinePieces, at: number): PipelinePieces {
  return withChangedStages(pieces, at, (piece) => {
    if (!piece.on) return { ...piece, on: true };
    // A comment needs whole lines; text that would continue its line is moved before it.
    const { gap, rest } = piece;
    const fitsOneLine = gap === '' && !/[\n\r]/.test(rest);
    const before = fitsOneLine ? piece.before : `${piece.before}${gap}${rest}`;
    const ownLine = /[\n\r][ \t]*$/.test(before) ? before : `${before.replace(/(?<![ \t])[ \t]+$/, '')}\n  `;
    return { ...piece, on: false, before: ownLine, gap: '', rest: fitsOneLine ? rest : '' };
  });
}

/** Whether a stage can be switched off: as a comment it is found again only if it is a whole stage. */
export const canSwitch = ({ on, text }: StagePiece): boolean => !on || readStage(text) !== null;

/** Replaces the text of a stage. */
export function rewriteStages(pieces: PipelinePieces, at: number, text: string): PipelinePieces {
  return withChangedStages(pieces, at, (piece) => ({ ...piece, text }));
}

function withChangedStages(
  { stages, ...frame }: PipelinePieces,
  at: number,
  change: (piece: StagePiece) => StagePiece,
): PipelinePieces {
  return { ...frame, stages: stages.map((piece, index) => (index === at ? change(piece) : piece)) };
}

/** The pieces without a stage; the comments before it go with it. */
export function withoutStage({ stages, ...frame }: PipelinePieces, at: number): PipelinePieces {
  return { ...frame, stages: stages.toSpliced(at, 1) };
}

/** The pieces with a stage put in; at the end by default. */
export function withStage(
  { head, stages, tail }: PipelinePieces,
  text: string,
  at = stages.length,
): PipelinePieces {
  const neighbor = stages[Math.min(at, stages.length - 1)];
  const ownLine = !neighbor || /[\n\r]/.test(neighbor.before);
  const before = ownLine ? `\n${neighbor ? indentOf(neighbor.before) : '  '}` : ' ';
  const piece: StagePiece = { on: true, before, text, gap: '', comma: ownLine, rest: '' };
  const isOnly = stages.length === 0 && !startsLine(tail);
  return { head, stages: stages.toSpliced(at, 0, piece), tail: isOnly ? `\n${tail.trimStart()}` : tail };
}

/** A position in a pipeline: its piece, and the place in the text of that stage. */
export interface StagePlace {
  readonly at: number;
  /** Both from 1. */
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

/** The stage at a place of the whole text; null outside stages or if the text can't be parsed. */
export function stagePlace(text: string, line: number, column: number): StagePlace | null {
  const offset = offsetOf(text, line, column);
  const items = outlineOf(text, '[')?.items ?? [];
  const nth = items.findIndex(({ start, end }) => start <= offset && offset <= end);
  const item = items[nth];
  const pieces = splitPipeline(text)?.stages ?? [];
  // Disabled stages aren't items of the list, but are pieces.
  const at = pieces.flatMap(({ on }, place) => (on ? [place] : []))[nth];
  if (!item || at === undefined) return null;
  const before = text.slice(item.start, offset).split('\n');
  return { at, line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
}

/** The pieces with some stages, by their places, moved before another one; `before` may be the end. */
export function movedStages(
  { stages, ...frame }: PipelinePieces,
  from: readonly number[],
  before: number,
): { pieces: PipelinePieces; order: number[] } {
  const moved = new Set(from);
  const order = stages.map((_, at) => at);
  const front = order.filter((at) => at < before && !moved.has(at));
  const back = order.filter((at) => at >= before && !moved.has(at));
  const next = [...front, ...order.filter((at) => moved.has(at)), ...back];
  return {
    pieces: { ...frame, stages: next.flatMap((at) => stages[at] ?? []) },
    order: next,
  };
}
