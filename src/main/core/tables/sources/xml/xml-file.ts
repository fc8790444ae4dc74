import { TextDecoder } from 'node:util';
import { AppError } from '../../../../../shared/errors/errors.ts';
import { openSource, type Source } from '../../reading/source.ts';
import { startText } from '../../reading/encoding.ts';
import { unsuitable } from '../../model/unsuitable.ts';
import type { OpenOptions } from '../source.ts';
import { XmlReader, type XmlHandler } from './xml-reader.ts';

const chunkBytes = 256 << 10;

/** An XML file that is read from its start as often as needed. */
export class XmlFile {
  readonly #source: Source;
  readonly #fileName: string;
  readonly #onRead: OpenOptions['onRead'];

  /** @throws AppError file_unreadable */
  constructor(path: string, { fileName, onRead }: Pick<OpenOptions, 'fileName' | 'onRead'>) {
    this.#source = openSource(path, fileName);
    this.#fileName = fileName;
    this.#onRead = onRead;
  }

  /**
   * Reads the whole file in chunks; the handler is called before each yield.
   * @throws AppError file_unsuitable with the line, file_unreadable, cancelled
   */
  *read(handler: XmlHandler, signal: AbortSignal): Generator<void> {
    const reader = new XmlReader(this.#fileName, '', handler);
    const chunk = Buffer.alloc(chunkBytes);
    let decoder: TextDecoder | null = null;
    for (let position = 0; ;) {
      signal.throwIfAborted();
      this.#onRead?.();
      const readBytes = this.#source.read(chunk, 0, chunk.length, position);
      decoder ??= this.#decoder(chunk.subarray(0, readBytes));
      reader.write(this.#decoded(decoder, chunk.subarray(0, readBytes), position, reader));
      position += readBytes;
      if (readBytes === 0) break;
      yield;
    }
    reader.end();
    yield;
  }

  /** The text of a chunk. @throws AppError file_unsuitable with the line of bytes that are invalid in the encoding */
  #decoded(decoder: TextDecoder, chunk: Uint8Array, position: number, reader: XmlReader): string {
    try {
      return decoder.decode(chunk, { stream: chunk.length > 0 });
    } catch {
      // The reader counts the lines before these bytes.
      reader.write(this.#textBeforeDamage(decoder.encoding, position, chunk));
      throw reader.problem(`has bytes that are invalid in ${decoder.encoding.toUpperCase()}`);
    }
  }

  /** The text of a chunk until its first invalid bytes: a character can begin in the chunk before, so all are decoded. */
  #textBeforeDamage(encoding: string, position: number, chunk: Uint8Array): string {
    const decoder = new TextDecoder(encoding, { fatal: true });
    const earlier = Buffer.alloc(chunkBytes);
    let text = '';
    try {
      for (let at = 0; at < position;) {
        this.#onRead?.();
        const readBytes = this.#source.read(earlier, 0, Math.min(earlier.length, position - at), at);
        // The file has become shorter.
        if (readBytes === 0) return '';
        decoder.decode(earlier.subarray(0, readBytes), { stream: true });
        at += readBytes;
      }
      for (let at = 0; at < chunk.length; at++)
        text += decoder.decode(chunk.subarray(at, at + 1), { stream: true });
    } catch (error) {
      if (error instanceof AppError) throw error;
    }
    return text;
  }

  /** By its byte order mark, else its declaration, else UTF-8. */
  #decoder(start: Buffer): TextDecoder {
    const [first = 0, second = 0] = start;
    if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le', { fatal: true });
    if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be', { fatal: true });
    const head = startText(start.subarray(0, 1024));
    const declared = /^\s*<\?xml[^>]*\bencoding\s*=\s*["']([\w.:-]+)["']/.exec(head)?.[1] ?? 'utf-8';
    // A declaration that is readable byte by byte can't be UTF-16, whatever it declares.
    const name = /^utf-?16/i.test(declared) && second !== 0 ? 'utf-8' : declared;
    try {
      return new TextDecoder(name, { fatal: true });
    } catch {
      throw unsuitable(this.#fileName, `its encoding ${declared} isn’t supported. Save it as UTF-8`, 1);
    }
  }

  close(): void {
    this.#source.close();
  }
}
