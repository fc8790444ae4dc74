import type { PageSource } from './pages.ts';
import type { WindowCursor } from './paging/cursor.ts';
import { cutEvenly, evenStep } from './paging/evenly.ts';
import { fieldsFor, requestAt } from './paging/request.ts';
import type { WindowRule } from './paging/rule.ts';
import { createKeyReader, strideOf, usableSeams, windowFrom } from './paging/seams.ts';

/**
 * A place where a band ends and the next one begins, and how many records a page of that one is asked for; null: not
 * known, because where it ends is still to be found.
 */
export interface Seam {
  readonly value: string;
  readonly limit: number | null;
}

/** Records differ a little in size. Bands keep their length for that: one longer than its page would cost a round trip. */
const noticeable = 1.25;

export interface SeamFinder {
  /** How many records a page is asked for where a seam does not say it. */
  readonly limit: () => number;
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
  let usual = 0;
  const limitNow = (): number => {
    const now = Math.min(source.limit.current, cap ?? Number.POSITIVE_INFINITY);
    if (now > usual * noticeable || now * noticeable < usual) usual = now;
    return usual;
  };
  let base: { readonly cursor: WindowCursor; readonly value: string | null } = { cursor: from, value: null };
  let looking: Promise<void> | null = null;
  /** From one record to the next; null: they don't follow one another evenly. */
  let step: number | null = null;
  const ready: Seam[] = [];
  let ended = false;

  async function look(): Promise<void> {
    const limit = limitNow();
    const stride = strideOf(limit);
    const found = stride < 1 ? [] : await valuesBehind(stride);
    const values = usableSeams(rule, found, base.value);
    ended = values.length < atATime;
    const last = values.at(-1);
    if (last !== undefined) base = { cursor: windowFrom(rule, last), value: last };
    ready.push(...values.map((value) => ({ value, limit: value === last ? null : limit })));
  }

  /** The value that stands so many records behind the last seam. */
  async function valueBehind(skip: number): Promise<string | null | undefined> {
    const { query, sort } = requestAt(wanted, rule, base.cursor);
    const fields = fieldsFor(['_id'], rule.field);
    return keyIn(await find({ query, sort, fields, limit: 1, skip }, { signal }));
  }

  /**
   * Each is asked for, unless records follow one another evenly: then the last one tells of those before it, and the
   * link and the service have a fourth of these requests.
   */
  async function valuesBehind(stride: number): Promise<readonly (string | null | undefined)[]> {
    const { value = null } = base.cursor.bound ?? {};
    const last = valueBehind(stride * atATime);
    const cuts = step === null ? null : cutEvenly(value, await last, { parts: atATime, stride, step });
    if (cuts) return cuts;
    const others = Array.from({ length: atATime - 1 }, (_, nth) => valueBehind(stride * (nth + 1)));
    const found = await Promise.all([...others, last]);
    step = evenStep(value, found, stride);
    return found;
  }

  // It looks while others are still at hand, so that nobody waits for a round trip. What can't be found out only costs
  // speed: the last band goes on to the end.
  const lookAhead = (): void => {
    if (looking || ended || ready.length > atATime) return;
    looking = look()
      .catch(() => void (ended = true))
      .finally(() => (looking = null));
  };

  return {
    limit: limitNow,
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
