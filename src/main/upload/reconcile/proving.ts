import type { DatasetType } from '../../../shared/datasets/datasets.ts';
import type { AckedPart } from '../ledger/acked-parts.ts';
import type { UploadLedger } from '../ledger/ledger.ts';
import { nothingToShow } from './batch-reading.ts';
import type { BatchReading, Key } from './batch-reading.ts';
import { keysFor } from './keys.ts';
import { proofOf } from './proof.ts';
import type { Proof } from './proof.ts';

/** A read that lags behind gets so many in all. */
const mostReads = 4;

/** Proves that rows can be recognised in the dataset, before anything is concluded from not finding one. */
export class Proving {
  readonly #reading: Pick<BatchReading, 'print' | 'find' | 'wait'>;
  readonly #ledger: Pick<UploadLedger, 'acked' | 'isAccounted'>;
  readonly #type: DatasetType | null;
  #last: { readonly on: AckedPart; readonly key: Key | null } | null = null;

  constructor(
    reading: Pick<BatchReading, 'print' | 'find' | 'wait'>,
    ledger: Pick<UploadLedger, 'acked' | 'isAccounted'>,
    type: DatasetType | null,
  ) {
    this.#reading = reading;
    this.#ledger = ledger;
    this.#type = type;
  }

  /**
   * Proves the comparison on the most rows that were acked at once: read back, every row must be recognised by value
   * and by its inserted id. A read that lags behind gets more time.
   * @returns the key by which rows are found; null: the comparison can't be proven, and nothing is ever sent again
   */
  async prove(): Promise<Key | null> {
    const { acked, isAccounted } = this.#ledger;
    const on = acked.largest;
    if (!on || !isAccounted) return null;
    if (this.#last?.on === on) return this.#last.key;
    const { telling } = await this.#reading.print(on.entry, []);
    let keys = keysFor(this.#type, telling);
    let proven: Key | null = null;
    for (let read = 0; read < mostReads && !proven && keys.length > 0; read++) {
      if (read > 0) await this.#reading.wait();
      const absent: Key[] = [];
      for (const key of keys) {
        const proof = await this.#proveBy(key, on);
        if (proof === 'proven') proven ??= key;
        if (proof === 'absent') absent.push(key);
        if (proven) break;
      }
      keys = absent;
    }
    this.#last = { on, key: proven };
    return proven;
  }

  async #proveBy(key: Key, on: AckedPart): Promise<Proof> {
    const { rows } = await this.#reading.print(on.entry, key);
    const asked = on.places.flatMap((place) => rows[place] ?? []);
    const { sightings } = await this.#reading.find(key, asked, nothingToShow);
    return proofOf(on, rows, sightings);
  }
}
