import type { Cursor, WindowCursor } from './paging/cursor.ts';
import type { WindowRule } from './paging/rule.ts';
import { windowFrom } from './paging/seams.ts';
import { pageAt, pagesFrom, pagesOf, type GiveUp, type PageSource, type TakenPage } from './pages.ts';
import { readAhead } from './read-ahead.ts';
import { createSeamFinder, type Seam, type SeamFinder } from './seam-finder.ts';

/** Bands that are there while others before them are still being fetched, for each that is fetched at a time. */
const heldForEach = 2;

/** So often bands that do not join are put up with. */
const mostMisses = 2;

/**
 * All pages from a cursor on, in order, several of them fetched at a time. The records are cut into bands of about one
 * page; each is read until it comes to a record of the next one, which proves that it is complete, and is joined to it
 * by that record's id. Where bands do not join (records went, or a service rounds what it shows), what was read ahead is
 * dropped and reading goes on page after page. So the result is that of reading in sequence, wherever the cuts are.
 * @throws AppError
 */
export async function* pagesInBands(
  source: PageSource,
  from: Cursor,
  concurrency: number,
): AsyncGenerator<TakenPage | GiveUp, void> {
  const { rule } = source;
  let at = from;
  for (let misses = 0; at.at !== 'end';) {
    if (rule === null || concurrency < 2 || misses >= mostMisses)
      return yield* readAhead(pagesFrom(source, at));
    // One page alone: it shows how many records a page holds.
    const page = await pageAt(source, at);
    yield page;
    if ('giveUp' in page) return;
    at = page.next;
    if (at.at !== 'window' || page.records === 0) continue;
    const cap = page.records < page.asked ? page.records : null;
    const left = yield* throughBands(source, { rule, from: at, cap, concurrency });
    if (left === null) return;
    misses += 1;
    at = left;
  }
}

interface Cut {
  readonly rule: WindowRule;
  readonly from: WindowCursor;
  readonly cap: number | null;
  readonly concurrency: number;
}

interface Band {
  readonly pages: AsyncGenerator<TakenPage | GiveUp, void>;
  /** Asked for as soon as the band is there; the others when its turn comes. */
  readonly first: Promise<IteratorResult<TakenPage | GiveUp, void>>;
  readonly seam: Promise<Seam | null>;
}

/** @returns the cursor to go on from when two bands did not join; null at the end, or after `giveUp` */
async function* throughBands(
  source: PageSource,
  { rule, from, cap, concurrency }: Cut,
): AsyncGenerator<TakenPage | GiveUp, Cursor | null> {
  const stop = new AbortController();
  const inside = { ...source, signal: AbortSignal.any([source.signal, stop.signal]) };
  const seams = createSeamFinder({ source: inside, rule, from, cap, atATime: concurrency });
  const bands = createBands({ inside, rule, seams, concurrency });
  bands.open(from, null);
  try {
    for (let head = bands.head(); head; head = bands.head()) {
      let last: TakenPage | null = null;
      for await (const page of readAhead(head.pages, head.first)) {
        yield page;
        if ('giveUp' in page) return null;
        last = page;
      }
      const next = await bands.next();
      if (!last?.met) return null;
      if (!(await joins(last.met, next))) return last.next;
    }
    return null;
  } finally {
    stop.abort();
    await Promise.all((await bands.left()).map((band) => dropBand(source, band)));
  }
}

interface Opening {
  readonly inside: PageSource;
  readonly rule: WindowRule;
  readonly seams: SeamFinder;
  readonly concurrency: number;
}

/**
 * The bands that are open, in order. So many are fetched at a time; those that are there already do not count, so that
 * the link has always something to do while the first of them is still coming.
 */
function createBands({ inside, rule, seams, concurrency }: Opening) {
  const bands: Band[] = [];
  let coming = 0;
  let extending: Promise<void> = Promise.resolve();
  const hasRoom = (): boolean => coming < concurrency && bands.length < concurrency * heldForEach;

  function open(from: WindowCursor, wanted: number | null): void {
    const seam = seams.next();
    const limit = wanted ?? seams.limit();
    const pages = pagesOf(inside, { from, seam: seam.then((found) => found?.value ?? null), limit });
    const first = pages.next();
    coming += 1;
    // It is looked at when the band's turn comes; until then a failure must not count as unhandled.
    first
      .catch(() => undefined)
      .finally(() => {
        coming -= 1;
        extend();
      });
    bands.push({ pages, first, seam });
    extend();
  }

  async function openMore(): Promise<void> {
    if (!hasRoom()) return;
    const seam = await bands.at(-1)?.seam;
    if (seam && hasRoom() && !inside.signal.aborted) open(windowFrom(rule, seam.value), seam.limit);
  }

  /** Opens another band, if it may; each that is opened or has come leads to a further one. */
  function extend(): void {
    extending = extending.then(openMore);
  }

  return {
    open,
    head: () => bands[0],
    /** Leaves the first one behind. @returns the one after it, if there is any */
    async next(): Promise<Band | undefined> {
      // It was read up to its seam, so that it can be known whether there is another one.
      if (bands.length === 1) {
        extend();
        await extending;
      }
      bands.shift();
      extend();
      return bands[0];
    },
    /** Those that nobody has read, when no further one comes. */
    async left(): Promise<readonly Band[]> {
      await extending;
      return bands;
    },
  };
}

/** Whether a band begins with the record at which the one before it ended. */
async function joins({ value, id }: NonNullable<TakenPage['met']>, band: Band | undefined): Promise<boolean> {
  const first = await band?.first;
  if (!first || first.done || 'giveUp' in first.value) return false;
  const { begins } = first.value;
  return id !== null && begins !== null && begins.value === value && begins.ids.includes(id);
}

async function dropBand(source: PageSource, { first }: Band): Promise<void> {
  const page = await first.catch(() => null);
  if (page && !page.done && !('giveUp' in page.value))
    await source.writer.drop(page.value.page).catch(() => undefined);
}
