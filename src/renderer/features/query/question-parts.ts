import type { ParameterValues } from '../../../shared/language/parameters.ts';
import type { QuestionText } from '../../../shared/query/question.ts';
import { useTab, useTabState } from '../../contexts.ts';
import { hasParameters } from './query-request.ts';
import type { QueryTabState } from './query-tab.ts';
import { useTabWells } from '../tabs/use-tab-wells.ts';

/** Everything that a result depends on except data and time: equal parts mean the same query. */
export type QuestionParts = readonly string[];

type Values = () => Pick<ParameterValues, 'wells' | 'company'>;

/** The parts of a run. @param values read only if the query has parameters */
export const runParts = (text: QuestionText, values: Values): QuestionParts => [
  text.mode,
  // The view of a pipeline changes nothing.
  ...(text.mode === 'pipeline' ? [text.pipeline.stages] : Object.values(text[text.mode])),
  ...parameterParts(text, values),
];

/** The parts of a count: the mode and its conditions, without sort and limit. */
export const countParts = (text: QuestionText, values: Values): QuestionParts => [
  text.mode,
  text.find.query,
  ...parameterParts(text, values),
];

export const isSameQuestion = (a: QuestionParts, b: QuestionParts): boolean =>
  a.length === b.length && a.every((part, at) => part === b[at]);

/** The values of a query's parameters as one text; empty without parameters. */
export function parameterParts(text: QuestionText, values: Values): string[] {
  if (!hasParameters(text)) return [];
  const { wells, company } = values();
  return [JSON.stringify([text.answers, wells, company])];
}

const currentParts = { counted: countParts, run: runParts } as const;

/** Whether the last count or run is of the current query; true if there was none. */
export function useIsCurrent(what: keyof QueryTabState['lastParts']): boolean {
  const { values } = useTab('query');
  // Parameter values can change without the text.
  useTabWells();
  return useTabState('query', ({ text, lastParts }) => {
    const parts = lastParts[what];
    return parts === null || isSameQuestion(parts, currentParts[what](text, values));
  });
}
