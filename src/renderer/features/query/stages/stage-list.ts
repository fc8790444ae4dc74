import type { Problem } from '../../../state/problems.ts';
import { stagePlace, type StagePlace } from '../../../../shared/language/text/stage-place.ts';
import { stages as knownStages, writingStages } from '../../../../shared/language/catalogue/stages.ts';
import { objectIn, textOf } from '../../../../shared/language/text/outline.ts';
import { canSwitch, takeApart, type StagePiece } from '../../../../shared/language/text/pipeline.ts';

/** What a run was refused for in one of the stages: which one, and where in its own text. */
export interface StageProblem extends StagePlace {
  readonly message: string;
}

/** The stage that a problem of the whole text is about; null: it is about none, or about all of them. */
export function stageProblem(text: string, problem: Problem | undefined): StageProblem | null {
  if (problem?.line === undefined || problem.column === undefined) return null;
  const place = stagePlace(text, problem.line, problem.column);
  return place && { ...place, message: problem.message };
}

type Refusal = 'writes' | 'unknown' | 'unreadable';

/** Why the service will not run a stage with this operator; null: nothing is known against it. */
export function refusalOf(operator: string | null): Refusal | null {
  if (operator === null) return 'unreadable';
  if (writingStages.has(operator)) return 'writes';
  return knownStages.has(operator) ? null : 'unknown';
}

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
