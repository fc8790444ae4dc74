import { AppError } from '../../../shared/errors/errors.ts';
import { type Cursor, type ReadPosition, type RunCursor, endCursor, isStartOfRun } from '../paging/cursor.ts';
import { createIdSet, idKey, type IdSet } from '../paging/id-set.ts';
import type { WindowRule, PageOrigin, PageStep } from '../paging/rule.ts';
import type { PathTree } from '../records/path-tree.ts';
import { RecordScanner } from '../records/scan.ts';
import { idOf, keysOf, type PageKeys, type ScannedPage } from '../records/scanned-page.ts';
import { advanceRun } from '../paging/runs.ts';
import { advanceWindow } from '../paging/windows.ts';
import { tooManyRecords } from '../wire/services/checks.ts';

/** A response, and how it was requested. */
export interface PageToRead {
  readonly at: ReadPosition;
  readonly content: Uint8Array<ArrayBuffer>;
  readonly origin: ResponseOrigin;
}

/**
 * The origin of a response. `requested`: the limit of the request; absent: it had none. `overlaps`: it was requested
 * from before the cursor. `endsBelow`: a page with fewer records than this is the last one. `endsAt`: a page with
 * exactly this many is the last one, too.
 */
export interface ResponseOrigin {
  readonly requested?: number;
  readonly overlaps: boolean;
  readonly endsBelow: number;
  readonly endsAt?: number | null;
}

/** A page that was read, and where the next one starts. */
export interface ReadPage {
  readonly cursor: Cursor;
  /** Number of its records that are new. */
  readonly added: number;
  readonly records: number;
  /** Number of records before the next cursor. */
  readonly recordsBeforeNext: number;
}

/** Why windows don't work. */
export interface WindowFallback {
  readonly fallbackReason: string;
}

/** The result of a page: read, or nothing of it is used. */
export type PageOutcome = ReadPage | WindowFallback | { readonly isDetached: true };

/**
 * Reads a page in the thread that has the {@link PageReader}, where its records stay until they are used.
 * @throws AppError `bad_answer`
 */
export type ReadInThread = (
  page: PageToRead,
  options: { readonly transfer: readonly ArrayBuffer[] },
) => Promise<PageOutcome>;

/** Records in the memory of the page that has them. */
export interface Batch {
  readonly page: ScannedPage;
  readonly records: readonly number[];
}

/** The ids of runs, by which records that come again are recognized. */
export interface RunIds {
  /** Number of ids of all runs so far, where the next run starts. */
  readonly count: number;
  idsOf(run: RunCursor): IdSet;
  append(keys: readonly Buffer[]): void;
}

/** Ids of the current run, for a read that isn't resumed. */
export class IdsInMemory implements RunIds {
  count = 0;
  #run: { readonly from: number; readonly set: IdSet } | null = null;

  idsOf(run: RunCursor): IdSet {
    const { idsFrom } = run;
    if (isStartOfRun(run) || this.#run?.from !== idsFrom) this.#run = { from: idsFrom, set: createIdSet() };
    return this.#run.set;
  }

  append(keys: readonly Buffer[]): void {
    this.count += keys.length;
  }
}

interface PageReaderOptions {
  readonly rule: WindowRule | null;
  readonly tree: PathTree;
  readonly ids: RunIds;
  /** Changes the text of a page before it is read. */
  readonly edit?: ((content: string | Uint8Array) => string | Uint8Array) | null;
}

/**
 * Finds the records of a dataset in its pages, each once and in order. It is synchronous, and runs in the thread that
 * uses the records.
 */
export class PageReader {
  readonly #scanner: RecordScanner;
  readonly #options: PageReaderOptions;
  #page: ScannedPage | null = null;
  /** What is new in the page; null: nothing. */
  #batch: Batch | null = null;

  constructor(options: PageReaderOptions) {
    this.#options = options;
    this.#scanner = new RecordScanner({ tree: options.tree, keyField: options.rule?.field ?? null });
  }

  /**
   * Reads a page; its records stay until they are used.
   * @param hasValues whether the positions of all values are needed, or only those of records
   * @throws AppError `bad_answer` when the content isn't an array of records, or has more than requested
   */
  read({ at, content, origin }: PageToRead, hasValues = true): PageOutcome {
    this.#release();
    const { rule, ids, edit } = this.#options;
    this.#scanner.withLeaves = hasValues;
    const page = this.#scanner.scanArray(edit?.(content) ?? content);
    this.#page = page;
    const { requested, overlaps, endsBelow, endsAt = null } = origin;
    if (requested !== undefined && page.count > requested)
      throw new AppError('bad_answer', { service: 'data', problem: tooManyRecords(page.count, requested) });
    const isLastPage = page.count < endsBelow || page.count === endsAt;
    const step = advancePage(rule, at, keysOf(page), { overlaps, isLastPage, ids });
    if (!('emit' in step)) {
      this.#release();
      return step;
    }
    const { emit, next, recordsBeforeNext = 0 } = step;
    if (at.at === 'run') ids.append(emit.map((record) => idKey(idOf(page, record))));
    if (emit.length > 0) this.#batch = { page, records: emit };
    return { cursor: next, added: emit.length, records: page.count, recordsBeforeNext };
  }

  /** Uses the new records of the page that was read last, if it has any; its memory is reused then. */
  use(take: (batch: Batch) => void): void {
    if (this.#batch) take(this.#batch);
    this.#release();
  }

  /** Frees the memory of a page at once: left to the garbage collector, dozens would accumulate. */
  #release(): void {
    const page = this.#page;
    this.#page = null;
    this.#batch = null;
    if (!page) return;
    this.#scanner.release(page);
    const { buffer, byteLength } = page.bytes;
    if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) buffer.transfer(0);
  }
}

/** Advances a position by a page. */
function advancePage(
  rule: WindowRule | null,
  at: ReadPosition,
  keys: PageKeys,
  { ids, ...origin }: PageOrigin & { readonly ids: RunIds },
): PageStep<Cursor> {
  if (at.at === 'whole') return { emit: [...Array(keys.count).keys()], next: endCursor };
  if (at.at === 'run') return advanceRun(rule, at, keys, ids.idsOf(at), origin);
  if (rule === null) return { fallbackReason: 'no field can divide the records into ranges' };
  return advanceWindow(rule, at, keys, { ids: ids.count, ...origin });
}
