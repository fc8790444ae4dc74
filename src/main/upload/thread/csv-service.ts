import { AppError } from '../../../shared/errors/errors.ts';
import type { CsvCalls } from './csv-calls.ts';
import { ExistingRecords } from '../existing/existing-records.ts';
import { survey } from '../existing/survey.ts';
import { hashFile } from '../reading/hash.ts';
import { previewFile } from '../reading/preview.ts';
import { scan } from '../reading/scan.ts';
import { openSource } from '../reading/source.ts';
import type { Source } from '../reading/source.ts';
import { printPage, printRows } from '../preparing/prints.ts';
import { createPreparer } from '../preparing/prepare.ts';
import type { Prepared, PrepareRequest } from '../preparing/prepare.ts';
import { writeRejects } from '../preparing/rejects.ts';
import type { Preparation } from '../mapping/preparation.ts';

/** The file that `open` opened. */
interface Opened {
  readonly source: Source;
  readonly preparation: Preparation;
  readonly prepare: (request: PrepareRequest) => Prepared;
}

/** What the worker thread does, wherever it runs: it reads by blocking, so the main thread is no place for it. */
export interface CsvService {
  calls(onBytes: (bytes: number) => void): CsvCalls;
  close(): void;
}

export function createCsvService(): CsvService {
  let opened: Opened | null = null;
  let existing: ExistingRecords | null = null;
  let skips = false;
  const theExisting = (): ExistingRecords => {
    if (!existing) throw new AppError('internal', { problem: 'nothing is compared yet' });
    return existing;
  };
  const theOpened = (): Opened => {
    if (!opened) throw new AppError('internal', { problem: 'the file has not been opened' });
    return opened;
  };
  const close = (): void => {
    opened?.source.close();
    opened = null;
  };
  const calls = (onBytes: (bytes: number) => void): CsvCalls => ({
    scan: (request) => scan(request, onBytes),
    preview: previewFile,
    stat({ path, fileName }) {
      const source = openSource(path, fileName);
      source.close();
      return { bytes: source.bytes, mtimeMs: source.mtimeMs };
    },
    hash: ({ path, fileName }) => hashFile(path, fileName),
    open({ path, ...preparation }) {
      close();
      const source = openSource(path, preparation.fileName);
      opened = {
        source,
        preparation,
        prepare: createPreparer(source, preparation, () => (skips ? existing : null)),
      };
      return null;
    },
    prepare: (request) => theOpened().prepare(request),
    survey(request) {
      const { source, preparation } = theOpened();
      return survey(source, preparation, request);
    },
    existing({ comparison, load, skip }) {
      skips = skip;
      existing = new ExistingRecords(comparison);
      if (load !== null) existing.load(load);
      return null;
    },
    existingPage: ({ text }) => theExisting().addPage(text),
    keepExisting({ to }) {
      theExisting().save(to);
      return null;
    },
    printRows: (request) => printRows(theOpened().prepare, request),
    printPage: (request) => printPage(request, existing),
    rejects(request) {
      const { source, preparation } = theOpened();
      return writeRejects(source, preparation, request);
    },
  });
  return { calls, close };
}
