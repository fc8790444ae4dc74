import { StringDecoder } from 'node:string_decoder';
import { detectEncoding } from '../../reading/encoding.ts';
import type { Source } from '../../reading/source.ts';
import { unsuitable } from '../../model/unsuitable.ts';

const chunkBytes = 64 << 10;
/** Maximum length of a record. */
const maxElementChars = 16 << 20;
const maxDepth = 500;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** An element of an array as text. */
export interface ArrayElement {
  readonly text: string;
  /** Counted from 1. */
  readonly place: number;
  /** Its first line, from 1. */
  readonly line: number;
}

/** Splits the text of a JSON array into its elements without parsing them; memory is limited to one element. */
class ElementCutter {
  readonly #fileName: string;
  #text = '';
  /** Start of the characters that are not examined yet. */
  #at = 0;
  #start = -1;
  #startLine = 1;
  #line = 1;
  #depth = 0;
  #isInString = false;
  #place = 0;
  #state: 'before' | 'inside' | 'behind' = 'before';
  /** What follows: the first element or the end of the list, a comma or the end, or an element. */
  #next: 'first' | 'comma' | 'element' = 'first';

  constructor(fileName: string) {
    this.#fileName = fileName;
  }

  #damaged(what: string): Error {
    return unsuitable(this.#fileName, what, this.#line);
  }

  /** @throws AppError file_unsuitable with the line for anything but an array */
  take(more: string): ArrayElement[] {
    this.#text = this.#text.slice(this.#start < 0 ? this.#at : this.#start) + more;
    this.#at = this.#start < 0 ? 0 : this.#at - this.#start;
    if (this.#start > 0) this.#start = 0;
    if (this.#text.length > maxElementChars + chunkBytes)
      throw this.#damaged('an element is longer than 16 MB');
    const found: ArrayElement[] = [];
    while (this.#at < this.#text.length) {
      if (this.#isInString) this.#skipString();
      else this.#step(this.#text.charCodeAt(this.#at), found);
    }
    return found;
  }

  #skipString(): void {
    const text = this.#text;
    for (let at = text.indexOf('"', this.#at); at >= 0; at = text.indexOf('"', at + 1)) {
      let slashes = 0;
      while (text.charCodeAt(at - 1 - slashes) === BACKSLASH) slashes++;
      if (slashes % 2 === 1) continue;
      this.#at = at + 1;
      this.#isInString = false;
      return;
    }
    this.#at = text.length;
  }

  #step(code: number, found: ArrayElement[]): void {
    this.#at++;
    if (code === 0x0a) this.#line++;
    if (code <= 0x20) return;
    if (this.#state === 'before') {
      if (code !== 0x5b)
        throw this.#damaged('it isn’t a list of records. Wellbench reads an array of objects');
      this.#state = 'inside';
      return;
    }
    if (this.#state === 'behind') throw this.#damaged('something follows the end of its list');
    const isOpening = code === 0x7b || code === 0x5b;
    const isClosing = code === 0x7d || code === 0x5d;
    if (this.#depth > 0) {
      if (code === QUOTE) this.#isInString = true;
      else if (isOpening && ++this.#depth > maxDepth)
        throw this.#damaged('its objects are nested too deeply');
      else if (isClosing && --this.#depth === 0) this.#end(found);
      return;
    }
    if (code === 0x7b && this.#next !== 'comma') {
      this.#start = this.#at - 1;
      this.#startLine = this.#line;
      this.#depth = 1;
    } else if (code === 0x2c && this.#next === 'comma') this.#next = 'element';
    else if (code === 0x5d && this.#next !== 'element') this.#state = 'behind';
    else if (this.#next === 'comma') throw this.#damaged(`a comma is missing after element ${this.#place}`);
    else throw this.#damaged(`element ${this.#place + 1} is no object`);
  }

  #end(found: ArrayElement[]): void {
    const text = this.#text.slice(this.#start, this.#at);
    found.push({ text, place: ++this.#place, line: this.#startLine });
    this.#start = -1;
    this.#next = 'comma';
  }

  /** @throws AppError file_unsuitable if the list has no end */
  end(): void {
    if (this.#state === 'behind') return;
    throw this.#damaged(`it ends too early, after element ${this.#place}`);
  }
}

/**
 * The elements of a file that holds one JSON array of objects, in batches.
 * @throws AppError file_unsuitable with the line, file_unreadable, cancelled
 */
export function* arrayElements(
  source: Source,
  fileName: string,
  signal: AbortSignal,
): Generator<ArrayElement[]> {
  const encoding = detectEncoding(source.sample(), false);
  if (!['UTF-8', 'UTF-16LE'].includes(encoding.name)) throw unsuitable(fileName, 'JSON must be in UTF-8');
  const decoder = new StringDecoder(encoding.name === 'UTF-8' ? 'utf8' : 'utf16le');
  const cutter = new ElementCutter(fileName);
  const chunk = Buffer.alloc(chunkBytes);
  for (let position = encoding.bom; ;) {
    signal.throwIfAborted();
    const got = source.read(chunk, 0, chunk.length, position);
    if (got === 0) break;
    position += got;
    const found = cutter.take(decoder.write(chunk.subarray(0, got)));
    if (found.length > 0) yield found;
  }
  cutter.end();
}
