import { parentPort } from 'node:worker_threads';
import { nodePort, serve } from '../../shared/threads.ts';
import { appErrorFrom } from '../files/file-errors.ts';
import type { Readable } from '../paging/cursor.ts';
import { ExportWriter } from './writing/export-writer.ts';
import type { AnswerOrigin, FinishStep, PageOutcome, ProgressMarks, WriterSpec } from './writing/spec.ts';

// The thread that an export's pages are read, formatted and written in, so that the core's own thread never stalls.

let writer: ExportWriter | null = null;

function opened(): ExportWriter {
  if (!writer) throw new Error('the export is not open');
  return writer;
}

/** An {@link ExportWriter} in its thread. */
const calls = {
  /** Opens an export's files, cut to a checkpoint. @throws AppError disk_full, file_unwritable */
  open({ spec, from }: { readonly spec: WriterSpec; readonly from: ProgressMarks | null }): void {
    calls.close();
    writer = new ExportWriter(spec, from);
  },
  write({ at, content, origin }: PageToWrite): PageOutcome {
    return opened().write(at, content, origin);
  },
  finishMore(): FinishStep {
    return opened().finishMore();
  },
  close(): void {
    writer?.close();
    writer = null;
  },
};
export type ExportCalls = typeof calls;

interface PageToWrite {
  readonly at: Readable;
  readonly content: Uint8Array<ArrayBuffer>;
  readonly origin: AnswerOrigin;
}

if (parentPort) serve(nodePort(parentPort), calls, appErrorFrom);
