import { SaxesParser } from 'saxes';
import type { AppError } from '../../../../../shared/errors/errors.ts';
import { unsuitable } from '../../model/unsuitable.ts';

/** Callbacks for the parts of an XML document. Names have no prefix. */
export interface XmlHandler {
  open(name: string, attributes: Readonly<Record<string, string>>): void;
  /** @param text of an element without children */
  close(name: string, text: string): void;
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

  /** @param part its name in errors, such as `its list of sheets`; empty: the file itself */
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
      handler.open(localName(name), attributes);
    });
    const addText = (text: string): void => {
      const depth = this.#texts.length - 1;
      if (depth >= 0) this.#texts[depth] += text;
    };
    parser.on('text', addText);
    parser.on('cdata', addText);
    parser.on('closetag', ({ name }) => {
      this.#charsSinceTag = 0;
      handler.close(localName(name), this.#texts.pop() ?? '');
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
