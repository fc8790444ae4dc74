/** The value of a promise that the first call starts. */
interface Once<T> {
  (): Promise<T>;
  /** Null: it wasn't called. */
  started(): Promise<T> | null;
}

/** Loads a value on its first use. */
export function once<T>(load: () => Promise<T>): Once<T> {
  let loaded: Promise<T> | null = null;
  return Object.assign(() => (loaded ??= load()), { started: () => loaded });
}
