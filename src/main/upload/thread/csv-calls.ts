import type { ErrorBody } from '../../../shared/errors/errors.ts';
import type { Preview, PreviewRequest } from '../reading/preview.ts';
import type { Comparison, PageRead } from '../existing/existing-records.ts';
import type { PrintedRows, PrintPaths, PrintRowsRequest, Sighting } from '../preparing/prints.ts';
import type { Survey, SurveyRequest } from '../existing/survey.ts';
import type { Scan, ScanRequest } from '../reading/scan.ts';
import type { Prepared, PrepareRequest } from '../preparing/prepare.ts';
import type { RejectsRequest } from '../preparing/rejects.ts';
import type { Preparation } from '../mapping/preparation.ts';

/** What the CSV worker thread does: everything that touches each row. */
export interface CsvCalls {
  /** Reads a whole file once. */
  scan(request: ScanRequest): Scan;
  /** Reads the first rows only. */
  preview(request: PreviewRequest): Preview;
  /** Size and time of change. */
  stat(request: { readonly path: string; readonly fileName: string }): {
    readonly bytes: number;
    readonly mtimeMs: number;
  };
  /** The SHA-256 of a whole file. */
  hash(request: { readonly path: string; readonly fileName: string }): {
    readonly sha256: string;
    readonly bytes: number;
  };
  /** Opens a file for preparing; before `prepare` and `rejects`. */
  open(request: Preparation & { readonly path: string }): null;
  prepare(request: PrepareRequest): Prepared;
  /** Which wells and which range the rows of the opened file have. */
  survey(request: SurveyRequest): Survey;
  /**
   * What stands in the dataset is kept from here on, and with `skip` rows are compared with it; what an earlier run
   * found is loaded.
   */
  existing(request: {
    readonly comparison: Comparison;
    readonly load: string | null;
    readonly skip: boolean;
  }): null;
  existingPage(request: { readonly text: string }): PageRead;
  /** Keeps what stands in the dataset in a file. */
  keepExisting(request: { readonly to: string }): null;
  /** Makes a batch again, for its records to be recognised by. */
  printRows(request: PrintRowsRequest): PrintedRows;
  /** What the records of a page are recognised by. */
  printPage(request: PrintPaths & { readonly text: string }): Sighting[];
  rejects(request: RejectsRequest): number;
}
export type CsvCall = keyof CsvCalls;
export type CsvRequest<C extends CsvCall> = Parameters<CsvCalls[C]>[0];
export type CsvResult<C extends CsvCall> = ReturnType<CsvCalls[C]>;

/** Messages between the core and the worker thread. Both are this program: their shapes are the compiler's matter. */
export type ToWorker = {
  [C in CsvCall]: { readonly id: number; readonly call: C; readonly request: CsvRequest<C> };
}[CsvCall];
export type FromWorker =
  | { readonly id: number; readonly kind: 'progress'; readonly bytes: number }
  | { readonly id: number; readonly kind: 'done'; readonly result: CsvResult<CsvCall> }
  | { readonly id: number; readonly kind: 'failed'; readonly error: ErrorBody };
