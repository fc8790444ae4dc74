import { isUtf8 } from 'node:buffer';
import { StringDecoder } from 'node:string_decoder';
import { childPath } from '../../../../shared/column-paths.ts';
import { endOfComposite, endOfString, incomplete, tooDeep } from '../../records/json-text.ts';
import { unsuitable } from '../../../../shared/errors/errors.ts';
import { detectEncoding } from '../reading/encoding.ts';
import type { Source } from '../reading/source.ts';

/** Bytes that are read at once. */
const chunkBytes = 64 << 10;
/** Maximum length of a value that is read as a whole, such as a record. */
const maxPieceBytes = 16 << 20;
/** Maximum depth of objects and lists in a value. */
const maxDepth = 500;
/** Maximum depth of the objects around the lists of a file. */
const maxOuterDepth = 64;
const code = (character: string): number => character.charCodeAt(0);
const [quote, comma, colon] = [code('"'), code(','), code(':')];
const [openObject, closeObject, openList, closeList] = [code('{'), code('}'), code('['), code(']')];

/**
 * What is read as a whole. `lists`: the elements of lists; objects around them are opened. `logs`: the same, but the
 * elements of the outermost list are opened, too. `values`: the values of the file, which follow each other.
 */
export type PieceKind = 'lists' | 'logs' | 'values';

/** A value of a file as text. */
export interface JsonPiece {
  readonly text: string;
  readonly kind: 'object' | 'list' | 'other';
  /** Its path; of an element, that of its list. The list of a file that is one has an empty path. */
  readonly path: string;
  /** Of the outermost list, the element that was opened and contains it, from 1; 0: none. */
  readonly log: number;
  /** Its place in the list, or among the values of the file, from 1; 0: it is a member of an object. */
  readonly place: number;
  /** Its first line, from 1. */
  readonly line: number;
}

/** The file has more than one value: it is read again as a sequence of them. */
export class SeveralValues extends Error {}

/** An open object or list around the pieces. */
interface Frame {
  readonly isList: boolean;
  readonly path: string;
  readonly log: number;
}

/** Splits a file of JSON into pieces without parsing them; memory is limited to one piece. */
class PieceReader {
  readonly #fileName: string;
  readonly #what: PieceKind;
  readonly #readMore: (bytes: number) => Buffer | null;
  #bytes: Buffer = Buffer.alloc(0);
  #at = 0;
  #line = 1;
  #depth = 0;
  /** Elements of the innermost list that are complete, for a message. */
  #complete = 0;

  constructor(fileName: string, what: PieceKind, readMore: (bytes: number) => Buffer | null) {
    this.#fileName = fileName;
    this.#what = what;
    this.#readMore = readMore;
  }

  /** @throws AppError file_unsuitable with the line for anything but JSON; SeveralValues */
  *pieces(): Generator<JsonPiece> {
    const isSequence = this.#what === 'values';
    const first = this.#next();
    if (first === null) throw this.#early();
    for (let byte: number | null = first, place = 1; byte !== null; byte = this.#next(), place += 1) {
      if (place > 1 && !isSequence) {
        if (byte === openObject && first === openObject) throw new SeveralValues();
        throw this.#damaged('something follows the end of its list');
      }
      if (byte !== openObject && (isSequence || byte !== openList))
        throw this.#damaged('it isn’t a list of records. Wellbench reads an array of objects');
      if (isSequence) yield this.#piece(byte, { path: '', log: 0, place });
      else yield* this.#members({ isList: byte === openList, path: '', log: 0 });
    }
  }

  #damaged(what: string): Error {
    return unsuitable(this.#fileName, what, this.#line);
  }

