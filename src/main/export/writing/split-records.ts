import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { GrowingFile, realDisk } from '../../files/growing-file.ts';
import { type PathTree } from '../records/path-tree.ts';
import { endOf, type ScannedPage, startOf } from '../records/scan.ts';
import { Spool } from './spool.ts';

/** Bytes of records in memory before they are appended to the files of their partitions. */
const maxBufferedBytes = 32 << 20;
const firstBufferBytes = 4096;
const newline = 10;

interface PartitionRecords {
  readonly file: string;
  buffer: Buffer;
  bufferedBytes: number;
  fileBytes: number;
  /** The time of the last record, in milliseconds; null: none has a time. */
  last: number | null;
}

/** Records divided by partition, each in a temporary file of JSON lines. */
export class SplitRecords {
  readonly #folder: string;
  readonly #name: string;
  readonly #partitions = new Map<string, PartitionRecords>();
  #bufferedBytes = 0;

  /**
   * @param folder for the temporary files; earlier content is removed
   * @param name of the export, for errors
   */
  constructor(folder: string, name: string) {
    this.#folder = folder;
    this.#name = name;
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  }

  /** The folders of the partitions with records. */
  get partitions(): readonly string[] {
    return [...this.#partitions.keys()];
  }

  /** Whether a partition has records. */
  has(partition: string): boolean {
    return this.#partitions.has(partition);
  }

  /** The time of the last record of a partition; null: it has no records, or none with a time. */
  lastOf(partition: string): number | null {
    return this.#partitions.get(partition)?.last ?? null;
  }

  /** @throws AppError `disk_full`, `file_unwritable` */
  add(partition: string, page: ScannedPage, record: number, ms: number | null): void {
    const records = this.#partitions.get(partition) ?? this.#begin(partition);
    const [start, end] = [startOf(page, record), endOf(page, record)];
    const length = end - start + 1;
    const needed = records.bufferedBytes + length;
    if (needed > records.buffer.length) {
      const larger = Buffer.allocUnsafe(Math.max(firstBufferBytes, needed, records.buffer.length * 2));
      records.buffer.copy(larger, 0, 0, records.bufferedBytes);
      records.buffer = larger;
    }
    page.bytes.copy(records.buffer, records.bufferedBytes, start, end);
    records.buffer[needed - 1] = newline;
    records.bufferedBytes = needed;
    if (ms !== null && (records.last === null || ms > records.last)) records.last = ms;
    this.#bufferedBytes += length;
    if (this.#bufferedBytes > maxBufferedBytes) this.flush();
  }

  /** @throws AppError `disk_full`, `file_unwritable` */
  flush(): void {
    for (const records of this.#partitions.values()) {
      if (records.bufferedBytes === 0) continue;
      const file = this.#open(records);
      try {
        file.append(records.buffer.subarray(0, records.bufferedBytes));
      } finally {
        file.close();
      }
      records.fileBytes += records.bufferedBytes;
      records.bufferedBytes = 0;
      records.buffer = Buffer.alloc(0);
    }
    this.#bufferedBytes = 0;
  }

  /** The records of a partition in pages; a page is valid until the next one. */
  *pages(partition: string, tree: PathTree): Generator<ScannedPage> {
    const records = this.#partitions.get(partition);
    if (!records) return;
    const file = this.#open(records);
    try {
      yield* new Spool(file).pages(tree);
    } finally {
      file.close();
    }
  }

  remove(): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }

  #begin(partition: string): PartitionRecords {
    const file = join(this.#folder, `${this.#partitions.size}.ndjson`);
    const records = { file, buffer: Buffer.alloc(0), bufferedBytes: 0, fileBytes: 0, last: null };
    this.#partitions.set(partition, records);
    return records;
  }

  #open({ file, fileBytes }: PartitionRecords): GrowingFile {
    return new GrowingFile({ disk: realDisk, path: file, name: this.#name }, fileBytes);
  }
}
