interface MemoryPage {
  /** Its size in bytes of JSON. */
  readonly bytes: number;
  /** When it was used last; a higher number is later. */
  used: number;
}

/** The pages of one result. */
interface MemoryOwner<Page extends MemoryPage = MemoryPage> {
  readonly pages: () => readonly Page[];
  /** Whether its pages can be loaded again. */
  readonly isReloadable: boolean;
  /** Whether its tab is in view. */
  readonly isVisible: () => boolean;
  readonly evict: (pages: ReadonlySet<MemoryPage>) => void;
  /** What it holds besides pages, in bytes; absent: nothing. */
  readonly otherBytes?: () => number;
}

/** The memory of all results of a window. */
export type RecordsMemory = ReturnType<typeof createMemory>;

/**
 * The memory that all results of a window share. Beyond its maximum, pages are evicted: those of hidden tabs first, and
 * then the least recently used ones.
 * @param maxBytes in bytes of JSON; the page that was added last stays, and so do pages that can't be loaded again
 */
export function createMemory(maxBytes: number) {
  const owners = new Set<MemoryOwner>();
  let uses = 0;
  return {
    nextUse: (): number => (uses += 1),
    /** Adds a result. @returns removes it */
    join(owner: MemoryOwner): () => void {
      owners.add(owner);
      return () => void owners.delete(owner);
    },
    /** The size of all pages in bytes of JSON, and of what is held besides them. */
    size: (): number =>
      [...owners].reduce(
        (sum, { pages, otherBytes }) =>
          pages().reduce((pageSum, { bytes }) => pageSum + bytes, sum + (otherBytes?.() ?? 0)),
        0,
      ),
    /** Evicts pages until all fit, except for one. */
    trim(added: MemoryPage): void {
      let bytes = this.size();
      if (bytes <= maxBytes) return;
      const inOrder = [...owners]
        .filter(({ isReloadable }) => isReloadable)
        .flatMap((owner) => owner.pages().map((page) => ({ owner, page, isVisible: owner.isVisible() })))
        .filter(({ page }) => page !== added)
        .toSorted((a, b) => Number(a.isVisible) - Number(b.isVisible) || a.page.used - b.page.used);
      const evicted = new Set<MemoryPage>();
      for (const { page } of inOrder) {
        if (bytes <= maxBytes) break;
        evicted.add(page);
        bytes -= page.bytes;
      }
      for (const owner of owners) owner.evict(evicted);
    },
  };
}
