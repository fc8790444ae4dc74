import { AppError, isAppError } from '../../shared/errors.ts';
import type { FindArguments, RecordsAnswer } from '../services/services.ts';
import type { PageLimit } from './page-limit.ts';
import type { Cursor, PageCursor } from './paging/cursor.ts';
import { fieldsFor, requestAt, type Wanted } from './paging/request.ts';
import type { WindowRule } from './paging/rule.ts';
import type { WriterThread } from './writing/thread.ts';

/** One read of the dataset. */
export type Find = (find: FindArguments) => Promise<RecordsAnswer>;

/** A page that was taken by the writer and waits to be written, or word that windows can't be trusted. */
export type Page = { readonly page: number; readonly rows: number } | { readonly giveUp: string };

export interface PageSource {
  readonly find: Find;
  readonly writer: Pick<WriterThread, 'take'>;
  readonly wanted: Wanted;
  readonly rule: WindowRule | null;
  readonly limit: PageLimit;
  readonly signal: AbortSignal;
}

/**
 * All pages from a cursor on, in order. After `giveUp` there are none.
 * @throws AppError
 */
export async function* pagesFrom(source: PageSource, from: Cursor): AsyncGenerator<Page, void> {
  let at = from;
  while (at.at !== 'end') {
    const fetched = await fetchPage(source, at);
    if ('giveUp' in fetched) {
      yield fetched;
      return;
    }
    const taken = await source.writer.take(fetched.at, fetched.text);
    if ('giveUp' in taken) {
      yield taken;
      return;
    }
    source.limit.saw(taken.records, fetched.text.length);
    yield { page: taken.page, rows: taken.rows };
    at = taken.next;
  }
}

type Fetched = { readonly at: PageCursor; readonly text: string } | { readonly giveUp: string };

async function fetchPage(source: PageSource, at: PageCursor): Promise<Fetched> {
  const { find, wanted, rule, limit, signal } = source;
  if (signal.aborted) throw new AppError('cancelled', {});
  try {
    const fields = fieldsFor(wanted.fields, rule?.field ?? null);
    const { text } = await find({ ...requestAt(wanted, rule, at), fields, limit: limit.current });
    return { at, text };
  } catch (error) {
    if (isAppError(error, 'timed_out') && limit.halve()) return fetchPage(source, at);
    const other = isAppError(error, 'refused') ? afterRefusal(rule, at) : null;
    if (!other) throw error;
    return 'giveUp' in other ? other : fetchPage(source, other);
  }
}

/** What else can be tried when the service refuses a request that is of our own making. */
function afterRefusal(
  rule: WindowRule | null,
  at: PageCursor,
): PageCursor | { readonly giveUp: string } | null {
  if (at.at === 'run' && at.tie && at.skip === 0) return { ...at, tie: false };
  if (rule === null || (at.at === 'window' && at.bound === null)) return null;
  return { giveUp: `the service refuses a query with limits of ${rule.field}` };
}
