import type { LiveEvent, LiveRequest } from '../../../shared/live.ts';
import type { AggregateRequest, FindRequest, PipelineRequest, RecordPage } from '../../../shared/query.ts';
import type { Api } from '../../api/api.ts';

/** A question as it is sent. */
export type Asked =
  | { readonly kind: 'find'; readonly request: FindRequest }
  | { readonly kind: 'aggregate'; readonly request: AggregateRequest }
  | { readonly kind: 'pipeline'; readonly request: PipelineRequest };

/** What asking needs of the application. */
export interface Askable {
  readonly query: Pick<Api['query'], 'find' | 'page' | 'aggregate' | 'pipeline'> & {
    readonly live: (
      request: LiveRequest,
      options: { readonly signal: AbortSignal },
    ) => Promise<AsyncIterable<LiveEvent>>;
  };
}

/** Sends a question. @throws AppError */
export function ask(
  { query }: Askable,
  asked: Asked,
  options: { readonly signal: AbortSignal },
): Promise<RecordPage> {
  if (asked.kind === 'find') return query.find(asked.request, options);
  return asked.kind === 'aggregate'
    ? query.aggregate(asked.request, options)
    : query.pipeline(asked.request, options);
}

/** The most records that the answer can hold; null where the question sets no limit of its own. */
export const limitOf = (asked: Asked): number | null =>
  asked.kind === 'pipeline' ? null : asked.request.limit;