  #early(): Error {
    return this.#damaged(
      this.#complete === 0 ? 'it ends too early' : `it ends too early, after element ${this.#complete}`,
    );
  }

  /** Drops what was read, and reads more. Returns whether there is more. */
  #fill(): boolean {
    const rest = this.#bytes.subarray(this.#at);
    if (rest.length > maxPieceBytes) throw this.#damaged('an element is longer than 16 MB');
    // As much again as is there, because an incomplete value is searched for its end from its start.
    const more = this.#readMore(Math.max(chunkBytes, rest.length));
    if (more === null) return false;
    this.#bytes = Buffer.concat([rest, more]);
    this.#at = 0;
    return true;
  }

  /** The next byte that isn't white space; null: the file ends. */
  #next(): number | null {
    for (;;) {
      const byte = this.#bytes[this.#at];
      if (byte === undefined) {
        if (!this.#fill()) return null;
      } else if (byte > 0x20) return byte;
      else {
        if (byte === 0x0a) this.#line += 1;
        this.#at += 1;
      }
    }
  }

  #required(): number {
    const byte = this.#next();
    if (byte === null) throw this.#early();
    return byte;
  }

  /** The text of the value at the current position, which begins with a byte; the position moves behind it. */
  #text(byte: number): string {
    let end = this.#endFrom(byte);
    while (end === incomplete) {
      if (!this.#fill()) throw this.#early();
      end = this.#endFrom(byte);
    }
    if (end === tooDeep) throw this.#damaged('its objects are nested too deeply');
    const start = this.#at;
    const text = this.#bytes.toString('utf8', start, end);
    // The file itself can contain U+FFFD.
    if (text.includes('\uFFFD') && !isUtf8(this.#bytes.subarray(start, end)))
      throw this.#damaged('an element has bytes that are invalid in UTF-8');
    for (
      let at = this.#bytes.indexOf(0x0a, start);
      at >= 0 && at < end;
      at = this.#bytes.indexOf(0x0a, at + 1)
    )
      this.#line += 1;
    this.#at = end;
    return text;
  }

  #endFrom(byte: number): number {
    if (byte === quote) return endOfString(this.#bytes, this.#at);
    if (byte === openObject || byte === openList) return endOfComposite(this.#bytes, this.#at, maxDepth);
    // A number or a literal ends where something else begins.
    for (let at = this.#at; at < this.#bytes.length; at += 1) {
      const next = this.#bytes[at] ?? 0;
      if (next <= 0x20 || next === comma || next === closeList || next === closeObject) return at;
    }
    return incomplete;
  }

  #piece(byte: number, place: Pick<JsonPiece, 'path' | 'log' | 'place'>): JsonPiece {
    const line = this.#line;
    const kind = byte === openObject ? 'object' : byte === openList ? 'list' : 'other';
    return { text: this.#text(byte), kind, line, ...place };
  }

  /** The pieces in an object or a list, whose opening bracket is at the current position. */
  *#members(frame: Frame): Generator<JsonPiece> {
    this.#depth += 1;
    if (this.#depth > maxOuterDepth) throw this.#damaged('its objects are nested too deeply');
    this.#at += 1;
    const { isList } = frame;
    const closing = isList ? closeList : closeObject;
    this.#complete = 0;
    let byte = this.#required();
    for (let count = 1; byte !== closing || count > 1; count += 1) {
      const name = isList ? '' : this.#name(byte);
      const shown = isList ? `element ${count}` : `“${name.slice(0, 60)}”`;
      yield* this.#member(frame, { count, name, shown });
      this.#complete = isList ? count : 0;
      byte = this.#required();
      if (byte === closing) break;
      if (byte !== comma) throw this.#damaged(`a comma is missing after ${shown}`);
      this.#at += 1;
      byte = this.#required();
    }
    this.#at += 1;
    this.#depth -= 1;
  }

  *#member(
    { isList, path, log }: Frame,
    { count, name, shown }: { readonly count: number; readonly name: string; readonly shown: string },
  ): Generator<JsonPiece> {
    const byte = this.#required();
    const isContainer = byte === openObject || byte === openList;
    const memberPath = isList ? path : childPath(path, name);
    if (byte === comma || byte === closeList || byte === closeObject)
      throw this.#damaged(isList ? `${shown} is missing` : `${shown} has no value`);
    if (isList && this.#what === 'logs' && this.#depth === 1 && byte === openObject)
      yield* this.#members({ isList: false, path: '', log: count });
    else if (!isList && isContainer)
      yield* this.#members({ isList: byte === openList, path: memberPath, log });
    else yield this.#piece(byte, { path: memberPath, log, place: isList ? count : 0 });
  }

  /** The name of a member, and the colon behind it. */
  #name(byte: number): string {
    if (byte !== quote) throw this.#damaged('the name of a value is missing');
    const text = this.#text(byte);
    const name = this.#parsedName(text);
    if (this.#required() !== colon) throw this.#damaged(`a colon is missing after “${name.slice(0, 60)}”`);
    this.#at += 1;
    return name;
  }

  #parsedName(text: string): string {
    try {
      return String(JSON.parse(text));
    } catch {
      throw this.#damaged(`the name ${text.slice(0, 60)} is not valid JSON`);
    }
  }
}

/** Pieces that are passed on together. */
const batchSize = 256;

/**
 * The pieces of a file of JSON, in batches.
 * @throws AppError file_unsuitable with the line, file_unreadable, cancelled; SeveralValues
 */
export function* jsonPieces(
  source: Source,
  fileName: string,
  what: PieceKind,
  signal: AbortSignal,
): Generator<readonly JsonPiece[]> {
  const encoding = detectEncoding(source.sample(), false);
  if (!['UTF-8', 'UTF-16LE'].includes(encoding.name)) throw unsuitable(fileName, 'JSON must be in UTF-8');
  const decoder = encoding.name === 'UTF-8' ? null : new StringDecoder('utf16le');
  let position = encoding.bom;
  const reader = new PieceReader(fileName, what, (bytes) => {
    signal.throwIfAborted();
    const chunk = Buffer.allocUnsafe(bytes);
    const length = source.read(chunk, 0, bytes, position);
    position += length;
    if (length === 0) return null;
    const content = chunk.subarray(0, length);
    return decoder ? Buffer.from(decoder.write(content)) : content;
  });
  let batch: JsonPiece[] = [];
  for (const piece of reader.pieces()) {
    batch.push(piece);
    if (batch.length < batchSize) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}
