import type { QualityReport } from '../../../shared/quality/report.ts';
import { serveUses } from '../../world/threads.ts';
import { appErrorFrom } from '../../core/files/file-errors.ts';
import { createPathTree } from '../../core/records/path-tree.ts';
import { IdsInMemory, PageReader, type PageOutcome, type PageToRead } from '../../core/reading/pages.ts';
import type { WindowRule } from '../../core/reading/cursor.ts';
import { checkFile, type FileCheckRequest } from './check-file.ts';
import { createRecordCheck, type RecordCheck } from './check-records.ts';
import { createComparisonCalls } from './comparison-thread.ts';
import type { CheckSpec } from './plan.ts';

// The thread that checks records, so the main thread never stalls.

function createQualityCalls() {
  let opened: { readonly check: RecordCheck; readonly pages: PageReader } | null = null;

  function openCheck(): NonNullable<typeof opened> {
    if (!opened) throw new Error('the check is not open');
    return opened;
  }

  return {
    /** Starts a check of the pages of a dataset. */
    open({ spec, rule }: { readonly spec: CheckSpec; readonly rule: WindowRule | null }): void {
      const tree = createPathTree();
      opened = {
        check: createRecordCheck(spec, tree),
        pages: new PageReader({ rule, tree, ids: new IdsInMemory() }),
      };
    },
    read: (page: PageToRead): PageOutcome => openCheck().pages.read(page),
    /** Checks the records of the page that was read last. */
    check(): void {
      const { check, pages } = openCheck();
      pages.use(({ page, records }) => check.add(page, records));
    },
    report: (): QualityReport => openCheck().check.report(),
    file: (request: FileCheckRequest): QualityReport => checkFile(request),
    ...createComparisonCalls(),
  };
}
export type QualityCalls = ReturnType<typeof createQualityCalls>;

serveUses(createQualityCalls, appErrorFrom);
