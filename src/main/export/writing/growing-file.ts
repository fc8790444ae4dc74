import { createHash, type Hash } from 'node:crypto';
import * as fs from 'node:fs';
import { writeError } from '../../files/file-errors.ts';

/** The calls of the file system that writing needs; tests give others, to have a full disk. */
export type Disk = Pick<
  typeof fs,
  | 'openSync'
  | 'closeSync'
  | 'readSync'
  | 'writeSync'
  | 'ftruncateSync'
  | 'fdatasyncSync'
  | 'fstatSync'
  | 'statSync'
>;

export const realDisk: Disk = fs;

export interface GrowingFileOptions {
  readonly disk: Disk;
  readonly path: string;
  readonly name: string;
  /** Whether the SHA-256 of the file is wanted. */
  readonly hashed?: boolean;
}

/** How much is read at a time. */
const block = 1024 * 1024;

/** A file that only grows, and can be cut back to an earlier length. It is written without delay, in the caller's thread. */
export class GrowingFile {
  readonly #options: GrowingFileOptions;
  readonly #fd: number;
  #hash: Hash | null = null;
  #length = 0;

  /**
   * Opens the file, creating it, and cuts it to a length.
   * @throws AppError disk_full, file_unwritable
   */
  constructor(options: GrowingFileOptions, length: number) {
    this.#options = options;
    // Not for appending: what stands behind the length is cut off, and writing goes on there.
    const { O_RDWR, O_CREAT } = fs.constants;
    this.#fd = this.#guarded(() => options.disk.openSync(options.path, O_RDWR | O_CREAT, 0o666));
    this.cutTo(length);
  }

  get length(): number {
    return this.#length;
  }

  /**
   * Makes sure that the file still stands at its path: a folder can go away while a file in it is open.
   * @throws AppError file_unwritable
   */
  checkIsThere(): void {
    this.#guarded(() => this.#options.disk.statSync(this.#options.path));
  }

  /** @throws AppError disk_full, file_unwritable; what was written of the content is cut off by the next opening */
  append(content: string | Uint8Array): void {
    const bytes = typeof content === 'string' ? Buffer.from(content) : content;
    this.#guarded(() => {
      for (let done = 0; done < bytes.length;) {
        done += this.#options.disk.writeSync(this.#fd, bytes, done, bytes.length - done, this.#length + done);
      }
    });
    this.#length += bytes.length;
    this.#hash?.update(bytes);
  }

  /** Cuts the file to a length, which must not be beyond its own. */
  cutTo(length: number): void {
    const { disk } = this.#options;
    this.#guarded(() => {
      if (disk.fstatSync(this.#fd).size !== length) disk.ftruncateSync(this.#fd, length);
    });
    this.#length = length;
    if (!this.#options.hashed) return;
    this.#hash = createHash('sha256');
    for (const bytes of this.read(0)) this.#hash.update(bytes);
  }

  /** The bytes from a place to the end, in blocks; a block is good until the next one. */
  *read(from: number, to = this.#length): Generator<Uint8Array> {
    const buffer = Buffer.allocUnsafeSlow(Math.min(block, to - from));
    for (let at = from; at < to;) {
      const got = this.readInto(buffer.subarray(0, Math.min(buffer.length, to - at)), at);
      yield buffer.subarray(0, got);
      at += got;
    }
  }

  /**
   * Reads from a place on, as much as there is room for and as comes at once.
   * @returns how many bytes came: at least one
   */
  readInto(room: Uint8Array, from: number): number {
    const got = this.#guarded(() => this.#options.disk.readSync(this.#fd, room, 0, room.length, from));
    if (got === 0) throw new Error(`${this.#options.name} became shorter while it was read`);
    return got;
  }

  /** Returns when the content is on the disk. */
  sync(): void {
    this.#guarded(() => this.#options.disk.fdatasyncSync(this.#fd));
  }

  /** SHA-256 of the whole content, in hex. */
  sha256(): string {
    return this.#hash?.copy().digest('hex') ?? '';
  }

  close(): void {
    this.#options.disk.closeSync(this.#fd);
  }

  #guarded<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      throw writeError(error, this.#options.name, this.#length);
    }
  }
}
