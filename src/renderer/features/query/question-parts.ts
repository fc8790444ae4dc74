import type { ParameterValues } from '../../../shared/language/parameters.ts';
import type { QuestionText } from '../../../shared/query/question.ts';
import { useSessionState, useTab, useTabState } from '../../state/contexts.ts';
import { hasParameters } from './query-request.ts';
import type { QueryTabState } from './query-tab.ts';

/** All that an answer depends on, apart from the data and the clock: the same parts are the same question. */
export type QuestionParts = readonly string[];

type Values = () => Pick<ParameterValues, 'wells' | 'company'>;

/** What the answer to a run depends on. @param values read only where the question has parameters */
export const runParts = (text: QuestionText, values: Values): QuestionParts => [
  text.mode,
  ...textsOf(text),
  ...parameterParts(text, values),
];

/** What a count depends on: the mode and its conditions, whatever the sort and the limit. */
export const countParts = (text: QuestionText, values: Values): QuestionParts => [
  text.mode,
  text.mode === 'aggregate' ? text.aggregate.match : text.find.query,
  ...parameterParts(text, values),
];

export const isSameQuestion = (one: QuestionParts, other: QuestionParts): boolean =>
  one.length === other.length && one.every((part, at) => part === other[at]);

function textsOf({ mode, find, aggregate, pipeline }: QuestionText): string[] {
  if (mode === 'pipeline') return [pipeline.stages];
  if (mode === 'find') return [find.query, find.sort, find.fields, find.limit, find.skip];
  const { match, sort, limit, skip, group, project } = aggregate;
  return [match, sort, limit, skip, group, project];
}

/** What the parameters of a question come to, as one text; none where it has no parameters. */
export function parameterParts(text: QuestionText, values: Values): string[] {
  if (!hasParameters(text)) return [];
  const { wells, company } = values();
  return [JSON.stringify([text.answers, wells, company])];
}

const partsNow = { counted: countParts, run: runParts } as const;

/** Whether what was counted, or run, last is the question as it is now; true where nothing was. */
export function useIsCurrent(what: keyof QueryTabState['asked']): boolean {
  const { values } = useTab('query');
  // The values of parameters change with them.
  useSessionState('wells', (state) => state.selected);
  return useTabState('query', ({ text, asked }) => {
    const parts = asked[what];
    return parts === null || isSameQuestion(parts, partsNow[what](text, values));
  });
}
