import { createHash } from 'node:crypto';
import type { GrowingFile } from '../files/growing-file.ts';
import { isStartOfRun, type RunCursor } from './cursor.ts';

/** The file of ids in the folder of a job, and the number of bytes of each key. */
export const idsFile = { name: 'ids.bin', idBytes: 12 } as const;

// Zeros mean no id.
const objectId = /^"(?!0{24})[0-9a-f]{24}"$/;

/**
 * A key of 12 bytes: an ObjectId itself, else the start of a SHA-256. Among 10^9 ids, two keys collide once
 * in 10^11 exports.
 * @param json the id as JSON text; null gives zeros
 */
export function idKey(json: string | null): Buffer {
  if (json === null) return Buffer.alloc(idsFile.idBytes);
  if (objectId.test(json)) return Buffer.from(json.slice(1, -1), 'hex');
  return createHash('sha256').update(json).digest().subarray(0, idsFile.idBytes);
}

/** A set of id keys in 24 to 48 bytes each; a Set of strings takes several times as much. */
export type IdSet = ReturnType<typeof createIdSet>;

/** Creates an empty set of ids. */
export function createIdSet() {
  let capacity = 1024;
  let table = new Uint32Array(capacity * 3);
  let size = 0;
  // An empty slot is all zeros, so the key for no id is never in the set.
  const find = (a: number, b: number, c: number): number => {
    let slot = (a ^ Math.imul(b, 0x9e3779b1) ^ Math.imul(c, 0x85ebca6b)) >>> 0;
    slot = (slot ^ (slot >>> 15)) & (capacity - 1);
    for (;;) {
      const at = slot * 3;
      if (table[at] === a && table[at + 1] === b && table[at + 2] === c) return at;
      if (table[at] === 0 && table[at + 1] === 0 && table[at + 2] === 0) return -1 - at;
      slot = (slot + 1) & (capacity - 1);
    }
  };
  const insert = (a: number, b: number, c: number): void => {
    if ((a | b | c) === 0) return;
    const index = find(a, b, c);
    if (index >= 0) return;
    table.set([a, b, c], -1 - index);
    size += 1;
  };
  const grow = (): void => {
    const old = table;
    capacity *= 2;
    table = new Uint32Array(capacity * 3);
    size = 0;
    let [a, b] = [0, 0];
    old.forEach((part, at) => {
      if (at % 3 === 0) a = part;
      else if (at % 3 === 1) b = part;
      else insert(a, b, part);
    });
  };
  return {
    get size(): number {
      return size;
    },
    has: (key: Buffer): boolean => {
      const [a, b, c] = [key.readUInt32LE(0), key.readUInt32LE(4), key.readUInt32LE(8)];
      return (a | b | c) !== 0 && find(a, b, c) >= 0;
    },
    add(key: Buffer): void {
      if (size * 2 >= capacity) grow();
      insert(key.readUInt32LE(0), key.readUInt32LE(4), key.readUInt32LE(8));
    },
  };
}

/**
 * The ids of the current run, by which records that come again are recognized: in memory, and for a resume in a file. The
 * file only grows: each run has a range of it. It is created when the first run starts; most exports have none.
 */
export class SeenIds {
  readonly #open: ((length: number) => GrowingFile) | null;
  #file: GrowingFile | null = null;
  #run: { readonly from: number; readonly set: IdSet } | null = null;
  #writtenIds: number;

  /**
   * @param open opens the file with a length; null: the read isn't resumed
   * @param writtenIds number of ids in the file, by the checkpoint
   */
  constructor(open: ((length: number) => GrowingFile) | null = null, writtenIds = 0) {
    this.#open = open;
    this.#writtenIds = writtenIds;
    if (open && writtenIds > 0) this.#file = open(writtenIds * idsFile.idBytes);
  }

  /** Number of ids of all runs so far, where the next run's range starts. */
  get count(): number {
    return this.#writtenIds;
  }

  idsOf(run: RunCursor): IdSet {
    const { idsFrom, seen } = run;
    if (!isStartOfRun(run) && this.#run?.from === idsFrom) return this.#run.set;
    const set = createIdSet();
    this.#run = { from: idsFrom, set };
    if (seen === 0 || !this.#file) return set;
    const { idBytes } = idsFile;
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
    this.#file ??= this.#open?.(this.#writtenIds * idsFile.idBytes) ?? null;
    this.#file?.append(Buffer.concat(keys));
    this.#writtenIds += keys.length;
  }

  sync(): void {
    this.#file?.sync();
  }

  close(): void {
    this.#file?.close();
  }
}
