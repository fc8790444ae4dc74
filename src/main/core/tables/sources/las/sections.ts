import type { HeaderEntry } from '../source.ts';
import { splitLine } from '../text/split-line.ts';
import type { TextFile } from '../text/text-lines.ts';
import { unsuitable } from '../../model/unsuitable.ts';
import { parseHeaderLine, type HeaderLine } from './header-line.ts';
import { definitionOf, plainTitle, sectionKind, type SectionKind } from './section-titles.ts';

/** A section with rows. */
export interface DataSection {
  readonly title: string;
  /** The value of `SET` in the parameters above it, which names it; empty: none. */
  readonly set: string;
  /** The line of its title, from 1. */
  readonly line: number;
  /** The section that defines its columns; empty: none. */
  readonly definition: readonly HeaderLine[];
  /** Whether it is a log (`~A`) or another section of LAS 3.0. */
  readonly isLog: boolean;
  /** Its first lines with data. */
  readonly sample: string[];
  last: string;
  lines: number;
  lastLine: number;
  /** Number of values in a wrapped section; not counted in others. */
  values: number;
  comments: number;
  firstComment: number;
}

/** The result of a first pass over the file. */
export interface LasOutline {
  readonly isWrapped: boolean;
  /** The value of `DLM`; null: none. */
  readonly delimiter: string | null;
  readonly nullText: string | null;
  readonly header: readonly HeaderEntry[];
  readonly well: ReadonlyMap<string, HeaderLine>;
  readonly sections: readonly DataSection[];
  /** The first line outside the rows with bytes that are invalid in the encoding; null: none. */
  readonly damagedLine: number | null;
}

const sampleLines = 50;
/** A file with a longer header has no header, or no data section. */
const maxHeaderLines = 200_000;
const groups: Readonly<Record<string, string>> = {
  version: 'Version',
  well: 'Well',
  parameter: 'Parameter',
  other: 'Other',
};
/** In LAS 1.2, these lines have the value before the colon as in 2.0; all others of ~W have it after the colon. */
const valuesFirst = new Set(['STRT', 'STOP', 'STEP', 'NULL']);

/** Reads the header sections and finds the data sections in one pass. */
class Outliner {
  readonly #text: TextFile;
  readonly #definitions = new Map<string, HeaderLine[]>();
  readonly header: HeaderEntry[] = [];
  readonly well = new Map<string, HeaderLine>();
  readonly sections: DataSection[] = [];
  /** 1.2, 2, or 3; 2 if the file has none. */
  version = 2;
  isWrapped = false;
  delimiter: string | null = null;
  #headerLines = 0;
  #set = '';
  #kind: SectionKind | null = null;
  #data: DataSection | null = null;
  #definition: { readonly name: string; readonly lines: HeaderLine[] } = { name: '', lines: [] };

  constructor(text: TextFile) {
    this.#text = text;
  }

  get isInData(): boolean {
    return this.#data !== null;
  }

