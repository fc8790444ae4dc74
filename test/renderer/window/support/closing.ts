/** What is closed after the test, the last first. */
export const closing: (() => unknown)[] = [];

/** Closes all of it, whatever fails; then throws what failed first. */
export async function closeAll(): Promise<void> {
  const failures: unknown[] = [];
  for (const close of closing.splice(0).reverse())
    try {
      await close();
    } catch (error) {
      failures.push(error);
    }
  if (failures.length > 0) throw failures[0];
}
