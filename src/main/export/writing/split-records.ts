import { createHash, type Hash } from 'node:crypto';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { GrowingFile, realDisk } from '../../files/growing-file.ts';
import { noStats, type PartStats, StatsCollector } from '../census/tally.ts';
import { type PathTree } from '../records/path-tree.ts';
import { endOf, idOf, type ScannedPage, startOf } from '../records/scan.ts';
import { Spool } from './spool.ts';

/** Bytes of records in memory before they are appended to the files of their partitions. */
const maxBufferedBytes = 32 << 20;
const firstBufferBytes = 4096;
const newline = 10;

/** The `_id` of a record as text; null: it has none. */
export function idText(page: ScannedPage, record: number): string | null {
  const json = idOf(page, record);
  return json?.startsWith('"') === true ? String(JSON.parse(json)) : json;
}

interface PartitionRecords {
  readonly file: string;
  buffer: Buffer;
  bufferedBytes: number;
  fileBytes: number;
  readonly stats: StatsCollector;
  /** Of all its records. */
  readonly hash: Hash;
}

/** Records divided by partition, each in a temporary file of JSON lines. */
export class SplitRecords {
  readonly #folder: string;
  readonly #name: string;
  readonly #partitions = new Map<string, PartitionRecords>();
  readonly #belowMs: number | null;
  #bufferedBytes = 0;

  /**
   * @param folder for the temporary files; earlier content is removed
   * @param name of the export, for errors
   * @param belowMs earlier records are compared with the service; null: all
   */
  constructor(folder: string, name: string, belowMs: number | null) {
    this.#belowMs = belowMs;
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

  statsOf(partition: string): PartStats {
    return this.#partitions.get(partition)?.stats.stats ?? noStats;
  }

  /** A digest of the records of a partition; null: it has none. */
  digestOf(partition: string): string | null {
    return this.#partitions.get(partition)?.hash.copy().digest('hex') ?? null;
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
    records.hash.update(records.buffer.subarray(records.bufferedBytes, needed));
    records.bufferedBytes = needed;
    records.stats.add(idText(page, record), ms);
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
    const stats = new StatsCollector(this.#belowMs);
    const hash = createHash('sha256');
    const records = { file, buffer: Buffer.alloc(0), bufferedBytes: 0, fileBytes: 0, stats, hash };
    this.#partitions.set(partition, records);
    return records;
  }

  #open({ file, fileBytes }: PartitionRecords): GrowingFile {
    return new GrowingFile({ disk: realDisk, path: file, name: this.#name }, fileBytes);
  }
}
