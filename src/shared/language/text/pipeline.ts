import { trailOf } from './edits.ts';
import { firstComma, outlineOf } from './outline.ts';
import { commentOut, hiddenStages, stageIn } from './stage-comments.ts';

/** One stage of a pipeline's text, with what stands around it. */
export interface StagePiece {
  /** Whether it is sent; one that is switched off stands in the text as a comment. */
  readonly on: boolean;
  /** Spaces and comments before it. */
  readonly before: string;
  /** The stage itself, as it is typed. */
  readonly text: string;
  /** What stands between it and its comma. */
  readonly gap: string;
  readonly comma: boolean;
  /** Behind the comma, on the same line. */
  readonly rest: string;
}

/** The text of a pipeline in pieces, which together are the text, character by character. */
export interface PipelinePieces {
  readonly head: string;
  readonly stages: readonly StagePiece[];
  readonly tail: string;
}

/**
 * Takes the text of a pipeline apart; null where it is no list, or its brackets do not match. A stage that can't be
 * read is a piece like any other.
 */
export function takeApart(text: string): PipelinePieces | null {
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
 * As {@link takeApart}, but only as far as the first stage that is sent: all behind its comma is tail, and need not be
 * readable. With thousands of stages that takes the time of one.
 */
export function takeBegin(text: string): PipelinePieces | null {
  const comma = firstComma(text);
  if (comma === null) return takeApart(text);
  const pieces = takeApart(`${text.slice(0, comma + 1)}]`);
  return pieces && { ...pieces, tail: text.slice(comma + 1) };
}

const startsLine = (text: string) => /^[ \t]*[\n\r]/.test(text);
const endsInLineComment = (trivia: string) => /\/\/[^\n\r]*$/.test(trivia.replaceAll(/\/\*.*?\*\//gs, ''));
const indentOf = (before: string) => /[\n\r]([ \t]*)$/.exec(before)?.[1] ?? '  ';

/** The text of the pieces. Untouched ones come out as they went in; only commas and line ends that are needed are added. */
export function putTogether({ head, stages, tail }: PipelinePieces): string {
  let text = head;
  let isOpen = false;
  const add = (piece: string) => {
    text += isOpen && !startsLine(piece) ? `\n${piece}` : piece;
  };
  const lastOn = stages.findLastIndex(({ on }) => on);
  for (const [at, { on, before, text: stage, gap, comma, rest }] of stages.entries()) {
    const trail = `${gap}${comma ? ',' : ''}${rest}`;
    const needed = at < lastOn && !comma ? ',' : '';
    add(before + (on ? stage + needed + trail : commentOut(stage + trail, indentOf(before))));
    isOpen = !on || endsInLineComment(comma ? rest : gap);
  }
  add(tail);
  return text;
}

/** The pieces with a stage switched on or off. */
export function switched(pieces: PipelinePieces, at: number): PipelinePieces {
  return changed(pieces, at, (piece) => {
    if (!piece.on) return { ...piece, on: true };
    // A comment can only stand on lines of its own; what would break it across lines goes before it.
    const { gap, rest } = piece;
    const fits = gap === '' && !/[\n\r]/.test(rest);
    const moved = fits ? '' : `${gap}${rest}`;
    const before = `${piece.before}${moved}`;
    const ownLine = /[\n\r][ \t]*$/.test(before) ? before : `${before.replace(/[ \t]+$/, '')}\n  `;
    return { ...piece, on: false, before: ownLine, gap: '', rest: fits ? rest : '' };
  });
}

/** Whether a stage can be switched off: as a comment it is found again only if it is a whole stage. */
export const canSwitch = ({ on, text }: StagePiece): boolean => !on || stageIn(text) !== null;

/** The pieces with another text in the place of a stage's. */
export function rewritten(pieces: PipelinePieces, at: number, text: string): PipelinePieces {
  return changed(pieces, at, (piece) => ({ ...piece, text }));
}

function changed(
  { stages, ...around }: PipelinePieces,
  at: number,
  change: (piece: StagePiece) => StagePiece,
): PipelinePieces {
  return { ...around, stages: stages.map((piece, index) => (index === at ? change(piece) : piece)) };
}

/** The pieces without a stage; the comments before it go with it. */
export function without({ stages, ...around }: PipelinePieces, at: number): PipelinePieces {
  return { ...around, stages: stages.toSpliced(at, 1) };
}

/** The pieces with a stage put in; at the end by default. */
export function withStage(
  { head, stages, tail }: PipelinePieces,
  text: string,
  at = stages.length,
): PipelinePieces {
  const neighbour = stages[Math.min(at, stages.length - 1)];
  const ownLine = !neighbour || /[\n\r]/.test(neighbour.before);
  const before = ownLine ? `\n${neighbour ? indentOf(neighbour.before) : '  '}` : ' ';
  const piece: StagePiece = { on: true, before, text, gap: '', comma: ownLine, rest: '' };
  const isOnly = stages.length === 0 && !startsLine(tail);
  return { head, stages: stages.toSpliced(at, 0, piece), tail: isOnly ? `\n${tail.trimStart()}` : tail };
}

/** The pieces with some stages, by their places, moved before another one; `before` may be the end. */
export function moved(
  { stages, ...around }: PipelinePieces,
  from: readonly number[],
  before: number,
): { pieces: PipelinePieces; order: number[] } {
  const taken = new Set(from);
  const order = stages.map((_, at) => at);
  const front = order.filter((at) => at < before && !taken.has(at));
  const back = order.filter((at) => at >= before && !taken.has(at));
  const next = [...front, ...order.filter((at) => taken.has(at)), ...back];
  return {
    pieces: { ...around, stages: next.flatMap((at) => stages[at] ?? []) },
    order: next,
  };
}

/** What is sent of the pipeline up to a stage, that one included; as a list of texts. */
export function sentUpTo({ stages }: PipelinePieces, at: number): string[] {
  return stages.slice(0, at + 1).flatMap(({ on, text }) => (on ? [text] : []));
}
