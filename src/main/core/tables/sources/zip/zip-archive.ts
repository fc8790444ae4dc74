import { Readable } from 'node:stream';
import { crc32, createInflateRaw } from 'node:zlib';
import { AppError } from '../../../../../shared/errors/errors.ts';
import { openSource, type Source } from '../../reading/source.ts';
import { unsuitable } from '../../model/unsuitable.ts';
import { dataStartOf, readBytes, zipEntries, type ZipEntry } from './zip-entries.ts';

const chunkBytes = 64 << 10;
/** Workbooks compress to a tenth or twentieth; zip bombs to a thousandth. */
const maxRatio = 200;
/** The ratio is ignored below this size. */
const minBombBytes = 64 << 20;

/** A zip archive, read by its directory, one entry at a time. */
export class ZipArchive {
  readonly #source: Source;
  readonly #fileName: string;
  readonly #entries: ReadonlyMap<string, ZipEntry>;
  readonly #byLowerCase: ReadonlyMap<string, ZipEntry>;

  /** @throws AppError file_unreadable; file_unsuitable if it isn't an archive or is damaged */
  constructor(path: string, fileName: string) {
    this.#fileName = fileName;
    this.#source = openSource(path, fileName);
    try {
      const entries = zipEntries(this.#source, fileName);
      this.#entries = new Map(entries.map((entry) => [entry.name, entry]));
      this.#byLowerCase = new Map(entries.map((entry) => [entry.name.toLowerCase(), entry]));
    } catch (error) {
      this.#source.close();
      throw error;
    }
  }

  /** The entry of a name, in any case: some programs refer to `sharedStrings.xml`, and store `SharedStrings.xml`. */
  entry(name: string): ZipEntry | undefined {
    return this.#entries.get(name) ?? this.#byLowerCase.get(name.toLowerCase());
  }

  close(): void {
    this.#source.close();
  }

  #damaged(cause?: unknown): AppError {
    const reason = 'the file is damaged or not complete';
    return new AppError('file_unsuitable', { file: this.#fileName, reason }, { cause });
  }

  /**
   * The bytes of an entry, unpacked on demand.
   * @throws AppError file_unsuitable if it is damaged, encrypted, compressed in an unsupported way, or a zip bomb
   */
  async *read(entry: ZipEntry): AsyncGenerator<Buffer> {
    if (entry.isEncrypted) throw unsuitable(this.#fileName, 'it is encrypted. Save it without a password');
    if (entry.method !== 0 && entry.method !== 8)
      throw unsuitable(this.#fileName, `its part ${entry.name} is packed in a way that can't be unpacked`);
    let bytes = 0;
    let crc = 0;
    const taken = { bytes: 0 };
    const chunks = this.#packed(entry, taken);
    const unpacked: AsyncIterable<unknown> | Iterable<Buffer> = entry.method === 0 ? chunks : inflate(chunks);
    try {
      for await (const chunk of unpacked) {
        if (!Buffer.isBuffer(chunk)) continue;
        bytes += chunk.length;
        crc = crc32(chunk, crc);
        if (bytes > minBombBytes && bytes > taken.bytes * maxRatio)
          throw unsuitable(
            this.#fileName,
            `its part ${entry.name} unpacks to more than ${maxRatio} times its size, as in a file made to fill memory`,
          );
        yield chunk;
      }
    } catch (error) {
      if (error instanceof AppError) throw error;
      throw this.#damaged(error);
    }
    if (crc !== entry.crc) throw this.#damaged();
  }

  *#packed(entry: ZipEntry, taken: { bytes: number }): Generator<Buffer> {
    const start = dataStartOf(this.#source, this.#fileName, entry);
    while (taken.bytes < entry.packedBytes) {
      const length = Math.min(chunkBytes, entry.packedBytes - taken.bytes);
      const chunk = readBytes(this.#source, this.#fileName, start + taken.bytes, length);
      taken.bytes += chunk.length;
      yield chunk;
    }
  }
}

/** Unpacks chunks in the thread pool of Node, on demand; a consumer that stops early ends it. */
async function* inflate(chunks: Generator<Buffer>): AsyncGenerator {
  const source = Readable.from(chunks);
  const unpacked = createInflateRaw({ chunkSize: chunkBytes });
  // Errors reach the consumer through the iterator; those after an early end are ignored.
  unpacked.on('error', () => undefined);
  source.on('error', (error) => unpacked.destroy(error));
  try {
    yield* source.pipe(unpacked);
  } finally {
    source.destroy();
    unpacked.destroy();
  }
}
