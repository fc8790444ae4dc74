import type { PageSource } from './pages.ts';
import type { WindowCursor } from './paging/cursor.ts';
import { fieldsFor, requestAt } from './paging/request.ts';
import type { WindowRule } from './paging/rule.ts';
import { createKeyReader, strideOf, usableSeams, windowFrom } from './paging/seams.ts';

/** A place where a band ends and the next one begins, and how many records a page of that one is asked for. */
export interface Seam {
  readonly value: string;
  readonly limit: number;
}

export interface SeamFinder {
  /** The next seam; null when there is none behind the last one, or when it can't be found out. Never rejects. */
  readonly next: () => Promise<Seam | null>;
}

export interface SeamSearch {
  readonly source: PageSource;
  readonly rule: WindowRule;
  readonly from: WindowCursor;
  /** How many records a page holds; null: as many as are asked for. */
  readonly cap: number | null;
  /** How many seams are looked for at a time. */
  readonly atATime: number;
}

/**
 * Finds the seams by which records are cut into bands of one page each: the values that stand so many records behind
 * the last seam, asked for several at a time. They only say where to cut; nothing depends on their being exact.
 */
export function createSeamFinder({ source, rule, from, cap, atATime }: SeamSearch): SeamFinder {
  const { find, wanted, signal } = source;
  const keyIn = createKeyReader(rule.field);
  const limitNow = (): number => Math.min(source.limit.current, cap ?? Number.POSITIVE_INFINITY);
  let base: { readonly cursor: WindowCursor; readonly value: string | null } = { cursor: from, value: null };
  let looking: Promise<void> | null = null;
  const ready: Seam[] = [];
  let ended = false;

  async function look(): Promise<void> {
    const limit = limitNow();
    const stride = strideOf(limit);
    const found = stride < 1 ? [] : await firstValues(stride);
    const values = usableSeams(rule, found, base.value);
    ended = values.length < atATime;
    const last = values.at(-1);
    if (last !== undefined) base = { cursor: windowFrom(rule, last), value: last };
    ready.push(...values.map((value) => ({ value, limit })));
  }

  async function firstValues(stride: number) {
    const { query, sort } = requestAt(wanted, rule, base.cursor);
    const fields = fieldsFor(['_id'], rule.field);
    return Promise.all(
      Array.from({ length: atATime }, async (_, nth) => {
        const request = { query, sort, fields, limit: 1, skip: stride * (nth + 1) };
        return keyIn(await find(request, { signal }));
      }),
    );
  }

  // It looks while others are still at hand, so that nobody waits for a round trip. What can't be found out only costs
  // speed: the last band goes on to the end.
  const lookAhead = (): void => {
    if (looking || ended || ready.length >= atATime) return;
    looking = look()
      .catch(() => void (ended = true))
      .finally(() => (looking = null));
  };

  return {
    async next() {
      for (;;) {
        const seam = ready.shift();
        lookAhead();
        if (seam) return seam;
        if (!looking) return null;
        await looking;
      }
    },
  };
}
