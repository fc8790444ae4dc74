import type { ParameterValues } from '../../../shared/language/parameters.ts';
import type { QuestionText } from '../../../shared/query/question.ts';
import { useTab, useTabState } from '../../contexts.ts';
import { hasParameters } from './query-request.ts';
import type { QueryTabState } from './query-tab.ts';
import { useTabWells } from '../tabs/use-tab-wells.ts';

// Everything that a result depends on except data and time, as one text: equal ones mean the same query.

interface AskedQuery {
  readonly text: QuestionText;
  readonly values: Pick<ParameterValues, 'wells' | 'company'>;
}

/** The values of a query's parameters; blank without parameters. */
export const parameterKey = ({ text, values: { wells, company } }: AskedQuery): string =>
  hasParameters(text) ? JSON.stringify([text.answers, wells, company]) : '';

export function runKey(query: AskedQuery): string {
  const { mode, pipeline, [mode]: inputs } = query.text;
  // The view of a pipeline changes nothing.
  return JSON.stringify([mode, mode === 'pipeline' ? pipeline.stages : inputs, parameterKey(query)]);
}

/** The key of a count: of its conditions, without sort and limit. */
export const countKey = (query: AskedQuery): string =>
  JSON.stringify([query.text.mode, query.text.find.query, parameterKey(query)]);

const keys = { counted: countKey, run: runKey } as const;

/** Whether the last count or run is of the current query; true if there was none. */
export function useIsCurrent(what: keyof QueryTabState['lastKeys']): boolean {
  const { values } = useTab('query');
  // Parameter values can change without the text.
  useTabWells();
  return useTabState('query', ({ text, lastKeys }) => {
    const key = lastKeys[what];
    return key === null || key === keys[what]({ text, values: values() });
  });
}
