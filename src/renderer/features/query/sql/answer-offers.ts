import type { ServiceRequest } from '../../../../shared/query/query.ts';
import { isLimited } from '../../results/limits.ts';
import { tabTitle } from '../../tabs/tab-title.ts';
import type { TabsState } from '../../tabs/tabs.ts';
import { queryKind } from '../query-kind.ts';

/** The result of an open query that can become a table. */
export interface AnswerOffer {
  /** The title of its tab. */
  readonly label: string;
  readonly request: ServiceRequest;
  readonly rows: number;
  /** Whether more records match than the result has. */
  readonly isLimited: boolean;
}

/** The results of open queries that can become tables of SQL. */
export const answerOffers = ({ tabs }: Pick<TabsState, 'tabs'>): AnswerOffer[] =>
  tabs.flatMap((tab): AnswerOffer[] => {
    const answer = queryKind.of(tab)?.results.store.getState().answer;
    if (answer?.status !== 'loaded' || answer.value.asked.kind === 'sql') return [];
    const { asked: request, records: rows } = answer.value;
    return [{ label: tabTitle(tab), request, rows, isLimited: isLimited(answer.value) }];
  });
