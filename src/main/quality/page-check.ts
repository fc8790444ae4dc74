import { advancePage, type RunIds } from '../paging/advance.ts';
import type { ReadPosition, RunCursor } from '../paging/cursor.ts';
import { createIdSet, type IdSet } from '../paging/id-set.ts';
import type { WindowRule } from '../paging/rule.ts';
import { createPathTree } from '../export/records/path-tree.ts';
import { keysOf, RecordScanner } from '../export/records/scan.ts';
import { noMarks } from '../export/writing/sink.ts';
import type { PageOutcome, ResponseOrigin } from '../export/writing/spec.ts';
import type { QualityReport } from '../../shared/quality/report.ts';
import { createRecordCheck, type RecordCheck } from './check-records.ts';
import type { CheckSpec } from './plan.ts';

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

/** Reads the pages of a dataset once, as an export does, and checks their records instead of writing them. */
export class PageCheck {
  readonly #rule: WindowRule | null;
  readonly #scanner: RecordScanner;
  readonly #check: RecordCheck;
  readonly #ids = new IdsInMemory();
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
      const origin = { overlaps, isLastPage: page.count < endsBelow, ids: this.#ids };
      const step = advancePage(this.#rule, at, keysOf(page), origin);
      if (!('emit' in step)) return step;
      const { emit, next, recordsBeforeNext = 0 } = step;
      this.#check.add(page, emit);
      if (at.at === 'run') this.#ids.count += emit.length;
      this.#rows += emit.length;
      return {
        checkpoint: { rows: this.#rows, ids: this.#ids.count, marks: noMarks, cursor: next },
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
}
