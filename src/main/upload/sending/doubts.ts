import type { AppError } from '../../../shared/errors/errors.ts';
import type { BatchEntry, Part } from '../ledger/entries.ts';
import type { UnknownPart } from '../ledger/batch-state.ts';
import type { UploadLedger } from '../ledger/ledger.ts';
import type { Load, Unknown } from './part-sender.ts';
import { unknownError } from './part-sender.ts';
import { placesOf } from '../ledger/parts.ts';
import type { UploadPlan } from '../model/plan.ts';
import type { Origin } from '../ledger/parts.ts';

/** What marks the records of a batch that may be taken for one another, by their places. */
export type SharedKeys = (entry: BatchEntry) => Promise<readonly string[]>;

/** So many parts are found out about at a time. */
const atOnce = 16;
/** After so many losses in a row without any answer something is wrong with all of it. */
const lossesAtFirst = 3;
const losses = 8;

const nameOf = ({ batch, first, records }: Part): string => `${batch} ${first} ${records}`;

/** What this run has lost: which parts, why, and which keys wait for them. */
export class Doubts {
  readonly #ledger: UploadLedger;
  readonly #plan: UploadPlan;
  readonly #sharedKeys: SharedKeys;
  readonly #known = new Map<string, Unknown & { origin: Origin | undefined; rows: number }>();
  readonly #keys = new Map<string, readonly string[]>();
  #recent = 0;
  #hasAcked = false;

  constructor(ledger: UploadLedger, plan: UploadPlan, sharedKeys: SharedKeys) {
    this.#ledger = ledger;
    this.#plan = plan;
    this.#sharedKeys = sharedKeys;
  }

  add(load: Load, why: Unknown): void {
    this.#known.set(nameOf(load), { ...why, origin: load.origin, rows: load.records });
    // Before anything was acked a lack of permission is likely one for all of it.
    this.#recent += why.status === 403 && !this.#hasAcked ? lossesAtFirst : 1;
  }

  noteAcked(): void {
    this.#hasAcked = true;
  }

  /** Whether all that is unknown was refused in an answer: nothing of it is under way any more. */
  get areRefusals(): boolean {
    return this.#ledger.unknownParts.every(({ status }) => status === 400 || status === 422);
  }

  /** Whether so much is lost that it has to be found out about before more is sent. */
  get areMany(): boolean {
    return this.#recent >= (this.#hasAcked ? losses : lossesAtFirst);
  }

  /** The parts to find out about, the newest before those that earlier tries have left. */
  take(): UnknownPart[] {
    this.#recent = 0;
    return this.#ledger.unknownParts.slice(-atOnce);
  }

  why(part: Part): { readonly origin: Origin | undefined; readonly error: AppError | null } {
    const { origin, error } = this.#known.get(nameOf(part)) ?? { origin: undefined, error: null };
    return { origin, error };
  }

  /** Whether a part is unknown that left after everything that has been acked: nothing can show that a read is new. */
  get isUnwitnessed(): boolean {
    const left = this.#ledger.acked.last?.left ?? 0;
    return this.#ledger.unknownParts.some(({ since }) => since > left);
  }

  /** The error for rows of this run that are unknown; null: there are none. */
  get error(): AppError | null {
    const parts = this.#ledger.unknownParts.filter(({ part }) => this.#known.has(nameOf(part)));
    const first = parts[0];
    const why = first && this.#known.get(nameOf(first.part));
    if (!why) return null;
    const rows = parts.reduce((sum, { part }) => sum + part.records, 0);
    return unknownError(this.#plan.address, rows, why);
  }

  /** The places of a load whose keys unknown rows have too. */
  async sharing(load: Load, entry: BatchEntry): Promise<readonly number[]> {
    const unknown = this.#ledger.unknownParts;
    if (unknown.length === 0) {
      this.#keys.clear();
      return [];
    }
    const wanted = new Set<string>();
    for (const part of unknown) for (const key of await this.#keysOf(part)) wanted.add(key);
    const own = await this.#sharedKeys(entry);
    return placesOf(load).filter((place) => wanted.has(own[place] ?? ''));
  }

  async #keysOf({ part, entry }: UnknownPart): Promise<readonly string[]> {
    const name = nameOf(part);
    const known = this.#keys.get(name);
    if (known) return known;
    const all = await this.#sharedKeys(entry);
    const keys = placesOf(part).flatMap((place) => all[place] ?? []);
    this.#keys.set(name, keys);
    return keys;
  }
}
