import { StringDecoder } from 'node:string_decoder';
import { TextDecoder } from 'node:util';
import { SaxesParser } from 'saxes';
import { type AppError, unsuitable } from '../../../../shared/errors/errors.ts';
import { startText, type Source } from '../reading/source.ts';

const named: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/** Text of XML with its five named entities and character references resolved; others stay as they are. */
export function decodeXml(text: string): string {
  if (!text.includes('&')) return text;
  return text.replaceAll(/&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|([a-z]{2,4}));/gi, (whole, hex, decimal, name) => {
    if (typeof name === 'string') return named[name] ?? whole;
    const code = typeof hex === 'string' ? Number.parseInt(hex, 16) : Number(decimal);
    return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });
}

/** An attribute of an opening tag, such as `t` of ` r="A1" t="s"`; undefined: none. */
export function attributeOf(tag: string, name: string): string | undefined {
  const at = tag.indexOf(` ${name}="`);
  if (at >= 0) {
    const start = at + name.length + 3;
    return decodeXml(tag.slice(start, tag.indexOf('"', start)));
  }
  if (!/['\t\n\r]|\s=|=\s/.test(tag)) return undefined;
  const match = new RegExp(`\\s${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)')`).exec(tag);
  return match ? decodeXml(match[1] ?? match[2] ?? '') : undefined;
}

/** Callbacks for the parts of an XML document. Names have no prefix. */
export interface XmlHandler {
  open?(name: string, attributes: Readonly<Record<string, string>>): void;
  /** @param text of an element without children */
  close?(name: string, text: string): void;
}

const maxDepth = 64;
const maxTextChars = 16 << 20;

const localName = (name: string): string => name.slice(name.indexOf(':') + 1);

/** A strict streaming parser with bounded memory that rejects document types, and so entities. */
export class XmlReader {
  readonly #fileName: string;
  readonly #part: string;
  readonly #parser = new SaxesParser({ xmlns: false });
  readonly #texts: string[] = [];
  #charsSinceTag = 0;

  /**
   * @param part its name in errors, such as `its list of sheets`; empty: the file itself
   * @throws AppError nothing itself: what its callbacks throw comes out of {@link write}
   */
  constructor(fileName: string, part: string, handler: XmlHandler) {
    this.#fileName = fileName;
    this.#part = part;
    const parser = this.#parser;
    parser.on('doctype', () => {
      throw this.problem('declares a document type (DOCTYPE), which is not allowed');
    });
    parser.on('opentag', ({ name, attributes }) => {
      this.#charsSinceTag = 0;
      // Blanks between the children of an element aren't part of its text.
      if (this.#texts.length > 0) this.#texts[this.#texts.length - 1] = '';
      this.#texts.push('');
      if (this.#texts.length > maxDepth) throw this.problem('has elements that are nested too deeply');
      handler.open?.(localName(name), attributes);
    });
    const addText = (text: string): void => {
      const depth = this.#texts.length - 1;
      if (depth >= 0) this.#texts[depth] += text;
    };
    parser.on('text', addText);
    parser.on('cdata', addText);
    parser.on('closetag', ({ name }) => {
      this.#charsSinceTag = 0;
      const text = this.#texts.pop() ?? '';
      handler.close?.(localName(name), text);
    });
    parser.on('error', (error) => {
      const words = error.message.replace(/^(?:\d+:\d+: )?(.*?)\.?$/s, '$1');
      throw this.problem(`has damaged XML (${words})`);
    });
  }

  /** An error at the line that is being read. @param what what the file or part does, such as `has damaged XML` */
  problem(what: string): AppError {
    const reason = `${this.#part === '' ? 'it' : this.#part} ${what}`;
    return unsuitable(this.#fileName, reason, this.#parser.line);
  }

  /** @throws AppError file_unsuitable with the line for XML that is damaged, too deep, or has a document type */
  write(text: string): void {
    this.#charsSinceTag += text.length;
    this.#parser.write(text);
    if (this.#charsSinceTag > maxTextChars) throw this.problem('has an element of more than 16 MB');
  }

  /** @throws AppError file_unsuitable if the XML is incomplete */
  end(): void {
    this.#parser.close();
  }
}

const chunkBytes = 256 << 10;

/**
 * Reads a whole file of XML in chunks; the handler is called before each yield.
 * @throws AppError file_unsuitable with the line, file_unreadable, cancelled
 */
export function* readXml(source: Source, handler: XmlHandler): Generator<void> {
  const { fileName } = source;
  const reader = new XmlReader(fileName, '', handler);
  const chunk = Buffer.alloc(chunkBytes);
  let strict: TextDecoder | null = null;
  let lenient: TextDecoder | null = null;
  for (let position = 0; ;) {
    const bytes = chunk.subarray(0, source.read(chunk, 0, chunk.length, position));
    const options = { stream: bytes.length > 0 };
    strict ??= xmlDecoder(bytes, fileName);
    lenient ??= new TextDecoder(strict.encoding);
    const text = lenient.decode(bytes, options);
    try {
      strict.decode(bytes, options);
    } catch {
      // The reader counts the lines before invalid bytes.
      reader.write(text.slice(0, text.indexOf('\uFFFD')));
      throw reader.problem(`has bytes that are invalid in ${strict.encoding.toUpperCase()}`);
    }
    reader.write(text);
    position += bytes.length;
    if (bytes.length === 0) break;
    yield;
  }
  reader.end();
  yield;
}

/** By its byte order mark, else its declaration, else UTF-8. */
function xmlDecoder(start: Buffer, fileName: string): TextDecoder {
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
    throw unsuitable(fileName, `its encoding ${declared} isn’t supported. Save it as UTF-8`, 1);
  }
}

/** An element that is repeated within another one, such as `row` in `sheetData`. */
interface ScanTarget {
  readonly fileName: string;
  readonly container: string;
  readonly element: string;
  /** The name of the part in errors, such as `the sheet “Wells”`. */
  readonly part: string;
}

/** Maximum length of the text before the first element, and of an element. */
const maxHeldChars = 8 << 20;
/** Maximum length of the text behind the container that is returned. */
const maxRestChars = 1 << 20;

/**
 * Splits XML into the elements of one name within their container without parsing all of it, in a tenth of the time of
 * a parser. Gives their texts, from `<` to `>`, and the prefix of their names. Only blanks and comments are allowed between them. Memory is limited to one element.
 * @throws AppError file_unsuitable for XML that is damaged, truncated, or declares entities
 */
export async function* scanElements(
  chunks: AsyncIterable<Buffer>,
  { fileName, container, element, part }: ScanTarget,
  {
    onStart,
    onEnd,
  }: { readonly onStart?: (text: string) => void; readonly onEnd?: (text: string) => void } = {},
) {
  const containerTag = new RegExp(`<(?:([\\w.-]+):)?${container}(?=[\\s/>])[^>]*>`);
  let decoder: StringDecoder | null = null;
  let text = '';
  let prefix: string | null = null;
  let isDone = false;
  // A long element is searched again only when it has grown by half, so that time stays linear.
  let minChars = 0;
  const take = () => {
    if (prefix === null) {
      if (/<!DOCTYPE/i.test(text.slice(0, 100_000)))
        throw unsuitable(fileName, `${part} declares a document type (DOCTYPE), which is not allowed`);
      const match = containerTag.exec(text);
      if (!match) return null;
      prefix = match[1] === undefined ? '' : `${match[1]}:`;
      onStart?.(text.slice(0, match.index));
      text = text.slice(match.index + match[0].length);
      isDone = match[0].endsWith('/>');
      if (isDone) return null;
    }
    const { texts, end, isEnd } = cutElements(text, `${prefix}${element}`, `${prefix}${container}`);
    if (end < 0) throw unsuitable(fileName, `${part} has damaged XML`);
    isDone = isEnd;
    text = text.slice(end);
    return texts.length > 0 ? { prefix, texts } : null;
  };
  for await (const chunk of chunks) {
    if (isDone && (!onEnd || text.length > maxRestChars)) continue;
    decoder ??= new StringDecoder(chunk[0] === 0xff && chunk[1] === 0xfe ? 'utf16le' : 'utf8');
    text += decoder.write(chunk);
    if (isDone) continue;
    if (text.length > maxHeldChars) throw unsuitable(fileName, `${part} has an element of more than 8 MB`);
    if (text.length < minChars) continue;
    const element = take();
    minChars = text.length * 1.5;
    if (element) yield element;
  }
  const rest = isDone ? null : take();
  if (rest) yield rest;
  if (!isDone) throw unsuitable(fileName, `${part} ends too early`);
  onEnd?.(text);
}

/** @returns the start of the next element; -1: there is other content */
function cutElements(
  text: string,
  element: string,
  container: string,
): { texts: string[]; end: number; isEnd: boolean } {
  const texts: string[] = [];
  const open = `<${element}`;
  const close = `</${element}>`;
  const last = `</${container}`;
  let at = 0;
  for (;;) {
    while (text.charCodeAt(at) <= 0x20) at++;
    if (text.startsWith(open, at)) {
      const tagEnd = text.indexOf('>', at);
      if (tagEnd < 0) return { texts, end: at, isEnd: false };
      const isEmpty = text.charCodeAt(tagEnd - 1) === 0x2f;
      const closeAt = isEmpty ? tagEnd : text.indexOf(close, tagEnd);
      if (closeAt < 0) return { texts, end: at, isEnd: false };
      const end = isEmpty ? tagEnd + 1 : closeAt + close.length;
      texts.push(text.slice(at, end));
      at = end;
    } else if (text.startsWith(last, at)) return { texts, end: at, isEnd: true };
    else if (text.startsWith('<!--', at)) {
      const end = text.indexOf('-->', at);
      if (end < 0) return { texts, end: at, isEnd: false };
      at = end + 3;
    } else {
      const isCut = text.length - at < last.length + 2;
      return { texts, end: isCut ? at : -1, isEnd: false };
    }
  }
}
