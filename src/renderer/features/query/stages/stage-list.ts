import type { Problem } from '../../../state/problems.ts';
import { stages as knownStages, writingStages } from '../../../../shared/language/catalogue.ts';
import { objectOutlineOf, textOf } from '../../../../shared/language/text/edits.ts';
import {
  canSwitch,
  type PipelinePieces,
  stagePlace,
  type StagePiece,
  type StagePlace,
} from '../../../../shared/language/text/pipeline.ts';

/** The stage that stopped a run, with the place in its own text. */
export interface StageProblem extends StagePlace {
  readonly message: string;
}

/** The stage of a problem in the whole text; null: none, or all. */
export function stageProblem(text: string, problem: Problem | undefined): StageProblem | null {
  if (problem?.line === undefined || problem.column === undefined) return null;
  const place = stagePlace(text, problem.line, problem.column);
  return place && { ...place, message: problem.message };
}

type Refusal = 'writes' | 'unknown' | 'unreadable';

/** Why the service rejects a stage with this operator; null: no known reason. */
export function refusalOf(operator: string | null): Refusal | null {
  if (operator === null) return 'unreadable';
  if (writingStages.has(operator)) return 'writes';
  return knownStages.has(operator) ? null : 'unknown';
}

export interface StageCard {
  /** Stays the same while the stage is moved and changed. */
  readonly id: string;
  readonly on: boolean;
  readonly text: string;
  /** Such as `$match`; null: it can't be read. */
  readonly operator: string | null;
  /** The operator's body. */
  readonly body: string;
  readonly canSwitch: boolean;
}

function operatorOf(text: string): { operator: string | null; body: string } {
  const [entry, ...otherEntries] = objectOutlineOf(text)?.items ?? [];
  if (!entry || otherEntries.length > 0) return { operator: null, body: text };
  return { operator: entry.key, body: textOf(text, entry.value) };
}

function cardOf(piece: StagePiece, id: string): StageCard {
  const { on, text } = piece;
  const { operator, body } = operatorOf(text);
  return { id, on, text, operator, body, canSwitch: canSwitch(piece) };
}

/**
 * The ids of the stages after a change: unchanged stages at the start and at the end keep theirs, changed
 * ones between them by position.
 */
function matchIds(
  before: readonly Pick<StageCard, 'id' | 'text'>[],
  texts: readonly string[],
  newId: () => string,
): string[] {
  let front = 0;
  while (front < Math.min(before.length, texts.length) && before[front]?.text === texts[front]) front++;
  let back = 0;
  const rest = Math.min(before.length, texts.length) - front;
  while (back < rest && before.at(-1 - back)?.text === texts.at(-1 - back)) back++;
  const free = before.slice(front, before.length - back);
  return texts.map((_text, at) => {
    if (at < front) return before[at]?.id ?? newId();
    const fromEnd = texts.length - at;
    if (fromEnd <= back) return before.at(-fromEnd)?.id ?? newId();
    return free[at - front]?.id ?? newId();
  });
}

/** The cards of a pipeline. @param before the cards whose ids unchanged stages keep */
export function cardsOf(
  { stages }: PipelinePieces,
  before: readonly Pick<StageCard, 'id' | 'text'>[],
  newId: () => string,
): StageCard[] {
  const ids = matchIds(
    before,
    stages.map((piece) => piece.text),
    newId,
  );
  return stages.map((piece, at) => cardOf(piece, ids[at] ?? newId()));
}
