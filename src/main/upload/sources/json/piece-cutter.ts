import { childPath } from '../../../../shared/column-paths.ts';
import { unsuitable } from '../../model/unsuitable.ts';

/** Bytes that are read at once. */
export const chunkBytes = 64 << 10;
/** Maximum length of a value that is read as a whole, such as a record. */
const maxPieceChars = 16 << 20;
/** Maximum depth of objects and lists in a value. */
const maxDepth = 500;
/** Maximum depth of the objects around the lists of a file. */
const maxOuterDepth = 64;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;

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
  /** Elements that have begun. */
  count: number;
  name: string;
  next: 'first' | 'name' | 'colon' | 'value' | 'comma';
}

type Captured = JsonPiece['kind'] | 'name';

/** Splits JSON text into pieces without parsing them; memory is limited to one piece. */
export class PieceCutter {
  readonly #fileName: string;
  readonly #what: PieceKind;
  #text = '';
  /** Start of the characters that are not examined yet. */
  #at = 0;
  #line = 1;
  readonly #frames: Frame[] = [];
  /** The value or the name that is being read. */
  #captured: Captured | null = null;
  #start = 0;
  #startLine = 1;
  #depth = 0;
  #isInString = false;
  /** Values of the file that have begun. */
  #values = 0;
  /** Whether the first value of the file is an object. */
  #isObject = false;
  #log = 0;
  #found: JsonPiece[] = [];

  constructor(fileName: string, what: PieceKind) {
    this.#fileName = fileName;
    this.#what = what;
  }

  #damaged(what: string): Error {
    return unsuitable(this.#fileName, what, this.#line);
  }

