/**
 * Adds items at the end of a list, one by one: passed as arguments of `push`, about 120,000 of them overflow the stack.
 * @param list is changed
 * @param items of any number
 */
export function append<T>(list: T[], items: Iterable<T>): void {
  for (const item of items) list.push(item);
}

/** How often a page is requested again because records were inserted before it; a growing dataset may never be stable. */
export const maxRepeats = 3;

/**
 * The number of records at the start of a page that the page before contained: as many were inserted before it. Without
 * ids, none counts as repeated.
 * @param before the ids of the page before
 * @param ids those of the page
 * @returns 0 to the number of `ids`
 */
export function countRepeated(before: readonly unknown[], ids: readonly unknown[]): number {
  const seen = new Set(before.filter((id) => typeof id === 'string'));
  const end = ids.findIndex((id) => typeof id !== 'string' || !seen.has(id));
  return end === -1 ? ids.length : end;
}

/**
 * The smallest of any number of values; passed as arguments of `Math.min`, about 120,000 of them overflow the stack.
 * @returns Infinity for none, NaN if one of them is NaN
 */
export function minOf(values: Iterable<number>): number {
  let min = Infinity;
  for (const value of values) min = Math.min(min, value);
  return min;
}

/**
 * The largest of any number of values; passed as arguments of `Math.max`, about 120,000 of them overflow the stack.
 * @returns -Infinity for none, NaN if one of them is NaN
 */
export function maxOf(values: Iterable<number>): number {
  let max = -Infinity;
  for (const value of values) max = Math.max(max, value);
  return max;
}

/** The first entries of a list as text, and the number of the others: `a, b and 3 more`. */
export function firstInWords(texts: readonly string[], maxShown = 10): string {
  const more = texts.length - maxShown;
  return texts.slice(0, maxShown).join(', ') + (more > 0 ? ` and ${more} more` : '');
}

/**
 * Runs work for each item, several at a time. After a failure no further item is begun.
 * @param maxRunning number of items at a time
 * @throws the first error of the work
 */
export async function runForEach<T>(
  items: Iterable<T>,
  maxRunning: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  // A generator ends for all loops when an error leaves one of them; those of lists continue.
  const rest = (function* () {
    yield* items;
  })();
  const run = async (): Promise<void> => {
    for (const item of rest) await work(item);
  };
  await Promise.all(Array.from({ length: maxRunning }, run));
}

/** The results of work for each item, in their order, several at a time. @throws the first error of the work */
export async function mapEach<T, R>(
  items: readonly T[],
  maxRunning: number,
  work: (item: T) => Promise<R>,
): Promise<R[]> {
  const results = Array.from<R>({ length: items.length });
  await runForEach(items.entries(), maxRunning, async ([at, item]) => {
    results[at] = await work(item);
  });
  return results;
}

/** A number with what is counted: `1 row`, `2 rows`. @param many also for 0 */
export const countInWords = (count: number, single: string, many: string): string =>
  `${count} ${count === 1 ? single : many}`;

/** A number of rows as text. */
export const rowsInWords = (count: number): string => countInWords(count, 'row', 'rows');
