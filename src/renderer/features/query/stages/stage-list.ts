import { objectIn, textOf } from '../../../../shared/language/text/outline.ts';
import { canSwitch, takeApart, type StagePiece } from '../../../../shared/language/text/pipeline.ts';

/** A stage as its card shows it. */
export interface StageCard {
  /** Stays the stage's own while it is moved and changed. */
  readonly id: string;
  readonly on: boolean;
  /** The stage as it is typed. */
  readonly text: string;
  /** Such as `$match`; null: it can't be read. */
  readonly operator: string | null;
  /** What stands behind the operator. */
  readonly body: string;
  readonly canSwitch: boolean;
}

function operatorOf(text: string): { operator: string | null; body: string } {
  const [entry, ...others] = objectIn(text)?.items ?? [];
  if (!entry || others.length > 0) return { operator: null, body: text };
  return { operator: entry.key, body: textOf(text, entry.value) };
}

function cardOf(piece: StagePiece, id: string): StageCard {
  const { on, text } = piece;
  const { operator, body } = operatorOf(text);
  return { id, on, text, operator, body, canSwitch: canSwitch(piece) };
}

/**
 * The ids of the stages of a text that was changed: those that read as before keep theirs, from the begin and from the
 * end; what was changed between them keeps its place's.
 */
export function keptIds(
  before: readonly { readonly id: string; readonly text: string }[],
  texts: readonly string[],
  fresh: () => string,
): string[] {
  let front = 0;
  while (front < Math.min(before.length, texts.length) && before[front]?.text === texts[front]) front++;
  let back = 0;
  const rest = Math.min(before.length, texts.length) - front;
  while (back < rest && before.at(-1 - back)?.text === texts.at(-1 - back)) back++;
  const free = before.slice(front, before.length - back);
  return texts.map((_text, at) => {
    if (at < front) return before[at]?.id ?? fresh();
    const fromEnd = texts.length - at;
    if (fromEnd <= back) return before.at(-fromEnd)?.id ?? fresh();
    return free[at - front]?.id ?? fresh();
  });
}

/** The cards of a pipeline's text; null: it can't be read as stages. */
export function cardsOf(text: string, before: readonly StageCard[], fresh: () => string): StageCard[] | null {
  const pieces = takeApart(text);
  if (!pieces) return null;
  const ids = keptIds(
    before,
    pieces.stages.map((piece) => piece.text),
    fresh,
  );
  return pieces.stages.map((piece, at) => cardOf(piece, ids[at] ?? fresh()));
}
