import { createIdSet, idBytes, type IdSet } from '../reading/runs.ts';
import type { RunIds } from '../reading/pages.ts';
import { isStartOfRun, type RunCursor } from '../reading/cursor.ts';
import type { GrowingFile } from '../files/growing-file.ts';

export const idsName = 'ids.bin';

/**
 * The ids of the current run, in memory and in a file for a resume. The file only grows: each run has a range
 * of it. It is created when the first run starts; most exports have none.
 */
export class SeenIds implements RunIds {
  readonly #open: (length: number) => GrowingFile;
  #file: GrowingFile | null = null;
  #run: { readonly from: number; readonly set: IdSet } | null = null;
  #writtenIds: number;

  /** @param writtenIds number of ids in the file, by the checkpoint */
  constructor(open: (length: number) => GrowingFile, writtenIds: number) {
    this.#open = open;
    this.#writtenIds = writtenIds;
    if (writtenIds > 0) this.#file = open(writtenIds * idBytes);
  }

  /** Number of ids in the file, where the next run's range starts. */
  get count(): number {
    return this.#writtenIds;
  }

  idsOf(run: RunCursor): IdSet {
    const { idsFrom, seen } = run;
    if (!isStartOfRun(run) && this.#run?.from === idsFrom) return this.#run.set;
    const set = createIdSet();
    this.#run = { from: idsFrom, set };
    if (seen === 0 || !this.#file) return set;
    let rest: Buffer = Buffer.alloc(0);
    for (const bytes of this.#file.read(idsFrom * idBytes, (idsFrom + seen) * idBytes)) {
      const all = Buffer.concat([rest, bytes]);
      const completeBytes = all.length - (all.length % idBytes);
      for (let at = 0; at < completeBytes; at += idBytes) set.add(all.subarray(at, at + idBytes));
      rest = all.subarray(completeBytes);
    }
    return set;
  }

  append(keys: readonly Buffer[]): void {
    if (keys.length === 0) return;
    this.#file ??= this.#open(this.#writtenIds * idBytes);
    this.#file.append(Buffer.concat(keys));
    this.#writtenIds += keys.length;
  }

  sync(): void {
    this.#file?.sync();
  }

  close(): void {
    this.#file?.close();
  }
}
