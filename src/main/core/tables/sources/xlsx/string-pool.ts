import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { closeSync, mkdtempSync, openSync, readSync, rmSync, writeSync } from '../../../../world/files.ts';

const blockBytes = 1 << 20;
/** Number of blocks in memory; others are in a file in the system's temporary folder. */
const maxBlocks = 32;

/** Many texts by number, with memory limited to 32 MB and 8 bytes for each. */
export class StringPool {
  /** End of each text in the concatenated bytes. */
  #ends = new Float64Array(1024);
  #count = 0;
  #bytes = 0;
  readonly #blocks = new Map<number, Buffer>();
  #file: { readonly fd: number; readonly folder: string } | null = null;

  add(text: string): void {
    if (this.#count === this.#ends.length) {
      const larger = new Float64Array(this.#ends.length * 2);
      larger.set(this.#ends);
      this.#ends = larger;
    }
    const length = Buffer.byteLength(text);
    const block = Math.floor(this.#bytes / blockBytes);
    const start = this.#bytes - block * blockBytes;
    if (length <= blockBytes - start) this.#block(block).write(text, start);
    else this.#addAcross(Buffer.from(text));
    this.#bytes += length;
    this.#ends[this.#count++] = this.#bytes;
  }

  #addAcross(bytes: Buffer): void {
    for (let at = 0; at < bytes.length;) {
      const position = this.#bytes + at;
      const block = Math.floor(position / blockBytes);
      at += bytes.copy(this.#block(block), position - block * blockBytes, at);
    }
  }

  /** Text number `index`, from 0; undefined: none. */
  get(index: number): string | undefined {
    if (!(index >= 0 && index < this.#count)) return undefined;
    const start = index === 0 ? 0 : (this.#ends[index - 1] ?? 0);
    const end = this.#ends[index] ?? 0;
    const block = Math.floor(start / blockBytes);
    const from = start - block * blockBytes;
    if (end - block * blockBytes <= blockBytes)
      return this.#block(block).toString('utf8', from, end - block * blockBytes);
    const parts: Buffer[] = [];
    for (let at = start; at < end;) {
      const number = Math.floor(at / blockBytes);
      const stop = Math.min(end, (number + 1) * blockBytes);
      parts.push(
        Buffer.from(this.#block(number).subarray(at - number * blockBytes, stop - number * blockBytes)),
      );
      at = stop;
    }
    return Buffer.concat(parts).toString('utf8');
  }

  /** A block in memory; it replaces the least recently used one. */
  #block(number: number): Buffer {
    const held = this.#blocks.get(number);
    if (held) return held;
    if (this.#blocks.size >= maxBlocks) {
      const [oldest] = this.#blocks;
      if (oldest) {
        this.#file ??= openSpill();
        writeSync(this.#file.fd, oldest[1], 0, blockBytes, oldest[0] * blockBytes);
        this.#blocks.delete(oldest[0]);
      }
    }
    const block = Buffer.alloc(blockBytes);
    if (this.#file) readSync(this.#file.fd, block, 0, blockBytes, number * blockBytes);
    this.#blocks.set(number, block);
    return block;
  }

  close(): void {
    this.#blocks.clear();
    if (!this.#file) return;
    closeSync(this.#file.fd);
    rmSync(this.#file.folder, { recursive: true, force: true });
    this.#file = null;
  }
}

function openSpill(): { fd: number; folder: string } {
  const folder = mkdtempSync(join(tmpdir(), 'wellbench-strings-'));
  return { fd: openSync(join(folder, 'strings'), 'w+'), folder };
}
