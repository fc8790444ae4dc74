import type { AnswerOffer } from '../features/query/sql/sql-tables.ts';
import { isLimited } from '../features/results/limits.ts';
import type { Tab } from './tabs.ts';

/** The results of open queries that can become tables of SQL. */
export const offersOf = (tabs: readonly Tab[]): AnswerOffer[] =>
  tabs.flatMap((tab): AnswerOffer[] => {
    if (tab.kind !== 'query') return [];
    const { answer } = tab.model.results.store.getState();
    if (answer.status !== 'loaded' || answer.value.asked.kind === 'sql') return [];
    const { asked: request, records: rows } = answer.value;
    return [{ label: tab.name ?? tab.title, request, rows, isLimited: isLimited(answer.value) }];
  });
