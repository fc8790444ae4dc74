import type { Problem } from '../../../state/problems.ts';
import { stagePlace, type StagePlace } from '../../../../shared/language/text/stage-place.ts';

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
