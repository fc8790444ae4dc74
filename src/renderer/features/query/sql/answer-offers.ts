import { words } from '../../../words/words.ts';
import type { ServiceRequest } from '../../../../shared/query/query.ts';
import { isLimited } from '../../results/limits.ts';
import type { TabsState } from '../../tabs/tabs.ts';
import { queryKind } from '../query-kind.ts';

/** The result of an open query that can become a table. */
export interface AnswerOffer {
  /** The name of its tab, otherwise its dataset and wells. */
  readonly label: string;
  readonly request: ServiceRequest;
  readonly rows: number;
  /** Whether more records match than the result has. */
  readonly isLimited: boolean;
}

/** The results of open queries that can become tables of SQL. */
export const answerOffers = ({ tabs }: Pick<TabsState, 'tabs'>): AnswerOffer[] =>
  tabs.flatMap((tab): AnswerOffer[] => {
    const query = queryKind.of(tab);
    const result = query?.results.store.getState().lastResult;
    if (!query || !result || result.asked.kind === 'sql') return [];
    const { asked: request, records: rows } = result;
    // The tab may show SQL now.
    const label = tab.name ?? words.tabs.query(query.dataset.dataset, query.number, tab.wells);
    return [{ label, request, rows, isLimited: isLimited(result) }];
  });
