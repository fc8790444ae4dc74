import { isAppError } from '../../shared/errors/errors.ts';
import { fetchPage, type Fetched, type PageRequests } from './fetch-page.ts';
import type { PageCursor, RunCursor } from '../paging/cursor.ts';
import type { WrittenPage } from './writing/spec.ts';

/** A request for a page. */
interface PageRequest {
  /** How many records of the frame lie before its page. */
  readonly start: number;
  /** Records that its page is expected to have. */
  readonly expected: number;
  readonly answer: Promise<Fetched>;
  readonly stop: AbortController;
}

/** The answer that the page at a cursor is taken from. `overlaps`: it was asked for from before the cursor. */
export type PageAnswer = Fetched & { readonly overlaps: boolean };

export interface ReadAhead {
  /**
   * The answer for a cursor: of a request that was sent ahead, where one fits, else of a new one. Further requests are
   * sent meanwhile.
   * @throws AppError
   */
  answerFor(at: PageCursor): Promise<PageAnswer>;
  /** Takes note of the page that was written from the last answer. */
  advance(page: WrittenPage): void;
  /** Drops all requests that were sent ahead: the next page is asked for at its cursor. */
  drop(): void;
}

/** Records that neighbouring pages share at least. */
const minOverlap = 4;

/** What must be the same for two cursors for positions to be counted from one origin. */
const frameOf = (at: PageCursor): string =>
  at.at === 'window' ? 'window' : JSON.stringify([at.of, at.by, at.value, at.bound, at.tie]);

/** Runs begin with one record that is known already; only a page that is read so can be asked for ahead. */
const readsOn = ({ step }: RunCursor): boolean => step === 'overlap';

/**
 * Keeps several requests for pages under way. A page is asked for at the cursor that is known by then, and as many
 * records further (`skip`) as the pages before it will hold; each begins a few records before the end of the page before
 * it. Whether it joins that page is for the writer to see: where it does not, because records went or pages came
 * shorter, what was sent ahead is dropped and reading goes on from the cursor.
 * @param concurrency requests at a time
 */
export function createReadAhead(source: PageRequests, concurrency: number): ReadAhead {
  let { first } = source;
  let frame = '';
  /** Records of the frame before the present cursor. */
  let offset = 0;
  let overlap = minOverlap;
  let rows = source.rowsBefore;
  let mayReadAhead = concurrency > 1;
  /** Requests at a time now: one until a page came full, and again after requests were dropped. */
  let depth = 1;
  /** Whether pages have joined so far: then nothing has to wait for a full one. */
  let hasJoined = true;
  let ahead: PageRequest[] = [];
  let head: { readonly start: number; readonly expected: number } = { start: 0, expected: 0 };

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
    const skip = start - offset;
    const { current: asked, expected } = source.limit;
    const answer = first ?? fetchPage(source, at, { skip, asked, stop: stop.signal });
    first = undefined;
    // It is looked at when its turn comes; until then, or if it is dropped, a failure must not count as unhandled.
    answer.catch(() => undefined);
    return { start, expected, answer, stop };
  }

  const isUsable = (at: PageCursor, { start }: PageRequest): boolean =>
    at.at === 'window' ? start < offset : start === offset && readsOn(at);

  function fill(at: PageCursor): void {
    if (!mayReadAhead || (at.at === 'run' && at.step !== 'plain' && !readsOn(at))) return;
    const isOverall = at.at === 'window' || at.of === 'all';
    const total = isOverall ? source.total() : null;
    if (hasJoined && total !== null && total - rows > head.expected) depth = concurrency;
    while (ahead.length + 1 < depth) {
      const before = ahead.at(-1) ?? head;
      const shared = at.at === 'window' ? Math.min(overlap, Math.max(1, before.expected >> 1)) : 1;
      const start = before.start + before.expected - shared;
      if (start <= before.start || (total !== null && start - offset >= total - rows)) return;
      ahead.push(request(at, start));
    }
  }

  async function answerFor(at: PageCursor): Promise<PageAnswer> {
    enter(at);
    if (ahead[0] && !isUsable(at, ahead[0])) drop();
    const sentAhead = ahead.shift();
    const sent = sentAhead ?? request(at, offset);
    head = sent;
    fill(at);
    try {
      const fetched = await sent.answer;
      if ('asked' in fetched) head = { ...sent, expected: Math.min(sent.expected, fetched.asked) };
      if (!sentAhead) return { ...fetched, overlaps: false };
      if (!('giveUp' in fetched)) return { ...fetched, at, overlaps: at.at === 'window' };
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
    advance({ records, added, passed }) {
      rows += added;
      if (frame === 'window') offset = head.start + passed;
      if (passed > 0) overlap = Math.max(minOverlap, 2 * (records - passed) + 1);
      if (records >= head.expected) depth = Math.min(concurrency, depth * 2);
    },
    drop,
  };
}
