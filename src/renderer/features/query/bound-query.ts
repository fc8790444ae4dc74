import {
  bindTexts,
  bindWells,
  parametersIn,
  requiredAnswers,
  type FoundParameter,
  type ParameterValues,
  bindSql,
  bindSqlWells,
  findSqlParameters,
} from '../../../shared/language/parameters.ts';
import { refuseErrors } from '../../../shared/language/lint/request.ts';
import type { TypedQuery } from '../../../shared/query/query.ts';
import type { QuestionText } from '../../../shared/query/question.ts';
import type { AssetId } from '../../../shared/wells/wells.ts';
import { lintInput } from './query-request.ts';

const textsOf = ({ mode, find, pipeline }: QuestionText) =>
  mode === 'find' ? { query: find.query, sort: find.sort } : { stages: pipeline.stages };

/** The parameters of the current mode, in the order of its inputs. */
export function parametersOf(question: QuestionText): FoundParameter[] {
  if (question.mode === 'sql') return findSqlParameters(question.sql.statement, 'sql');
  return parametersIn(textsOf(question));
}

/**
 * The query of the current mode with parameters replaced by their values. Other problems that prevent a run
 * are reported too, with places in the typed text: replaced parameters shift places.
 * @throws AppError invalid_input with the place of each parameter without a value
 */
export function bindQuestion(question: QuestionText, values: Omit<ParameterValues, 'answers'>): QuestionText {
  const all: ParameterValues = { ...values, answers: new Map(Object.entries(question.answers)) };
  const { mode, sql } = question;
  if (mode === 'sql') return { ...question, sql: { statement: bindSql(sql.statement, 'sql', all) } };
  const bound = bindTexts(textsOf(question), all);
  const linted = lintInput(question);
  if (linted) refuseErrors(linted);
  return { ...question, [mode]: { ...question[mode], ...bound } };
}

/** The query as typed, with the values of its parameters, for copies that keep them. */
export const typedQueryOf = (
  question: QuestionText,
  { wells, company, now, zone }: Omit<ParameterValues, 'answers'>,
): TypedQuery => ({
  texts: textsOf(question),
  wells: [...wells],
  company,
  now,
  zone,
  answers: question.answers,
});

/** The first parameter that has no answer; null: none. */
export function unanswered(question: QuestionText): string | null {
  const missing = requiredAnswers(parametersOf(question)).find(
    ({ name }) => (question.answers[name] ?? '').trim() === '',
  );
  return missing?.name ?? null;
}

/** The query with asset ids in the place of `{{wells}}`, in all modes; other parameters stay. */
export function withWellIds(question: QuestionText, ids: readonly AssetId[]): QuestionText {
  const { find, aggregate, pipeline, sql } = question;
  return {
    ...question,
    find: { ...find, query: bindWells(find.query, ids) },
    aggregate: {
      ...aggregate,
      match: bindWells(aggregate.match, ids),
      group: bindWells(aggregate.group, ids),
      project: bindWells(aggregate.project, ids),
    },
    pipeline: { ...pipeline, stages: bindWells(pipeline.stages, ids) },
    sql: { statement: bindSqlWells(sql.statement, ids) },
  };
}
