import type { DatasetAddress } from '../../../../shared/datasets/datasets.ts';
import { AppError } from '../../../../shared/errors/errors.ts';
import type { UnknownPart } from '../ledger/batch.ts';
import { nameOf, type OpenAnswer, type Part } from '../ledger/entries.ts';
import type { UploadLedger } from '../ledger/ledger.ts';
import { isAfterAcked, maxLosses, needsFreshnessRow, type Resend } from './policy.ts';

/** Why the result of a part is unknown. */
export interface Loss {
  readonly status: number | null;
  readonly cause: string;
  /** The message for the response; null: it was a 200. */
  readonly error: AppError | null;
  /** The content of a 200 that doesn't identify the stored records. */
  readonly answer?: OpenAnswer;
}

/** The parts that became unknown in this run, with their causes. */
export class Losses {
  readonly #ledger: UploadLedger;
  readonly #address: DatasetAddress;
  readonly #all = new Map<string, Loss & { readonly resend: Resend | undefined }>();
  /** Since the last reconciling. */
  #recent = 0;
  #hasAcked = false;
  #freshnessRows = 0;

  constructor(ledger: UploadLedger, address: DatasetAddress) {
    this.#ledger = ledger;
    this.#address = address;
  }

  /** Before anything is acked, a missing permission probably affects all rows. */
  add(part: Part, loss: Loss, resend: Resend | undefined): void {
    this.#all.set(nameOf(part), { ...loss, resend });
    this.#recent += loss.status === 403 && !this.#hasAcked ? maxLosses.beforeFirstAck : 1;
  }

  noteAcked(): void {
    this.#hasAcked = true;
    this.#freshnessRows = 0;
  }

  noteReconciled(): void {
    this.#recent = 0;
  }

  /** Whether there are enough losses to reconcile before sending more. */
  get areMany(): boolean {
    return this.#recent >= (this.#hasAcked ? maxLosses.later : maxLosses.beforeFirstAck);
  }

  /**
   * Whether a part became unknown after everything that was acked had been sent: then nothing proves that a read is
   * fresh.
   */
  get areAfterAcked(): boolean {
    return isAfterAcked(this.#ledger.unknownParts, this.#ledger.lastAcked);
  }

  /** Whether to send a single row next to prove that reads are fresh; it counts as sent then. */
  takeFreshnessRow(): boolean {
    const { unknownParts, lastAcked } = this.#ledger;
    const isNeeded = needsFreshnessRow(unknownParts, lastAcked, this.#freshnessRows);
    if (isNeeded) this.#freshnessRows++;
    return isNeeded;
  }

  /** The facts of this run about an unknown part. */
  of({ part }: UnknownPart): { readonly resend: Resend | undefined; readonly error: AppError | null } {
    const { resend, error } = this.#all.get(nameOf(part)) ?? { resend: undefined, error: null };
    return { resend, error };
  }

  /** The error for unknown rows of this run; null: there are none. */
  get error(): AppError | null {
    const parts = this.#ledger.unknownParts.filter(({ part }) => this.#all.has(nameOf(part)));
    const loss = parts[0] && this.#all.get(nameOf(parts[0].part));
    const rows = parts.reduce((sum, { part }) => sum + part.records, 0);
    return loss ? unknownError(this.#address, rows, loss) : null;
  }
}

/** The error for rows whose result is unknown. */
export function unknownError(address: DatasetAddress, rows: number, { cause, error }: Loss): AppError {
  if (error?.is('forbidden'))
    return noPermission(address, error, `whether the ${rows} rows were stored is not known`);
  return new AppError('outcome_unknown', { rows, cause: cause.replace(/\.$/, '') }, { cause: error });
}

/** @param outcome the result of the rows, in words */
export function noPermission(
  { provider, dataset }: DatasetAddress,
  error: AppError<'forbidden'>,
  outcome: string,
): AppError {
  const what = `inserting into ${provider}/${dataset} (${outcome})`;
  return new AppError('forbidden', { ...error.details, what }, { cause: error });
}
