import { datasetShapes } from '../../../shared/datasets/datasets.ts';
import { AppError } from '../../../shared/errors/errors.ts';
import type { Clock } from '../../http/clock.ts';
import type { DataService } from '../../services/services.ts';
import type { CsvThread } from '../thread/csv-client.ts';
import { comparisonOf } from '../existing/comparison.ts';
import type { BatchEntry } from '../ledger/entries.ts';
import type { UploadPlan } from '../model/plan.ts';
import type { PrintedRows, PrintPaths, RowPrint, Sighting } from '../preparing/prints.ts';
import { readKeys } from './read-keys.ts';

export type Key = PrintPaths['key'];

export interface BatchReadingOptions {
  readonly plan: UploadPlan;
  readonly thread: CsvThread;
  readonly data: Pick<DataService, 'find'>;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/** Rows that every read must show, and whether one does. */
export interface MustShow {
  readonly rows: readonly RowPrint[];
  readonly isShown: (sightings: readonly Sighting[]) => boolean;
}

/** For reads that need not show anything. */
export const nothingToShow: MustShow = { rows: [], isShown: () => true };

/** The rows of batches on both sides: as the file has them, and as they are found in the dataset. */
export class BatchReading {
  readonly #options: BatchReadingOptions;
  readonly #paths: PrintPaths['paths'];
  readonly #scope: readonly string[];

  constructor(options: BatchReadingOptions) {
    this.#options = options;
    const { rules, type } = options.plan;
    this.#paths = comparisonOf(rules, type).paths;
    this.#scope = (type === null ? 'asset_id' : datasetShapes[type].scopeField).split('.');
  }

  /** Makes a batch again and prints it. @throws AppError file_changed */
  async print(entry: BatchEntry, key: Key): Promise<PrintedRows> {
    const { from: byte, line, row, rows, skipped, sha256 } = entry;
    const { thread, plan } = this.#options;
    const printed = await thread.call('printRows', {
      batch: { byte, line, row, rows, skipped },
      paths: this.#paths,
      key,
      scope: this.#scope,
    });
    if (printed.sha256 !== sha256) throw new AppError('file_changed', { file: plan.fileName });
    return printed;
  }

  /** Looks once for rows, by their key. */
  find(key: Key, rows: readonly RowPrint[], witness: MustShow): ReturnType<typeof readKeys> {
    const { plan, thread, data, signal } = this.#options;
    const reader = { plan, thread, data, options: { signal } };
    return readKeys(reader, { paths: this.#paths, key }, rows, witness.rows, witness.isShown);
  }

  /** Waits until another read may show more. @throws AppError cancelled */
  async wait(): Promise<void> {
    const { clock, plan, signal } = this.#options;
    const ms = plan.settleSeconds * 1000;
    if (signal.aborted) throw new AppError('cancelled', {});
    await clock.wait(ms, signal);
  }
}
