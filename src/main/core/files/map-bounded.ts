/** Files that are open at a time: a process may have few descriptors. */
const maxConcurrent = 16;

/** The results of work with files, in order, for a bounded number of items at a time. @throws the first error of `work` */
export async function mapBounded<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const results = Array.from<R>({ length: items.length });
  const queue = items.entries();
  const workers = Array.from({ length: Math.min(maxConcurrent, items.length) }, async () => {
    // The iterator is shared, so that each item is taken once.
    for (const [at, item] of queue) results[at] = await work(item);
  });
  await Promise.all(workers);
  return results;
}
