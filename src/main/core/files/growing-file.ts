import { createHash, type Hash } from 'node:crypto';
import * as fs from '../../world/files.ts';
import { AppError } from '../../../shared/errors/errors.ts';
import { writeError } from './file-errors.ts';

/** The file system calls that writing needs; tests replace them to simulate a full disk. */
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

interface GrowingFileOptions {
  readonly disk: Disk;
  readonly path: string;
  readonly name: string;
  /** Whether to compute the SHA-256 of the file. */
  readonly isHashed?: boolean;
}

/** Size of reads, in bytes. */
const blockBytes = 1024 * 1024;

/** A file that is appended to and can be cut to an earlier length. All calls are synchronous. */
export class GrowingFile {
  readonly #options: GrowingFileOptions;
  readonly #fd: number;
  #hash: Hash | null = null;
  #length = 0;
  /** Why a flush failed: the system reports it once, and can drop the data. */
  #flushFailure: unknown = null;

  /**
   * Opens the file, creating it, and cuts it.
   * @param length in bytes
   * @throws AppError `disk_full`, `file_unwritable`
   */
  constructor(options: GrowingFileOptions, length: number) {
    this.#options = options;
    // Not in append mode: writing continues at the cut length.
    const { O_RDWR, O_CREAT } = fs.constants;
    this.#fd = this.#withWriteErrors(() => options.disk.openSync(options.path, O_RDWR | O_CREAT, 0o666));
    this.cutTo(length);
  }

  get name(): string {
    return this.#options.name;
  }

  get length(): number {
    return this.#length;
  }

  /**
   * Checks that the file still exists at its path: its folder can be removed while it is open.
   * @throws AppError `file_unwritable`
   */
  checkExists(): void {
    this.#withWriteErrors(() => this.#options.disk.statSync(this.#options.path));
  }

  /** @throws AppError `disk_full`, `file_unwritable`; a partial append is cut when the file is reopened */
  append(content: string | Uint8Array): void {
    const bytes = typeof content === 'string' ? Buffer.from(content) : content;
    this.#withWriteErrors(() => {
      for (let writtenBytes = 0; writtenBytes < bytes.length;) {
        writtenBytes += this.#options.disk.writeSync(
          this.#fd,
          bytes,
          writtenBytes,
          bytes.length - writtenBytes,
          this.#length + writtenBytes,
        );
      }
    });
    this.#length += bytes.length;
    this.#hash?.update(bytes);
  }

  /**
   * @param length in bytes, at most the current length
   * @throws AppError `disk_full`, `file_unwritable`
   */
  cutTo(length: number): void {
    const { disk, name } = this.#options;
    const { size } = this.#withWriteErrors(() => disk.fstatSync(this.#fd));
    // The system would fill the difference with zeros.
    if (size < length) throw new AppError('file_unwritable', { file: name, reason: 'it became shorter' });
    if (size > length) this.#withWriteErrors(() => disk.ftruncateSync(this.#fd, length));
    this.#length = length;
    if (!this.#options.isHashed) return;
    this.#hash = createHash('sha256');
    for (const bytes of this.read(0)) this.#hash.update(bytes);
  }

  /** The bytes of a range in blocks; a block is valid until the next one. @throws as `readInto` */
  *read(from: number, to = this.#length): Generator<Uint8Array> {
    const buffer = Buffer.allocUnsafeSlow(Math.min(blockBytes, to - from));
    for (let at = from; at < to;) {
      const readBytes = this.readInto(buffer.subarray(0, Math.min(buffer.length, to - at)), at);
      yield buffer.subarray(0, readBytes);
      at += readBytes;
    }
  }

  /**
   * Reads as many bytes as fit and are available.
   * @returns the number of bytes, at least 1
   * @throws AppError `disk_full`, `file_unwritable`; Error if the file became shorter
   */
  readInto(target: Uint8Array, from: number): number {
    const readBytes = this.#withWriteErrors(() =>
      this.#options.disk.readSync(this.#fd, target, 0, target.length, from),
    );
    if (readBytes === 0) throw new Error(`${this.#options.name} became shorter while it was read`);
    return readBytes;
  }

  /** Flushes the content to disk. @throws AppError `disk_full`, `file_unwritable`, also after an earlier failure */
  sync(): void {
    this.#withWriteErrors(() => {
      if (this.#flushFailure !== null) throw this.#flushFailure;
      try {
        this.#options.disk.fdatasyncSync(this.#fd);
      } catch (error) {
        this.#flushFailure = error;
        throw error;
      }
    });
  }

  /** SHA-256 of the content, in hexadecimal. */
  sha256(): string {
    return this.#hash?.copy().digest('hex') ?? '';
  }

  close(): void {
    this.#options.disk.closeSync(this.#fd);
  }

  #withWriteErrors<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      throw writeError(error, this.#options.name, this.#length);
    }
  }
}
