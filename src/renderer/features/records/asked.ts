import type { LiveEvent, LiveRequest } from '../../../shared/tabs/live.ts';
import type { RecordPage, RecordsRequest } from '../../../shared/query/query.ts';
import type { Api } from '../../api/api.ts';

/** A question as it is sent. */
export type Asked = RecordsRequest;

interface Until {
  readonly signal: AbortSignal;
}

type Questions = {
  readonly [K in Asked['kind']]: (
    request: Extract<Asked, { kind: K }>['request'],
    options: Until,
  ) => Promise<RecordPage>;
};

/** What asking needs of the application. */
export interface Askable {
  readonly query: Pick<Api['query'], 'page'> &
    Questions & {
      readonly live: (request: LiveRequest, options: Until) => Promise<AsyncIterable<LiveEvent>>;
    };
}

/** Sends a question. @throws AppError */
export function ask({ query }: Askable, asked: Asked, options: Until): Promise<RecordPage> {
  switch (asked.kind) {
    case 'find':
      return query.find(asked.request, options);
    case 'aggregate':
      return query.aggregate(asked.request, options);
    case 'pipeline':
      return query.pipeline(asked.request, options);
  }
}

/** The most records that the answer can hold; null where the question sets no limit of its own. */
export const limitOf = (asked: Asked): number | null =>
  asked.kind === 'pipeline' ? null : asked.request.limit;
