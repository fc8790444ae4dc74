import { AppError, isAppError } from '../../shared/errors.ts';
import type { FindArguments, RecordsAnswer } from '../services/services.ts';
import type { PageLimit } from './page-limit.ts';
import type { Cursor, PageCursor } from './paging/cursor.ts';
import { fieldsFor, requestAt, type Wanted } from './paging/request.ts';
import type { WindowField } from './paging/rule.ts';
import { createReadAhead, type PageAnswer, type ReadAhead } from './read-ahead.ts';
import type { PageOutcome, WrittenPage } from './writing/spec.ts';
import type { WriterThread } from './writing/thread.ts';

/** One read of the dataset. `checked`: the answer is validated whole before it is given. */
export type Find = (
  find: FindArguments,
  options: { readonly signal: AbortSignal; readonly checked?: boolean },
) => Promise<RecordsAnswer['bytes']>;

/** Why windows can't be trusted. */
export interface GiveUp {
  readonly giveUp: string;
}

export interface PageSource {
  readonly find: Find;
  readonly writer: Pick<WriterThread, 'write'>;
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

/**
 * Reads all pages from a cursor on and writes each, in order, with several requests under way at a time. The result is
 * that of reading one page after the other, wherever pages end. After `giveUp` there are no more.
 * @param concurrency requests at a time
 * @throws AppError
 */
export async function* copyPages(
  source: PageSource,
  from: Cursor,
  concurrency: number,
): AsyncGenerator<WrittenPage | GiveUp, void> {
  const ahead = createReadAhead(source, concurrency);
  try {
    let at = from;
    while (at.at !== 'end') {
      const page = await copyPage(source, ahead, at);
      yield page;
      if ('giveUp' in page) return;
      at = page.checkpoint.cursor;
    }
  } finally {
    ahead.drop();
  }
}

async function copyPage(source: PageSource, ahead: ReadAhead, at: PageCursor): Promise<WrittenPage | GiveUp> {
  for (;;) {
    const answer = await ahead.answerFor(at);
    if ('giveUp' in answer) return { giveUp: answer.giveUp };
    const page = await write(source, answer);
    if ('giveUp' in page) return page;
    if (!('isDetached' in page)) {
      ahead.advance(page);
      return page;
    }
    ahead.drop();
  }
}

async function write(source: PageSource, answer: Exclude<PageAnswer, GiveUp>): Promise<PageOutcome> {
  try {
    return await writeAnswer(source, answer);
  } catch (error) {
    // The writer can't read it: now it is validated as it comes, and asked for again where it was cut off.
    if (!isAppError(error, 'bad_answer')) throw error;
    const { at, asked } = answer;
    const fetched = await fetchPage(source, at, { asked, checked: true });
    return 'giveUp' in fetched ? fetched : writeAnswer(source, { ...fetched, overlaps: false });
  }
}

async function writeAnswer(
  { writer, limit }: PageSource,
  { at, bytes, asked, overlaps }: Exclude<PageAnswer, GiveUp>,
): Promise<PageOutcome> {
  // The bytes go over to the writer's thread, and their length with them.
  const { length } = bytes;
  const endsBelow = limit.endsBelow({ asked, bytes: length });
  const page = await writer.write(at, bytes, { overlaps, endsBelow });
  if ('records' in page) limit.record({ asked, records: page.records, bytes: length });
  return page;
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
export async function fetchPage(
  source: Omit<PageSource, 'writer'>,
  at: PageCursor,
  asking: Asking,
): Promise<Fetched> {
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
