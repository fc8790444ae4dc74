import type { DatasetAddress } from '../../shared/datasets/datasets.ts';
import { questionText } from '../../shared/query/question.ts';
import { firstRows, type AnswerOffer } from '../features/query/sql/sql-tables.ts';
import { isLimited } from '../features/results/limits.ts';
import type { StoredQuery } from './open-queries.ts';
import type { Tab, Tabs } from './tabs.ts';

const offersOf = (tabs: readonly Tab[]): AnswerOffer[] =>
  tabs.flatMap((tab): AnswerOffer[] => {
    if (tab.kind !== 'query') return [];
    const { answer } = tab.model.results.store.getState();
    if (answer.status !== 'loaded' || answer.value.asked.kind === 'sql') return [];
    const { asked: request, records: rows } = answer.value;
    return [{ label: tab.name ?? tab.title, request, rows, isLimited: isLimited(answer.value) }];
  });

/** What connects SQL with the tabs of a connection. */
export const createSqlLinks = (
  { store }: Pick<Tabs, 'store'>,
  openQuestion: (query: StoredQuery) => Promise<void>,
) => ({
  /** The results of open queries that can become tables of SQL. */
  answerOffers: () => offersOf(store.getState().tabs),
  /** Opens a query with the first rows of a table of SQL. @throws AppError */
  openSqlRows: (address: DatasetAddress, table: string) =>
    openQuestion({
      address,
      text: questionText.parse({ mode: 'sql', sql: { statement: firstRows(table) } }),
      run: true,
    }),
});
