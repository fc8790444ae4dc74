import type { DatasetAddress } from '../../../shared/datasets/datasets.ts';
import { AppError } from '../../../shared/errors/errors.ts';
import type { UnknownPart } from '../ledger/batch.ts';
import type { OpenAnswer, Part } from '../ledger/entries.ts';
import type { UploadLedger } from '../ledger/ledger.ts';
import { isAfterAcked, maxLosses, needsFreshnessRow } from './policy.ts';
import type { Resend } from './policy.ts';

/** Why the fate of a part can't be known. */
export interface Loss {
  readonly status: number | null;
  readonly cause: string;
  /** What the answer was put into words as; null: it was a 200. */
  readonly error: AppError | null;
  /** What a 200 said that does not say which records were stored. */
  readonly answer?: OpenAnswer;
}

const nameOf = ({ batch, first, records }: Part): string => `${batch} ${first} ${records}`;

/** The parts that this run has lost, and why. */
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

  /** Before anything was acked a lack of permission is likely one for all of it. */
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

  /** Whether so much is lost that it is reconciled before more is sent. */
  get areMany(): boolean {
    return this.#recent >= (this.#hasAcked ? maxLosses.later : maxLosses.beforeFirstAck);
  }

  /** Whether something was lost after everything that was acked had been sent: nothing can show that a read is new. */
  get areAfterAcked(): boolean {
    return isAfterAcked(this.#ledger.unknownParts, this.#ledger.lastAcked);
  }

  /** Whether a single row goes next to show that reads are new; it counts as sent then. */
  takeFreshnessRow(): boolean {
    const { unknownParts, lastAcked } = this.#ledger;
    const isNeeded = needsFreshnessRow(unknownParts, lastAcked, this.#freshnessRows);
    if (isNeeded) this.#freshnessRows++;
    return isNeeded;
  }

  /** What this run knows of an unknown part. */
  of({ part }: UnknownPart): { readonly resend: Resend | undefined; readonly error: AppError | null } {
    const { resend, error } = this.#all.get(nameOf(part)) ?? { resend: undefined, error: null };
    return { resend, error };
  }

  /** The error for rows of this run that are unknown; null: there are none. */
  get error(): AppError | null {
    const parts = this.#ledger.unknownParts.filter(({ part }) => this.#all.has(nameOf(part)));
    const loss = parts[0] && this.#all.get(nameOf(parts[0].part));
    const rows = parts.reduce((sum, { part }) => sum + part.records, 0);
    return loss ? unknownError(this.#address, rows, loss) : null;
  }
}

/** The error that stands for rows whose fate is unknown. */
export function unknownError(address: DatasetAddress, rows: number, { cause, error }: Loss): AppError {
  if (error?.is('forbidden'))
    return noPermission(address, error, `whether the ${rows} rows were stored is not known`);
  return new AppError('outcome_unknown', { rows, cause: cause.replace(/\.$/, '') }, { cause: error });
}

/** @param outcome what became of the rows, in words */
export function noPermission(
  { provider, dataset }: DatasetAddress,
  error: AppError,
  outcome: string,
): AppError {
  if (!error.is('forbidden')) return error;
  const what = `inserting into ${provider}/${dataset} (${outcome})`;
  return new AppError('forbidden', { ...error.details, what }, { cause: error });
}
