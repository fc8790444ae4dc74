import { AppError, isAppError } from '../../shared/errors/errors.ts';
import type { Cursor, PageCursor, RunCursor } from '../paging/cursor.ts';
import { fieldsFor, requestAt, type Wanted } from '../paging/request.ts';
import type { WindowField } from '../paging/rule.ts';
import type { FindArguments, RecordsAnswer } from '../services/services.ts';
import type { PageLimit } from './page-limit.ts';
import type { AnswerOrigin, GiveUp, PageOutcome, WrittenPage } from './writing/spec.ts';
import type { Readable } from '../paging/cursor.ts';

/** One read of the dataset. `checked`: the answer is validated whole before it is given. */
export type Find = (
  find: FindArguments,
  options: { readonly signal: AbortSignal; readonly checked?: boolean },
) => Promise<RecordsAnswer['bytes']>;

/** Writes the records of an answer; its bytes are gone afterwards. @throws AppError */
export type WritePage = (
  at: Readable,
  content: RecordsAnswer['bytes'],
  origin: AnswerOrigin,
) => Promise<PageOutcome>;

/** What pages are read from and written to. */
export interface PageSource {
  readonly find: Find;
  readonly wanted: Wanted;
  /** The field that pages are cut by; null: by `skip`. */
  readonly window: WindowField | null;
  readonly limit: PageLimit;
  /** How many records match; pending until that is known. */
  readonly total: Promise<number>;
  readonly rowsBefore: number;
  /** Requests at a time. */
  readonly concurrency: number;
  readonly signal: AbortSignal;
  /** The writer, which may open while the first pages travel; or why windows can't be used. */
  readonly writer: Promise<WritePage | GiveUp>;
  /** Called when requests for all records that were counted are under way. */
  readonly onLastRequest?: () => void;
}

/** An answer to a request for a page. `overlaps`: it was requested from before the cursor. */
interface PageAnswer {
  readonly at: PageCursor;
  readonly bytes: RecordsAnswer['bytes'];
  /** Records that were requested. */
  readonly limit: number;
  readonly overlaps: boolean;
}

/**
 * Reads all pages from a cursor on and writes each, in order, with several requests under way at a time. The result is
 * that of reading one page after the other, wherever pages end. After `giveUp` there are no more.
 * @throws AppError
 */
export async function* copyPages(
  source: PageSource,
  from: Cursor,
): AsyncGenerator<WrittenPage | GiveUp, void> {
  const ahead = createReadAhead(source);
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
    const answering = ahead.answerFor(at);
    // A failure is of no interest when the writer gives up.
    answering.catch(() => undefined);
    const write = await source.writer;
    if ('giveUp' in write) return write;
    const answer = await answering;
    if ('giveUp' in answer) return answer;
    const page = await writeAnswer(source, write, answer);
    if ('giveUp' in page) return page;
    if (!('isDetached' in page)) {
      ahead.advance(page);
      return page;
    }
    ahead.drop();
  }
}

async function writeAnswer(source: PageSource, write: WritePage, answer: PageAnswer): Promise<PageOutcome> {
  const { limit } = source;
  async function written({ at, bytes, limit: asked, overlaps }: PageAnswer): Promise<PageOutcome> {
    // The bytes are moved to the writer's thread, and their length with them.
    const { length } = bytes;
    const page = await write(at, bytes, { overlaps, endsBelow: limit.endsBelow({ asked, bytes: length }) });
    if ('records' in page) limit.record({ asked, records: page.records, bytes: length });
    return page;
  }
  try {
    return await written(answer);
  } catch (error) {
    // The writer can't read it: it is requested once more, and validated as it comes.
    if (!isAppError(error, 'bad_answer')) throw error;
    const again = await fetchPage(source, answer.at, { limit: answer.limit, checked: true });
    return 'giveUp' in again ? again : written({ ...again, overlaps: false });
  }
}

interface FetchOptions {
  /** Records behind the cursor to leave out; default 0. */
  readonly skip?: number;
  readonly limit: number;
  readonly checked?: boolean;
  /** Ends this request alone. */
  readonly stop?: AbortSignal;
}

type Fetched = Omit<PageAnswer, 'overlaps'> | GiveUp;

/**
 * Requests the page that begins so many records behind a cursor; half as many records where that takes too long.
 * @throws AppError
 */
async function fetchPage(source: PageSource, at: PageCursor, options: FetchOptions): Promise<Fetched> {
  const { wanted, window } = source;
  const { skip = 0, limit, checked = false, stop } = options;
  const signal = stop ? AbortSignal.any([source.signal, stop]) : source.signal;
  if (signal.aborted) throw new AppError('cancelled', {});
  try {
    const page = requestAt(wanted, window, at);
    const fields = fieldsFor(wanted.fields, window?.field ?? null);
    const request = { ...page, skip: (page.skip ?? 0) + skip, fields, limit };
    return { at, bytes: await source.find(request, { signal, checked }), limit };
  } catch (error) {
    if (isAppError(error, 'timed_out') && source.limit.halve(limit))
      return fetchPage(source, at, { ...options, limit: source.limit.current });
    const other = isAppError(error, 'refused') ? afterRefusal(window, at) : null;
    if (!other) throw error;
    return 'giveUp' in other ? other : fetchPage(source, other, options);
  }
}

