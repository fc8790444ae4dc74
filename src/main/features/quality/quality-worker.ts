import { parentPort } from 'node:worker_threads';
import { nodePort, serve } from '../../../shared/threads.ts';
import type { QualityReport } from '../../../shared/quality/report.ts';
import { appErrorFrom } from '../../core/files/file-errors.ts';
import { createPathTree } from '../../core/records/path-tree.ts';
import type { PageOutcome } from '../../core/write/spec.ts';
import type { WindowRule } from '../../core/paging/rule.ts';
import { checkFile, type FileCheckRequest } from './check-file.ts';
import { createRecordCheck, type RecordCheck } from './check-records.ts';
import { createComparisonCalls } from './comparison-thread.ts';
import { PageReader, type PageToRead } from './page-reader.ts';
import type { CheckSpec } from './plan.ts';

// The thread that checks records, so the main thread never stalls.

let check: RecordCheck | null = null;
let pages: PageReader | null = null;

const calls = {
  /** Starts a check of the pages of a dataset. */
  open({ spec, rule }: { readonly spec: CheckSpec; readonly rule: WindowRule | null }): void {
    const tree = createPathTree();
    const records = createRecordCheck(spec, tree);
    check = records;
    pages = new PageReader({ rule, tree, take: (page, at) => records.add(page, at) });
  },
  add(page: PageToRead): PageOutcome {
    if (!pages) throw new Error('the check is not open');
    return pages.add(page);
  },
  report(): QualityReport {
    if (!check) throw new Error('the check is not open');
    return check.report();
  },
  /** Checks a whole file. */
  file: (request: FileCheckRequest): QualityReport => checkFile(request),
  ...createComparisonCalls(),
};
export type QualityCalls = typeof calls;

if (parentPort) serve(nodePort(parentPort), calls, appErrorFrom);
