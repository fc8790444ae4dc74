/**
 * The items of a source, each handed out while the next one is being fetched. An error comes when its item's turn does.
 * Whoever stops early must stop the source by its own means: one item is under way.
 * @param first the source's first item, where it was asked for already
 */
export async function* readAhead<T>(
  source: AsyncIterator<T, void>,
  first = source.next(),
): AsyncGenerator<T, void> {
  let coming = first;
  for (;;) {
    const { done, value } = await coming;
    if (done) return;
    coming = source.next();
    // Handled when it is awaited; until then, or if it never is, it must not count as unhandled.
    coming.catch(() => undefined);
    yield value;
  }
}
