import type { Cursor, WindowCursor } from './paging/cursor.ts';
import type { WindowRule } from './paging/rule.ts';
import { windowFrom } from './paging/seams.ts';
import { pageAt, pagesFrom, pagesOf, type GiveUp, type PageSource, type TakenPage } from './pages.ts';
import { readAhead } from './read-ahead.ts';
import { createSeamFinder, type Seam, type SeamFinder } from './seam-finder.ts';

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
  const bands = [openBand(inside, from, seams, Math.min(source.limit.current, cap ?? Infinity))];
  let extending = extend(bands, { inside, rule, seams, concurrency });
  try {
    for (let head = bands[0]; head; head = bands[0]) {
      let last: TakenPage | null = null;
      for await (const page of readAhead(head.pages, head.first)) {
        yield page;
        if ('giveUp' in page) return null;
        last = page;
      }
      bands.shift();
      if (!last?.met) return null;
      if (bands.length === 0) await extending;
      if (!(await joins(last.met, bands[0]))) return last.next;
      extending = extending.then(() => extend(bands, { inside, rule, seams, concurrency }));
    }
    return null;
  } finally {
    stop.abort();
    await extending;
    await Promise.all(bands.map((band) => dropBand(source, band)));
  }
}

function openBand(source: PageSource, from: WindowCursor, seams: SeamFinder, limit: number): Band {
  const seam = seams.next();
  const pages = pagesOf(source, { from, seam: seam.then((found) => found?.value ?? null), limit });
  const first = pages.next();
  // It is looked at when the band's turn comes; until then it must not count as unhandled.
  first.catch(() => undefined);
  return { pages, first, seam };
}

interface Extending {
  readonly inside: PageSource;
  readonly rule: WindowRule;
  readonly seams: SeamFinder;
  readonly concurrency: number;
}

/** Opens bands until as many as may be are open, or no seam is left. */
async function extend(bands: Band[], { inside, rule, seams, concurrency }: Extending): Promise<void> {
  while (bands.length < concurrency && !inside.signal.aborted) {
    const seam = await bands.at(-1)?.seam;
    if (!seam) return;
    bands.push(openBand(inside, windowFrom(rule, seam.value), seams, seam.limit));
  }
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