/** What else can be tried when the service refuses a request that is of our own making. */
function afterRefusal(window: WindowField | null, at: PageCursor): PageCursor | GiveUp | null {
  if (at.at === 'run' && at.tie && at.skip === 0) return { ...at, tie: false };
  if (window === null || (at.at === 'window' && at.bound === null)) return null;
  return { giveUp: `the service refuses a query with limits of ${window.field}` };
}

interface PageRequest {
  /** How many records of the frame lie before its page. */
  readonly start: number;
  /** Records that its page is expected to have. */
  readonly expected: number;
  readonly answer: Promise<Fetched>;
  readonly stop: AbortController;
}

/** Records that neighboring pages share at least. */
const minOverlap = 4;

/** What must be the same for two cursors for positions to be counted from one origin. */
const frameOf = (at: PageCursor): string =>
  at.at === 'window' ? 'window' : JSON.stringify([at.of, at.by, at.value, at.bound, at.tie]);

/** Runs begin with one record that is known already; only a page that is read so can be requested ahead. */
const readsOn = ({ step }: RunCursor): boolean => step === 'overlap';

type ReadAhead = ReturnType<typeof createReadAhead>;

/**
 * Keeps several requests for pages under way. A page is requested at the cursor that is known by then, and as many
 * records further (`skip`) as the pages before it will hold; each begins a few records before the end of the page before
 * it. Whether it joins that page is for the writer to see: where it does not, because records went or pages came
 * shorter, what was sent ahead is dropped and reading continues at the cursor.
 */
function createReadAhead(source: PageSource) {
  const { concurrency } = source;
  let cursor: PageCursor | null = null;
  let frame = '';
  /** Records of the frame before the present cursor. */
  let offset = 0;
  let overlap = minOverlap;
  let rows = source.rowsBefore;
  let total: number | null = null;
  let mayReadAhead = concurrency > 1;
  /** Requests at a time now: one until a page came full, and again after requests were dropped. */
  let depth = 1;
  /** Whether pages have joined so far: then nothing has to wait for a full one. */
  let hasJoined = true;
  let ahead: PageRequest[] = [];
  let head: { readonly start: number; readonly expected: number } = { start: 0, expected: 0 };
  void source.total.then((count) => {
    total = count;
    if (cursor) fill(cursor);
  });

  function drop(): void {
    if (ahead.length === 0) return;
    for (const { stop } of ahead) stop.abort();
    ahead = [];
    depth = 1;
    hasJoined = false;
  }

  function enter(at: PageCursor): void {
    if (frameOf(at) !== frame) {
      drop();
      depth = 1;
      frame = frameOf(at);
      offset = 0;
    }
    if (at.at === 'run') offset = at.skip;
  }

  function request(at: PageCursor, start: number): PageRequest {
    const stop = new AbortController();
    const { current: limit, expected } = source.limit;
    const answer = fetchPage(source, at, { skip: start - offset, limit, stop: stop.signal });
    // It is looked at when its turn comes; until then, or if it is dropped, a failure must not count as unhandled.
    answer.catch(() => undefined);
    return { start, expected, answer, stop };
  }

  const isUsable = (at: PageCursor, { start }: PageRequest): boolean =>
    at.at === 'window' ? start < offset : start === offset && readsOn(at);

  function fill(at: PageCursor): void {
    if (!mayReadAhead || (at.at === 'run' && at.step !== 'plain' && !readsOn(at))) return;
    const left = total !== null && (at.at === 'window' || at.of === 'all') ? total - rows : null;
    if (hasJoined && left !== null && left > head.expected) depth = concurrency;
    while (ahead.length + 1 < depth) {
      const before = ahead.at(-1) ?? head;
      const shared = at.at === 'window' ? Math.min(overlap, Math.max(1, before.expected >> 1)) : 1;
      const start = before.start + before.expected - shared;
      if (left !== null && start - offset >= left) source.onLastRequest?.();
      if (start <= before.start || (left !== null && start - offset >= left)) return;
      ahead.push(request(at, start));
    }
  }

  /**
   * The answer for a cursor: of a request that was sent ahead, where one fits, else of a new one. Further requests are
   * sent meanwhile.
   * @throws AppError
   */
  async function answerFor(at: PageCursor): Promise<PageAnswer | GiveUp> {
    enter(at);
    if (ahead[0] && !isUsable(at, ahead[0])) drop();
    const sentAhead = ahead.shift();
    const sent = sentAhead ?? request(at, offset);
    head = sent;
    cursor = at;
    fill(at);
    try {
      const fetched = await sent.answer;
      if (!('giveUp' in fetched)) {
        head = { ...sent, expected: Math.min(sent.expected, fetched.limit) };
        return sentAhead ? { ...fetched, at, overlaps: at.at === 'window' } : { ...fetched, overlaps: false };
      }
      if (!sentAhead) return fetched;
    } catch (error) {
      if (!sentAhead || !isAppError(error, 'refused')) throw error;
    }
    // The service refuses what only a request sent ahead asks for.
    drop();
    mayReadAhead = false;
    return answerFor(at);
  }

  return {
    answerFor,
    /** Takes note of the page that was written from the last answer. */
    advance({ records, added, passed }: WrittenPage): void {
      rows += added;
      cursor = null;
      if (frame === 'window') offset = head.start + passed;
      if (passed > 0) overlap = Math.max(minOverlap, 2 * (records - passed) + 1);
      if (records >= head.expected) depth = Math.min(concurrency, depth * 2);
    },
    /** Drops all requests that were sent ahead: the next page is requested at its cursor. */
    drop,
  };
}
