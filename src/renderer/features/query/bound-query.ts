import {
  bindTexts,
  findParameters,
  type FoundParameter,
  type ParameterValues,
} from '../../../shared/language/parameters.ts';
import { refuseErrors } from '../../../shared/language/lint/request.ts';
import type { QuestionText } from '../../../shared/query/question.ts';
import { lintedQuestion } from './query-request.ts';

function textsOf({ mode, find, aggregate, pipeline }: QuestionText) {
  if (mode === 'find') return { query: find.query, sort: find.sort };
  if (mode === 'pipeline') return { stages: pipeline.stages };
  const { match, sort, group, project } = aggregate;
  return { match, sort, group, project };
}

/** The parameters in the mode that is asked, in the order of its inputs. */
export function parametersIn(question: QuestionText): FoundParameter[] {
  return Object.entries(textsOf(question)).flatMap(([field, text]) =>
    text.includes('{{') ? findParameters(text, field) : [],
  );
}

/** Whether anything may be asked for in the mode that is asked: cheap enough for each letter that is typed. */
export const mayAsk = (question: QuestionText): boolean =>
  Object.values(textsOf(question)).some((text) => /\{\{\s*ask\b/i.test(text));

/**
 * The question with every parameter of the mode that is asked replaced by what it stands for now. What else would stop
 * the run is said too, with the places of the text as it is typed: behind a parameter those of the bound text are others.
 * @throws AppError invalid_input with the place of each that stands for nothing
 */
export function bindQuestion(question: QuestionText, values: Omit<ParameterValues, 'asked'>): QuestionText {
  const all: ParameterValues = { ...values, asked: new Map(Object.entries(question.answers)) };
  const bound = bindTexts(textsOf(question), all);
  refuseErrors(lintedQuestion(question));
  const { mode } = question;
  return { ...question, [mode]: { ...question[mode], ...bound } };
}
