import { runForEach } from '../../../shared/lists.ts';

/** Files that are open at a time: a process may have few descriptors. */
const maxConcurrent = 16;

/** The results of work with files, in order, for a bounded number of items at a time. @throws the first error of `work` */
export async function mapBounded<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const results = Array.from<R>({ length: items.length });
  await runForEach(items.entries(), maxConcurrent, async ([at, item]) => {
    results[at] = await work(item);
  });
  return results;
}
