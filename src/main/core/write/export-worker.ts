import { parentPort } from 'node:worker_threads';
import { nodePort, serve } from '../../../shared/threads.ts';
import { appErrorFrom } from '../files/file-errors.ts';
import type { PageOutcome, PageToRead } from '../read/page-reader.ts';
import { ExportWriter } from './export-writer.ts';
import type { FinishedFile, ProgressMarks, WriterSpec, WrittenRecords } from './spec.ts';

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
  read(page: PageToRead): PageOutcome {
    return openWriter().read(page);
  },
  write(): WrittenRecords {
    return openWriter().write();
  },
  flush(): void {
    openWriter().flush();
  },
  restartSpool(): void {
    openWriter().restartSpool();
  },
  finishStep(): FinishedFile | null {
    return openWriter().finishStep();
  },
  close(): void {
    writer?.close();
    writer = null;
  },
};
export type ExportCalls = typeof calls;

if (parentPort) serve(nodePort(parentPort), calls, appErrorFrom);
