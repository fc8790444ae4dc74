import { constants, crc32, deflateRawSync } from 'node:zlib';
import { AppError } from '../../../shared/errors/errors.ts';
import type { GrowingFile } from '../files/growing-file.ts';

/** Size of the blocks that are compressed at once, in bytes. */
const blockBytes = 1024 * 1024;
/** Without 64-bit records, which spreadsheets treat as damage, a part and the archive end here. */
export const maxZipBytes = 0xff_ff_ff_ff;
/** January 1, 1980, as every part is dated: the same content has the same bytes. */
const dosDate = 0x21;
/** Sizes follow the content, and names are UTF-8. */
const flags = 0x08_08;
const deflated = 8;
const version = 20;
/** The last block of a compressed part, without content. */
const endBlock = Buffer.from([3, 0]);

interface Part {
  readonly name: Buffer;
  readonly at: number;
  readonly crc: number;
  readonly packedBytes: number;
  readonly bytes: number;
}

type ZipTarget = Pick<GrowingFile, 'name' | 'length' | 'cutTo' | 'append'>;

/** Writes a zip archive from its start, one part after another, in bounded memory. */
export class ZipWriter {
  readonly #file: ZipTarget;
  readonly #parts: Part[] = [];
  #name = Buffer.alloc(0);
  #at = 0;
  #contentAt = 0;
  #crc = 0;
  #bytes = 0;
  #block: Buffer = Buffer.allocUnsafeSlow(blockBytes);
  #blockLength = 0;

  constructor(file: ZipTarget) {
    file.cutTo(0);
    this.#file = file;
  }

  /** Unpacked bytes of the current part. */
  get partBytes(): number {
    return this.#bytes + this.#blockLength;
  }

  begin(name: string): void {
    this.#name = Buffer.from(name);
    this.#at = this.#file.length;
    this.#crc = 0;
    this.#bytes = 0;
    const header = Buffer.alloc(30);
    header.writeUInt32LE(0x04_03_4b_50, 0);
    writeFields(header, 4);
    header.writeUInt16LE(this.#name.length, 26);
    this.#file.append(Buffer.concat([header, this.#name]));
    this.#contentAt = this.#file.length;
  }

  /** Adds content to the current part. @throws AppError `disk_full`, `file_unwritable` */
  add(content: string | Uint8Array): void {
    const bytes = typeof content === 'string' ? Buffer.from(content) : content;
    for (let at = 0; at < bytes.length;) {
      const end = Math.min(bytes.length, at + blockBytes - this.#blockLength);
      this.#block.set(bytes.subarray(at, end), this.#blockLength);
      this.#blockLength += end - at;
      at = end;
      if (this.#blockLength === blockBytes) this.#flush();
    }
  }

  /** Ends the current part. @throws AppError `file_unwritable` if the archive is too large */
  end(): void {
    this.#flush();
    this.#file.append(endBlock);
    const packedBytes = this.#file.length - this.#contentAt;
    const part = { name: this.#name, at: this.#at, crc: this.#crc, packedBytes, bytes: this.#bytes };
    this.#parts.push(part);
    const sizes = Buffer.alloc(16);
    sizes.writeUInt32LE(0x08_07_4b_50, 0);
    writeSizes(sizes, 4, part);
    this.#file.append(sizes);
    if (this.#file.length > maxZipBytes || part.bytes > maxZipBytes)
      throw new AppError('file_unwritable', {
        file: this.#file.name,
        reason: 'a workbook can’t be larger than 4 GB. Export fewer records, or as Parquet',
      });
  }

  addPart(name: string, content: string): void {
    this.begin(name);
    this.add(content);
    this.end();
  }

  /** Writes the directory of the archive. */
  finish(): void {
    const start = this.#file.length;
    for (const part of this.#parts) {
      const entry = Buffer.alloc(46);
      entry.writeUInt32LE(0x02_01_4b_50, 0);
      entry.writeUInt16LE(version, 4);
      writeFields(entry, 6);
      writeSizes(entry, 16, part);
      entry.writeUInt16LE(part.name.length, 28);
      entry.writeUInt32LE(part.at, 42);
      this.#file.append(Buffer.concat([entry, part.name]));
    }
    const end = Buffer.alloc(22);
    end.writeUInt32LE(0x06_05_4b_50, 0);
    end.writeUInt16LE(this.#parts.length, 8);
    end.writeUInt16LE(this.#parts.length, 10);
    end.writeUInt32LE(this.#file.length - start, 12);
    end.writeUInt32LE(start, 16);
    this.#file.append(end);
  }

  #flush(): void {
    if (this.#blockLength === 0) return;
    const block = this.#block.subarray(0, this.#blockLength);
    this.#crc = crc32(block, this.#crc);
    this.#bytes += block.length;
    this.#blockLength = 0;
    // Each block ends at a byte, so that the next one can follow it in the same stream.
    this.#file.append(deflateRawSync(block, { finishFlush: constants.Z_SYNC_FLUSH }));
  }
}

/** The fields that a local header and an entry of the directory have in common. */
function writeFields(target: Buffer, at: number): void {
  target.writeUInt16LE(version, at);
  target.writeUInt16LE(flags, at + 2);
  target.writeUInt16LE(deflated, at + 4);
  target.writeUInt16LE(dosDate, at + 8);
}

function writeSizes(target: Buffer, at: number, { crc, packedBytes, bytes }: Part): void {
  target.writeUInt32LE(crc, at);
  target.writeUInt32LE(packedBytes, at + 4);
  target.writeUInt32LE(bytes, at + 8);
}
