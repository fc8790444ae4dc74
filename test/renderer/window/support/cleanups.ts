/** What to close after the test, in reverse order. */
export const cleanups: (() => unknown)[] = [];

/** Closes all of it despite errors; then throws the first error. */
export async function closeAll(): Promise<void> {
  const failures: unknown[] = [];
  for (const close of cleanups.splice(0).reverse())
    try {
      await close();
    } catch (error) {
      failures.push(error);
    }
  if (failures.length > 0) throw failures[0];
}
