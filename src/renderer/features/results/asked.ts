import { AppError } from '../../../shared/errors.ts';
import type { LiveEvent, LiveRequest } from '../../../shared/live.ts';
import type { RecordPart, RecordsRequest } from '../../../shared/query.ts';
import type { Api } from '../../api/api.ts';

/** A question as it is sent. */
export type Asked = RecordsRequest;

interface Until {
  readonly signal: AbortSignal;
}

/** What asking needs of the application. */
export interface Askable {
  readonly query: Pick<Api['query'], 'page'> & {
    readonly parts: (asked: Asked, options: Until) => Promise<AsyncIterable<RecordPart>>;
    readonly live: (request: LiveRequest, options: Until) => Promise<AsyncIterable<LiveEvent>>;
  };
}

/** An answer as it begins. */
interface Begun {
  readonly first: Extract<RecordPart, { part: 'first' }>;
  /** The others of its records as they come, as texts of arrays; none where the first are all. @throws AppError */
  readonly others: AsyncIterable<string>;
}

/** Sends a question and waits for the first of its records. @throws AppError */
export async function ask({ query }: Askable, asked: Asked, options: Until): Promise<Begun> {
  const parts = (await query.parts(asked, options))[Symbol.asyncIterator]();
  const begun = await parts.next();
  if (begun.done || begun.value.part !== 'first')
    throw new AppError('internal', { problem: 'the answer came without its beginning' });
  const others = othersOf(parts, begun.value.whole);
  // Nothing comes any more but the end of the stream, and nobody need wait for that.
  if (begun.value.whole) others.next().catch(() => undefined);
  return { first: begun.value, others };
}

async function* othersOf(parts: AsyncIterator<RecordPart>, whole: boolean): AsyncGenerator<string, void> {
  let all = whole;
  for (let next = await parts.next(); !next.done; next = await parts.next()) {
    all = true;
    yield next.value.records;
  }
  if (!all) throw new AppError('internal', { problem: 'the answer broke off' });
}

/** The most records that the answer can hold; null where the question sets no limit of its own. */
export const limitOf = (asked: Asked): number | null =>
  asked.kind === 'pipeline' ? null : asked.request.limit;
