import { TextDecoder } from 'node:util';
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
      position += readBytes;
      reader.write(decoder.decode(chunk.subarray(0, readBytes), { stream: readBytes > 0 }));
      if (readBytes === 0) break;
      yield;
    }
    reader.end();
    yield;
  }

  /** By its byte order mark, else its declaration, else UTF-8. */
  #decoder(start: Buffer): TextDecoder {
    const [first = 0, second = 0] = start;
    if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le');
    if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be');
    const head = startText(start.subarray(0, 1024));
    const declared = /^\s*<\?xml[^>]*\bencoding\s*=\s*["']([\w.:-]+)["']/.exec(head)?.[1] ?? 'utf-8';
    // A declaration that is readable byte by byte can't be UTF-16, whatever it declares.
    const name = /^utf-?16/i.test(declared) && second !== 0 ? 'utf-8' : declared;
    try {
      return new TextDecoder(name);
    } catch {
      throw unsuitable(this.#fileName, `its encoding ${declared} isn’t supported. Save it as UTF-8`, 1);
    }
  }

  close(): void {
    this.#source.close();
  }
}
