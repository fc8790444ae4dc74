import { createIdSet, idBytes, type IdSet } from '../../paging/id-set.ts';
import type { RunCursor } from '../../paging/cursor.ts';
import type { GrowingFile } from './growing-file.ts';

export const idsName = 'ids.bin';

/**
 * The ids that the present run has seen, in memory and in a file, so that a resume knows them again. The file only
 * grows: each run has its part of it. It is made when the first run begins; most exports have none.
 */
export class SeenIds {
  readonly #open: (length: number) => GrowingFile;
  #file: GrowingFile | null = null;
  #run: { readonly from: number; readonly set: IdSet } | null = null;
  #written: number;

  /** @param written how many ids the file holds, by the checkpoint */
  constructor(open: (length: number) => GrowingFile, written: number) {
    this.#open = open;
    this.#written = written;
    if (written > 0) this.#file = open(written * idBytes);
  }

  /** Ids in the file: where the next run's part begins. */
  get written(): number {
    return this.#written;
  }

  of({ idsFrom, seen, skip }: RunCursor): IdSet {
    const begins = seen === 0 && skip === 0;
    if (!begins && this.#run?.from === idsFrom) return this.#run.set;
    const set = createIdSet();
    this.#run = { from: idsFrom, set };
    if (seen === 0 || !this.#file) return set;
    let rest: Buffer = Buffer.alloc(0);
    for (const bytes of this.#file.read(idsFrom * idBytes, (idsFrom + seen) * idBytes)) {
      const all = Buffer.concat([rest, bytes]);
      const whole = all.length - (all.length % idBytes);
      for (let at = 0; at < whole; at += idBytes) set.add(all.subarray(at, at + idBytes));
      rest = all.subarray(whole);
    }
    return set;
  }

  append(keys: readonly Buffer[]): void {
    if (keys.length === 0) return;
    this.#file ??= this.#open(this.#written * idBytes);
    this.#file.append(Buffer.concat(keys));
    this.#written += keys.length;
  }

  sync(): void {
    this.#file?.sync();
  }

  close(): void {
    this.#file?.close();
  }
}
