import type { CallContext } from '../../../shared/threads.ts';
import { serveUses } from '../../world/threads.ts';
import { appErrorFrom } from '../files/file-errors.ts';
import { AppError } from '../../../shared/errors/errors.ts';
import { ExistingRecords, type Comparison } from './existing.ts';
import { fileCalls, openTableFile, type OpenTableFile, type NamedFile } from '../tables/tables.ts';
import {
  scanGroups,
  fingerprintPage,
  fingerprintRows,
  type FingerprintPaths,
  type FingerprintRowsRequest,
  createPreparer,
  type Prepared,
  type PrepareRequest,
  readRecords,
  writeRejects,
  type RejectsRequest,
  type Preparation,
  recordsOf,
  survey,
  type SurveyRequest,
} from './preparation.ts';
import { scanRepeatedTimes } from './times.ts';

interface OpenedFile {
  readonly source: OpenTableFile;
  readonly preparation: Preparation;
  readonly prepare: (request: PrepareRequest) => Prepared;
}

export type CsvCalls = ReturnType<typeof createCsvService>;

/**
 * The calls of the worker thread: everything that processes rows. Its reads block, so it must not run on the main
 * thread.
 */
export function createCsvService() {
  let file: OpenedFile | null = null;
  let existing: ExistingRecords | null = null;
  let skips = false;
  function existingRecords(): ExistingRecords {
    if (!existing) throw new AppError('internal', { problem: 'nothing is compared yet' });
    return existing;
  }
  function opened(): OpenedFile {
    if (!file) throw new AppError('internal', { problem: 'the file has not been opened' });
    return file;
  }
  return {
    ...fileCalls,
    scanGroups,
    scanRepeatedTimes,
    /** Opens a file for the calls that name none: `prepare`, `survey`, `records`, `rejects`, and the like. */
    open({ path, places, expected, ...preparation }: Preparation & NamedFile): void {
      file?.source.close();
      file = null;
      const source = openTableFile(
        { path, fileName: preparation.fileName, places, expected },
        preparation.layout,
      );
      const prepare = createPreparer(source, preparation, () => (skips ? existing : null));
      file = { source, preparation, prepare };
    },
    /** Bodies are transferred, not copied, unless they are in shared memory. */
    prepare(request: PrepareRequest, { transfer }: CallContext): Prepared {
      const prepared = opened().prepare(request);
      transfer([prepared.lines.buffer]);
      if (prepared.body?.buffer instanceof ArrayBuffer) transfer([prepared.body.buffer]);
      return prepared;
    },
    survey(request: SurveyRequest) {
      const { source, preparation } = opened();
      return survey(source, preparation, request);
    },
    /**
     * Keeps existing records of the dataset from now on, and with `skip` compares rows with them; loads those of an
     * earlier run.
     */
    existing({ comparison, load, skip }: ExistingRequest): void {
      skips = skip;
      existing = new ExistingRecords(comparison);
      if (load !== null) existing.load(load);
    },
    /** Keeps only existing records that can match a row of the opened file. */
    keepMatching(): void {
      const { source, preparation } = opened();
      existingRecords().keepOnly(recordsOf(source, preparation), preparation.rows);
    },
    existingPage: ({ text }: { readonly text: string }) => existingRecords().addPage(text),
    keepExisting({ to }: { readonly to: string }): void {
      existingRecords().save(to);
    },
    fingerprintRows: (request: FingerprintRowsRequest) => fingerprintRows(opened().prepare, request),
    fingerprintPage: (request: FingerprintPaths & { readonly text: string }) =>
      fingerprintPage(request, existing),
    records({ maxRows }: { readonly maxRows: number }) {
      const { source, preparation } = opened();
      return readRecords(source, preparation, maxRows);
    },
    rejects(request: RejectsRequest) {
      const { source, preparation } = opened();
      return writeRejects(source, preparation, request);
    },
    close(): void {
      file?.source.close();
      file = null;
    },
  };
}

interface ExistingRequest {
  readonly comparison: Comparison;
  readonly load: string | null;
  readonly skip: boolean;
}

serveUses(createCsvService, appErrorFrom);