  /** @throws AppError file_unsuitable with the line for anything but JSON; SeveralValues */
  take(more: string): JsonPiece[] {
    const from = this.#captured === null ? this.#at : this.#start;
    this.#text = this.#text.slice(from) + more;
    this.#at -= from;
    this.#start = 0;
    if (this.#captured !== null && this.#text.length > maxPieceChars + chunkBytes)
      throw this.#damaged('an element is longer than 16 MB');
    this.#found = [];
    while (this.#at < this.#text.length) {
      if (this.#isInString) this.#skipString();
      else if (this.#captured === 'other') this.#skipWord();
      else if (this.#captured !== null) this.#skipInside();
      else this.#step(this.#text.charCodeAt(this.#at));
    }
    return this.#found;
  }

  #skipString(): void {
    const text = this.#text;
    for (let at = text.indexOf('"', this.#at); at >= 0; at = text.indexOf('"', at + 1)) {
      let slashes = 0;
      while (text.charCodeAt(at - 1 - slashes) === BACKSLASH) slashes++;
      if (slashes % 2 === 1) continue;
      this.#at = at + 1;
      this.#isInString = false;
      if (this.#depth === 0) this.#endCapture();
      return;
    }
    this.#at = text.length;
  }

  /** Skips a number or a literal. */
  #skipWord(): void {
    const text = this.#text;
    while (this.#at < text.length) {
      const code = text.charCodeAt(this.#at);
      if (code <= 0x20 || code === COMMA || code === 0x5d || code === 0x7d) return this.#endCapture();
      this.#at++;
    }
  }

  /** Skips to the next text in an object or a list, or to its end. */
  #skipInside(): void {
    const text = this.#text;
    while (this.#at < text.length) {
      const code = text.charCodeAt(this.#at++);
      if (code === QUOTE) this.#isInString = true;
      else if (code === 0x0a) this.#line++;
      else if (code === 0x7b || code === 0x5b) this.#depth++;
      else if ((code === 0x7d || code === 0x5d) && --this.#depth === 0) return this.#endCapture();
      if (this.#isInString) return;
      if (this.#depth > maxDepth) throw this.#damaged('its objects are nested too deeply');
    }
  }

  #step(code: number): void {
    if (code === 0x0a) this.#line++;
    if (code <= 0x20) {
      this.#at++;
      return;
    }
    const frame = this.#frames.at(-1);
    if (!frame) this.#beginTop(code);
    else if (frame.next === 'comma') this.#endMember(frame, code);
    else if (frame.next === 'first' && code === (frame.isList ? 0x5d : 0x7d)) this.#close();
    else if (frame.next === 'colon') {
      if (code !== 0x3a) throw this.#damaged(`a colon is missing after “${frame.name.slice(0, 60)}”`);
      this.#at++;
      frame.next = 'value';
    } else if (!frame.isList && frame.next !== 'value') {
      if (code !== QUOTE) throw this.#damaged('the name of a value is missing');
      this.#capture('name', code);
    } else this.#beginValue(frame, code);
  }

  #beginTop(code: number): void {
    const isSequence = this.#what === 'values';
    if (this.#values > 0 && !isSequence) {
      if (code === 0x7b && this.#isObject) throw new SeveralValues();
      throw this.#damaged('something follows the end of its list');
    }
    if (code !== 0x7b && (isSequence || code !== 0x5b))
      throw this.#damaged('it isn’t a list of records. Wellbench reads an array of objects');
    this.#values++;
    this.#isObject = code === 0x7b;
    if (isSequence) this.#capture('object', code);
    else this.#open(code, '');
  }

  #beginValue(frame: Frame, code: number): void {
    frame.count++;
    const isContainer = code === 0x7b || code === 0x5b;
    const isOpened = frame.isList
      ? this.#what === 'logs' && this.#frames.length === 1 && code === 0x7b
      : isContainer;
    if (isOpened) {
      if (frame.isList) this.#log = frame.count;
      this.#open(code, frame.isList ? '' : childPath(frame.path, frame.name));
    } else if (code === COMMA || code === 0x5d || code === 0x7d)
      throw this.#damaged(
        frame.isList ? `element ${frame.count} is missing` : `“${frame.name.slice(0, 60)}” has no value`,
      );
    else this.#capture(code === 0x7b ? 'object' : code === 0x5b ? 'list' : 'other', code);
  }

  #open(code: number, path: string): void {
    if (this.#frames.length >= maxOuterDepth) throw this.#damaged('its objects are nested too deeply');
    this.#frames.push({ isList: code === 0x5b, path, count: 0, name: '', next: 'first' });
    this.#at++;
  }

  #close(): void {
    this.#at++;
    this.#frames.pop();
    const above = this.#frames.at(-1);
    if (above) above.next = 'comma';
    if (this.#frames.length <= 1) this.#log = 0;
  }

  #endMember(frame: Frame, code: number): void {
    if (code === (frame.isList ? 0x5d : 0x7d)) this.#close();
    else if (code === COMMA) {
      this.#at++;
      frame.next = frame.isList ? 'value' : 'name';
    } else
      throw this.#damaged(
        `a comma is missing after ${frame.isList ? `element ${frame.count}` : `“${frame.name.slice(0, 60)}”`}`,
      );
  }

  #capture(what: Captured, code: number): void {
    this.#captured = what;
    this.#start = this.#at;
    this.#startLine = this.#line;
    this.#depth = what === 'object' || what === 'list' ? 1 : 0;
    this.#isInString = code === QUOTE;
    // A word has its first character yet to be examined.
    this.#at++;
  }

  #endCapture(): void {
    const text = this.#text.slice(this.#start, this.#at);
    const what = this.#captured;
    const frame = this.#frames.at(-1);
    this.#captured = null;
    if (what === 'name' && frame) {
      frame.name = this.#parsedName(text);
      frame.next = 'colon';
      return;
    }
    if (frame) frame.next = 'comma';
    if (what === null || what === 'name') return;
    this.#found.push({
      text,
      kind: what,
      path: frame && !frame.isList ? childPath(frame.path, frame.name) : (frame?.path ?? ''),
      log: this.#log,
      place: frame ? (frame.isList ? frame.count : 0) : this.#values,
      line: this.#startLine,
    });
  }

  #parsedName(text: string): string {
    try {
      return String(JSON.parse(text));
    } catch {
      throw this.#damaged(`the name ${text.slice(0, 60)} is not valid JSON`);
    }
  }

  /** @throws AppError file_unsuitable if the text has no end */
  end(): void {
    if (this.#frames.length === 0 && this.#captured === null && this.#values > 0) return;
    const [outermost] = this.#frames;
    const frame = this.#frames.at(-1);
    const complete = frame?.isList === true ? frame.count - (this.#captured === null ? 0 : 1) : 0;
    throw this.#damaged(
      outermost === undefined || complete === 0
        ? 'it ends too early'
        : `it ends too early, after element ${complete}`,
    );
  }
}
