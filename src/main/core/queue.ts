/** Runs work one after another, also after work that failed. @returns the result of the work */
export type Queue = <T>(work: () => Promise<T>) => Promise<T>;

/** Creates a queue, which is empty. */
export function createQueue(): Queue {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const result = last.then(work);
    last = result.catch(() => undefined);
    return result;
  };
}
