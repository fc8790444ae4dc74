import { AppError, toAppError, type Issue } from '../../../shared/errors.ts';
import {
  askedFor,
  bindParameters,
  findParameters,
  type FoundParameter,
  type ParameterValues,
} from '../../../shared/language/parameters.ts';
import type { QuestionMode, QuestionText } from '../../../shared/question.ts';
import { issuesOf } from '../../state/problems.ts';

/** The inputs of each mode that relaxed JSON is typed into. */
const texts = {
  find: ['query', 'sort'],
  aggregate: ['match', 'sort', 'group', 'project'],
  pipeline: ['stages'],
} as const satisfies { [M in QuestionMode]: readonly (keyof QuestionText[M])[] };

/** The texts of the mode that is asked, by their inputs. */
function textsOf({ mode, find, aggregate, pipeline }: QuestionText): (readonly [string, string])[] {
  if (mode === 'find') return texts.find.map((field) => [field, find[field]]);
  if (mode === 'aggregate') return texts.aggregate.map((field) => [field, aggregate[field]]);
  return texts.pipeline.map((field) => [field, pipeline[field]]);
}

/** The parameters in the mode that is asked, in the order of its inputs. */
export function parametersIn(question: QuestionText): FoundParameter[] {
  return textsOf(question).flatMap(([field, text]) =>
    text.includes('{{') ? findParameters(text, field) : [],
  );
}

/** What the mode that is asked wants to know before it runs: each name once. */
export const askedIn = (question: QuestionText) => askedFor(parametersIn(question));

/**
 * The question with every parameter of the mode that is asked replaced by what it stands for now.
 * @throws AppError invalid_input with the place of each that stands for nothing
 */
export function bindQuestion(question: QuestionText, values: Omit<ParameterValues, 'asked'>): QuestionText {
  const all: ParameterValues = { ...values, asked: new Map(Object.entries(question.answers)) };
  const issues: Issue[] = [];
  const bound = new Map(
    textsOf(question).map(([field, text]) => {
      try {
        return [field, bindParameters(text, field, all)];
      } catch (error) {
        const failure = toAppError(error);
        if (!failure.is('invalid_input')) throw failure;
        issues.push(...issuesOf(failure));
        return [field, text];
      }
    }),
  );
  if (issues.length > 0) throw new AppError('invalid_input', { issues });
  const of = (field: string, otherwise: string) => bound.get(field) ?? otherwise;
  const { mode, find, aggregate, pipeline } = question;
  if (mode === 'find')
    return { ...question, find: { ...find, query: of('query', find.query), sort: of('sort', find.sort) } };
  if (mode === 'pipeline')
    return { ...question, pipeline: { ...pipeline, stages: of('stages', pipeline.stages) } };
  const { match, sort, group, project } = aggregate;
  return {
    ...question,
    aggregate: {
      ...aggregate,
      match: of('match', match),
      sort: of('sort', sort),
      group: of('group', group),
      project: of('project', project),
    },
  };
}
