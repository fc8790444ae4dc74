import { advancePage, type RunIds } from '../../core/paging/advance.ts';
import type { ReadPosition, RunCursor } from '../../core/paging/cursor.ts';
import { createIdSet, type IdSet } from '../../core/paging/id-set.ts';
import type { WindowRule } from '../../core/paging/rule.ts';
import type { PathTree } from '../../core/records/path-tree.ts';
import { keysOf, RecordScanner, type ScannedPage } from '../../core/records/scan.ts';
import { noMarks } from '../../core/write/sink.ts';
import type { PageOutcome, ResponseOrigin } from '../../core/write/spec.ts';

/** The ids of the current run: a check isn't resumed, so they need no file. */
class IdsInMemory implements RunIds {
  count = 0;
  #run: { readonly from: number; readonly set: IdSet } | null = null;

  idsOf({ idsFrom, seen, skip }: RunCursor): IdSet {
    const isStart = seen === 0 && skip === 0;
    if (isStart || this.#run?.from !== idsFrom) this.#run = { from: idsFrom, set: createIdSet() };
    return this.#run.set;
  }
}

export interface PageToRead {
  readonly at: ReadPosition;
  readonly content: Uint8Array<ArrayBuffer>;
  readonly origin: ResponseOrigin;
}

interface PageReaderOptions {
  readonly rule: WindowRule | null;
  readonly tree: PathTree;
  /** Called with the new records of each page, in order. The page is valid until it returns. */
  readonly take: (page: ScannedPage, records: readonly number[]) => void;
}

/** Reads the pages of a dataset once, as an export does, and passes their records on instead of writing them. */
export class PageReader {
  readonly #rule: WindowRule | null;
  readonly #scanner: RecordScanner;
  readonly #take: PageReaderOptions['take'];
  readonly #ids = new IdsInMemory();
  #rows = 0;

  constructor({ rule, tree, take }: PageReaderOptions) {
    this.#rule = rule;
    this.#scanner = new RecordScanner({ tree, keyField: rule?.field ?? null });
    this.#take = take;
  }

  /**
   * Takes the records of a page; none if the page is detached or windows don't work.
   * @throws AppError `bad_answer` when the content isn't an array of records
   */
  add({ at, content, origin: { overlaps, endsBelow } }: PageToRead): PageOutcome {
    const page = this.#scanner.scanArray(content);
    try {
      const origin = { overlaps, isLastPage: page.count < endsBelow, ids: this.#ids };
      const step = advancePage(this.#rule, at, keysOf(page), origin);
      if (!('emit' in step)) return step;
      const { emit, next, recordsBeforeNext = 0 } = step;
      this.#take(page, emit);
      if (at.at === 'run') this.#ids.count += emit.length;
      this.#rows += emit.length;
      return {
        checkpoint: { rows: this.#rows, ids: this.#ids.count, marks: noMarks, cursor: next, durable: false },
        addedRows: emit.length,
        records: page.count,
        recordsBeforeNext,
      };
    } finally {
      this.#scanner.release(page);
    }
  }
}
