import { parentPort } from 'node:worker_threads';
import { nodePort, serve } from '../../shared/threads.ts';
import type { QualityReport } from '../../shared/quality/report.ts';
import { appErrorFrom } from '../files/file-errors.ts';
import type { ReadPosition } from '../paging/cursor.ts';
import type { WindowRule } from '../paging/rule.ts';
import type { PageOutcome, ResponseOrigin } from '../export/writing/spec.ts';
import { checkFile, type FileCheckRequest } from './check-file.ts';
import { PageCheck } from './page-check.ts';
import type { CheckSpec } from './plan.ts';

// The thread that checks records, so the main thread never stalls.

let pages: PageCheck | null = null;

function openPages(): PageCheck {
  if (!pages) throw new Error('the check is not open');
  return pages;
}

export interface PageToCheck {
  readonly at: ReadPosition;
  readonly content: Uint8Array<ArrayBuffer>;
  readonly origin: ResponseOrigin;
}

const calls = {
  /** Starts a check of the pages of a dataset. */
  open(options: { readonly spec: CheckSpec; readonly rule: WindowRule | null }): void {
    pages = new PageCheck(options);
  },
  add: ({ at, content, origin }: PageToCheck): PageOutcome => openPages().add(at, content, origin),
  report: (): QualityReport => openPages().report(),
  /** Checks a whole file. */
  file: (request: FileCheckRequest): QualityReport => checkFile(request),
};
export type QualityCalls = typeof calls;

if (parentPort) serve(nodePort(parentPort), calls, appErrorFrom);
