import { AppError, isAppError } from '../../shared/errors.ts';
import type { FindArguments, RecordsAnswer } from '../services/services.ts';
import type { PageLimit } from './page-limit.ts';
import type { Cursor, PageCursor } from './paging/cursor.ts';
import { fieldsFor, requestAt, type Wanted } from './paging/request.ts';
import type { WindowRule } from './paging/rule.ts';
import type { Taken } from './writing/spec.ts';
import type { WriterThread } from './writing/thread.ts';

/** One read of the dataset. `checked`: the answer is looked over whole before it is given. */
export type Find = (
  find: FindArguments,
  options: { readonly signal: AbortSignal; readonly checked?: boolean },
) => Promise<RecordsAnswer['bytes']>;

/** Word that windows can't be trusted. */
export interface GiveUp {
  readonly giveUp: string;
}

/** A page that was taken by the writer and waits to be written. */
export interface TakenPage extends Exclude<Taken, GiveUp> {
  /** How many records were asked for. */
  readonly asked: number;
}

export interface PageSource {
  readonly find: Find;
  readonly writer: Pick<WriterThread, 'take' | 'drop'>;
  readonly wanted: Wanted;
  readonly rule: WindowRule | null;
  readonly limit: PageLimit;
  readonly signal: AbortSignal;
}

/** A part of the pages: from a cursor to the seam at which another one takes over. */
export interface Stretch {
  readonly from: Cursor;
  /** Null: to the end. */
  readonly seam: Promise<string | null>;
  /** How many records the first page is asked for; the others by what the source has seen. */
  readonly limit?: number;
}

/** All pages from a cursor on, in order. After `giveUp` there are none. @throws AppError */
export const pagesFrom = (source: PageSource, from: Cursor): AsyncGenerator<TakenPage | GiveUp, void> =>
  pagesOf(source, { from, seam: Promise.resolve(null) });

/** The pages of a stretch, in order. After `giveUp`, and after the one that met the seam, there are none. @throws AppError */
export async function* pagesOf(
  source: PageSource,
  { from, seam, limit }: Stretch,
): AsyncGenerator<TakenPage | GiveUp, void> {
  let [at, first] = [from, limit];
  while (at.at !== 'end') {
    const page = await pageAt(source, at, { seam, limit: first });
    yield page;
    if ('giveUp' in page || page.met) return;
    [at, first] = [page.next, undefined];
  }
}

/** The page at a cursor, taken by the writer. @throws AppError */
export async function pageAt(
  source: PageSource,
  at: PageCursor,
  { seam, limit }: { seam?: Promise<string | null>; limit?: number | undefined } = {},
): Promise<TakenPage | GiveUp> {
  const asked = limit ?? source.limit.current;
  const until = { seam: seam ?? Promise.resolve(null) };
  try {
    return await takePage(source, await fetchPage(source, at, { asked }), until);
  } catch (error) {
    // The writer can't read it: now it is looked over as it comes, and asked for again where it was cut off.
    if (!isAppError(error, 'bad_answer')) throw error;
    return takePage(source, await fetchPage(source, at, { asked, checked: true }), until);
  }
}

async function takePage(
  source: PageSource,
  fetched: Fetched,
  { seam }: Pick<Stretch, 'seam'>,
): Promise<TakenPage | GiveUp> {
  if ('giveUp' in fetched) return fetched;
  // The bytes go over to the writer's thread, and their length with them.
  const { length } = fetched.bytes;
  const taken = await source.writer.take(fetched.at, fetched.bytes, await seam);
  if ('giveUp' in taken) return taken;
  source.limit.saw(taken.records, length);
  return { ...taken, asked: fetched.asked };
}

type Fetched =
  { readonly at: PageCursor; readonly bytes: RecordsAnswer['bytes']; readonly asked: number } | GiveUp;

interface Asking {
  readonly asked: number;
  readonly checked?: boolean;
}

async function fetchPage(source: PageSource, at: PageCursor, asking: Asking): Promise<Fetched> {
  const { find, wanted, rule, limit, signal } = source;
  const { asked, checked = false } = asking;
  if (signal.aborted) throw new AppError('cancelled', {});
  try {
    const fields = fieldsFor(wanted.fields, rule?.field ?? null);
    const request = { ...requestAt(wanted, rule, at), fields, limit: asked };
    const bytes = await find(request, { signal, checked });
    return { at, bytes, asked };
  } catch (error) {
    if (isAppError(error, 'timed_out') && limit.halve(asked))
      return fetchPage(source, at, { ...asking, asked: limit.current });
    const other = isAppError(error, 'refused') ? afterRefusal(rule, at) : null;
    if (!other) throw error;
    return 'giveUp' in other ? other : fetchPage(source, other, asking);
  }
}

/** What else can be tried when the service refuses a request that is of our own making. */
function afterRefusal(rule: WindowRule | null, at: PageCursor): PageCursor | GiveUp | null {
  if (at.at === 'run' && at.tie && at.skip === 0) return { ...at, tie: false };
  if (rule === null || (at.at === 'window' && at.bound === null)) return null;
  return { giveUp: `the service refuses a query with limits of ${rule.field}` };
}
