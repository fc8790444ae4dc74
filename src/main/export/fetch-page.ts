import { AppError, isAppError } from '../../shared/errors/errors.ts';
import type { FindArguments, RecordsAnswer } from '../services/services.ts';
import type { PageLimit } from './page-limit.ts';
import type { PageCursor } from '../paging/cursor.ts';
import { fieldsFor, requestAt, type Wanted } from '../paging/request.ts';
import type { WindowField } from '../paging/rule.ts';

/** One read of the dataset. `checked`: the answer is validated whole before it is given. */
export type Find = (
  find: FindArguments,
  options: { readonly signal: AbortSignal; readonly checked?: boolean },
) => Promise<RecordsAnswer['bytes']>;

/** Why windows can't be trusted. */
export interface GiveUp {
  readonly giveUp: string;
}

/** What requests for pages are made of. */
export interface PageRequests {
  readonly find: Find;
  readonly wanted: Wanted;
  /** The field that pages are cut by; null: by `skip`. */
  readonly window: WindowField | null;
  readonly limit: PageLimit;
  /** How many records match, where that is known by now. */
  readonly total: () => number | null;
  /** Rows that were written before the first page. */
  readonly rowsBefore: number;
  /** The first page, where it was asked for already. */
  readonly first?: Promise<Fetched> | undefined;
  readonly signal: AbortSignal;
}

/** An answer, and the request that it came to. */
export type Fetched =
  | {
      readonly at: PageCursor;
      readonly bytes: RecordsAnswer['bytes'];
      /** Records asked for. */
      readonly asked: number;
    }
  | GiveUp;

interface Asking {
  /** Records behind the cursor to leave out; default 0. */
  readonly skip?: number;
  readonly asked: number;
  readonly checked?: boolean;
  /** Ends this request alone. */
  readonly stop?: AbortSignal;
}

/**
 * Asks for the page that begins so many records behind a cursor; for half as many records where that takes too long.
 * @throws AppError
 */
export async function fetchPage(source: PageRequests, at: PageCursor, asking: Asking): Promise<Fetched> {
  const { wanted, window, limit } = source;
  const { skip = 0, asked, checked = false, stop } = asking;
  const signal = stop ? AbortSignal.any([source.signal, stop]) : source.signal;
  if (signal.aborted) throw new AppError('cancelled', {});
  try {
    const page = requestAt(wanted, window, at);
    const fields = fieldsFor(wanted.fields, window?.field ?? null);
    const request = { ...page, skip: (page.skip ?? 0) + skip, fields, limit: asked };
    return { at, bytes: await source.find(request, { signal, checked }), asked };
  } catch (error) {
    if (isAppError(error, 'timed_out') && limit.halve(asked))
      return fetchPage(source, at, { ...asking, asked: limit.current });
    const other = isAppError(error, 'refused') ? afterRefusal(window, at) : null;
    if (!other) throw error;
    return 'giveUp' in other ? other : fetchPage(source, other, asking);
  }
}

/** What else can be tried when the service refuses a request that is of our own making. */
function afterRefusal(window: WindowField | null, at: PageCursor): PageCursor | GiveUp | null {
  if (at.at === 'run' && at.tie && at.skip === 0) return { ...at, tie: false };
  if (window === null || (at.at === 'window' && at.bound === null)) return null;
  return { giveUp: `the service refuses a query with limits of ${window.field}` };
}
