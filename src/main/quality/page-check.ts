import { endCursor, type Cursor, type ReadPosition, type RunCursor } from '../paging/cursor.ts';
import { createIdSet, type IdSet } from '../paging/id-set.ts';
import type { PageOrigin, PageStep, WindowRule } from '../paging/rule.ts';
import { advanceRun } from '../paging/runs.ts';
import { advanceWindow } from '../paging/windows.ts';
import { createPathTree, keysOf, RecordScanner, type ScannedPage } from '../export/records/scan.ts';
import { noMarks } from '../export/writing/sink.ts';
import type { PageOutcome, ResponseOrigin } from '../export/writing/spec.ts';
import type { QualityReport } from '../../shared/quality/report.ts';
import { createRecordCheck, type RecordCheck } from './check-records.ts';
import type { CheckSpec } from './plan.ts';

/** Reads the pages of a dataset once, as an export does, and checks their records instead of writing them. */
export class PageCheck {
  readonly #rule: WindowRule | null;
  readonly #scanner: RecordScanner;
  readonly #check: RecordCheck;
  /** The ids of the current run. */
  #run: { readonly from: number; readonly set: IdSet } | null = null;
  #ids = 0;
  #rows = 0;

  constructor({ spec, rule }: { readonly spec: CheckSpec; readonly rule: WindowRule | null }) {
    const tree = createPathTree();
    this.#rule = rule;
    this.#scanner = new RecordScanner({ tree, keyField: rule?.field ?? null });
    this.#check = createRecordCheck(spec, tree);
  }

  /**
   * Checks the records of a page. Nothing is checked if the page is detached or windows don't work.
   * @throws AppError `bad_answer` when the content isn't an array of records
   */
  add(at: ReadPosition, content: Uint8Array, { overlaps, endsBelow }: ResponseOrigin): PageOutcome {
    const page = this.#scanner.scanArray(content);
    try {
      const step = this.#advance(at, page, { overlaps, isLastPage: page.count < endsBelow });
      if (!('emit' in step)) return step;
      const { emit, next, recordsBeforeNext = 0 } = step;
      this.#check.add(page, emit);
      if (at.at === 'run') this.#ids += emit.length;
      this.#rows += emit.length;
      return {
        checkpoint: { rows: this.#rows, ids: this.#ids, marks: noMarks, cursor: next },
        isDurable: false,
        addedRows: emit.length,
        records: page.count,
        recordsBeforeNext,
      };
    } finally {
      this.#scanner.release(page);
    }
  }

  report(): QualityReport {
    return this.#check.report();
  }

  #advance(at: ReadPosition, page: ScannedPage, origin: PageOrigin): PageStep<Cursor> {
    if (at.at === 'whole') return { emit: [...Array(page.count).keys()], next: endCursor };
    const keys = keysOf(page);
    if (at.at === 'run') return advanceRun(this.#rule, at, keys, this.#idsOf(at), origin);
    if (this.#rule === null) return { fallbackReason: 'there is no field to cut windows by' };
    return advanceWindow(this.#rule, at, keys, { ids: this.#ids, ...origin });
  }

  #idsOf({ idsFrom, seen, skip }: RunCursor): IdSet {
    const isStart = seen === 0 && skip === 0;
    if (isStart || this.#run?.from !== idsFrom) this.#run = { from: idsFrom, set: createIdSet() };
    return this.#run.set;
  }
}
