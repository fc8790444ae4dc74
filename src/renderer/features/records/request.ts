import type { LiveEvent, LiveRequest } from '../../../shared/tabs/live.ts';
import type { RecordPage, RecordsRequest } from '../../../shared/query/query.ts';
import type { Api } from '../../api/api.ts';
import { AppError } from '../../../shared/errors/errors.ts';
import { type JsonValue, parseJson } from '../../../shared/json.ts';

interface Until {
  readonly signal: AbortSignal;
}

type Questions = {
  readonly [K in RecordsRequest['kind']]: (
    request: Extract<RecordsRequest, { kind: K }>['request'],
    options: Until,
  ) => Promise<RecordPage>;
};

/** What asking needs of the application. */
export interface RecordsApi {
  readonly query: Pick<Api['query'], 'page'> &
    Questions & {
      readonly live: (request: LiveRequest, options: Until) => Promise<AsyncIterable<LiveEvent>>;
    };
}

/** Sends a question. @throws AppError */
export function sendRequest(
  { query }: RecordsApi,
  asked: RecordsRequest,
  options: Until,
): Promise<RecordPage> {
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
export const limitOf = (asked: RecordsRequest): number | null =>
  asked.kind === 'pipeline' ? null : asked.request.limit;

/**
 * The records of a page.
 * @param json text, or its bytes in UTF-8
 * @throws SyntaxError; AppError `internal` when it is no array
 */
export function recordsIn(json: string | Uint8Array): JsonValue[] {
  const records = parseJson(typeof json === 'string' ? json : new TextDecoder().decode(json));
  if (!Array.isArray(records))
    throw new AppError('internal', { problem: 'the answer is not an array of records' });
  return records;
}
