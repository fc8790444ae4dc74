import { parentPort } from 'node:worker_threads';
import { nodePort, serve } from '../../../shared/threads.ts';
import { appErrorFrom } from '../files/file-errors.ts';
import type { ReadPosition } from '../paging/cursor.ts';
import { ExportWriter } from './export-writer.ts';
import type { ResponseOrigin, FinishStep, PageOutcome, ProgressMarks, WriterSpec } from './spec.ts';

// The thread that parses, formats, and writes the pages of an export, so the main thread never stalls.

let writer: ExportWriter | null = null;

function openWriter(): ExportWriter {
  if (!writer) throw new Error('the export is not open');
  return writer;
}

/** An {@link ExportWriter} as calls of a thread. */
const calls = {
  /**
   * Opens the files of an export, cut to a checkpoint.
   * @throws AppError `disk_full`, `file_unwritable`
   */
  open({ spec, from }: { readonly spec: WriterSpec; readonly from: ProgressMarks | null }): void {
    calls.close();
    writer = new ExportWriter(spec, from);
  },
  write({ at, content, origin }: PageToWrite): PageOutcome {
    return openWriter().write(at, content, origin);
  },
  flush(): void {
    openWriter().flush();
  },
  restartSpool(): void {
    openWriter().restartSpool();
  },
  finishMore(): FinishStep {
    return openWriter().finishStep();
  },
  close(): void {
    writer?.close();
    writer = null;
  },
};
export type ExportCalls = typeof calls;

interface PageToWrite {
  readonly at: ReadPosition;
  readonly content: Uint8Array<ArrayBuffer>;
  readonly origin: ResponseOrigin;
}

if (parentPort) serve(nodePort(parentPort), calls, appErrorFrom);