  take(line: string, number: number): void {
    const first = line.charCodeAt(0);
    if (this.#data && first !== 0x7e && first !== 0x23 && first > 0x20) {
      this.#takeData(this.#data, line, number);
      return;
    }
    const text = line.trim();
    if (text === '') return;
    if (text.startsWith('~')) this.#start(text.slice(1).trim(), number);
    else if (text.startsWith('#')) {
      // Comments above the rows can name their columns.
      if (this.#data && this.#data.lines > 0 && this.#data.comments++ === 0) this.#data.firstComment = number;
    } else if (this.#data) this.#takeData(this.#data, line, number);
    else if (this.#kind !== null) this.#takeHeader(text, number, this.#kind);
  }

  #start(title: string, line: number): void {
    this.#kind = sectionKind(title, this.version, this.#definitions);
    this.#data = null;
    if (this.#kind === 'parameter') this.#set = '';
    if (this.#kind === 'definition') {
      const name = plainTitle(title);
      const isCurve = !name.includes('_definition') || name === 'log_definition';
      this.#definition = { name: isCurve ? 'curve' : name, lines: [] };
      return;
    }
    if (this.#kind !== 'data') return;
    const isLog = /^(?:a(?:scii)?(?![a-z])|log(?:_data)?)/.test(plainTitle(title)) || this.version < 3;
    this.#data = {
      title,
      set: this.#set,
      line,
      definition: definitionOf(title, this.#definitions),
      isLog,
      sample: [],
      last: '',
      lines: 0,
      lastLine: line,
      values: 0,
      comments: 0,
      firstComment: 0,
    };
    this.sections.push(this.#data);
  }

  #takeData(section: DataSection, line: string, number: number): void {
    if (section.lines < sampleLines) section.sample.push(line);
    section.lines++;
    if (this.isWrapped) section.values += splitLine(line, 'blank').length;
    section.last = line;
    section.lastLine = number;
  }

  #takeHeader(text: string, number: number, kind: SectionKind): void {
    if (++this.#headerLines > maxHeaderLines)
      throw unsuitable(
        this.#text.fileName,
        `its header has more than ${maxHeaderLines} lines; there is no data section`,
        number,
      );
    const line = parseHeaderLine(text);
    if (kind === 'definition') {
      if (!line) return;
      const { name, lines } = this.#definition;
      lines.push(line);
      // Not before its first line: a second, empty ~C doesn't replace the columns of the first.
      this.#definitions.set(name, lines);
      return;
    }
    const group = groups[kind] ?? 'Other';
    if (!line || line.name === '' || kind === 'other') {
      this.header.push({ group, name: '', value: text, unit: null, description: null });
      return;
    }
    const entry = kind === 'well' ? this.#wellLine(line) : line;
    this.header.push({
      group,
      name: entry.name,
      value: entry.value,
      unit: entry.unit,
      description: entry.description === '' ? null : entry.description,
    });
    if (kind === 'version') this.#takeVersion(entry);
    if (kind === 'parameter' && entry.name.toUpperCase() === 'SET') this.#set = entry.value;
  }

  /** A line of ~W with value and description exchanged if the version requires it. */
  #wellLine(line: HeaderLine): HeaderLine {
    const name = line.name.toUpperCase();
    const isSwapped = this.version < 2 && !valuesFirst.has(name);
    const entry = isSwapped ? { ...line, value: line.description, description: line.value } : line;
    if (!this.well.has(name)) this.well.set(name, entry);
    return entry;
  }

  #takeVersion({ name, value }: HeaderLine): void {
    const key = name.toUpperCase();
    if (key === 'VERS') this.version = Number.parseFloat(value) || 2;
    if (key === 'WRAP') this.isWrapped = /^y/i.test(value);
    if (key === 'DLM' && value !== '') this.delimiter = value.toUpperCase();
  }
}

/**
 * Reads a LAS file once: its header, and the positions of its data sections.
 * @throws AppError file_unsuitable if there is no data section, file_unreadable, cancelled
 */
export function outlineOf(text: TextFile, signal: AbortSignal): LasOutline {
  const outliner = new Outliner(text);
  let damagedLine: number | null = null;
  for (const { first, lines, damaged } of text.batches(signal))
    for (let at = 0; at < lines.length; at++) {
      outliner.take(lines[at] ?? '', first + at);
      if (damaged.has(first + at) && !outliner.isInData) damagedLine ??= first + at;
    }
  const { isWrapped, delimiter, header, well, sections } = outliner;
  if (sections.length === 0)
    throw unsuitable(text.fileName, 'it has no section with data (~A), so it may be cut off');
  const nullText = well.get('NULL')?.value ?? '';
  return {
    isWrapped,
    delimiter,
    nullText: nullText === '' ? null : nullText,
    header,
    well,
    sections,
    damagedLine,
  };
}
