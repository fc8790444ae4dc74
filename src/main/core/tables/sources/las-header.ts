import { unsuitable } from '../../../../shared/errors/errors.ts';
import { fullYear } from '../reading/time-patterns.ts';
import { headerEntry, Tally, type HeaderEntry } from './source.ts';
import { splitLine, type TextFile } from './text.ts';

/**
 * The text of a unit that declares the form of a date, and perhaps of a time of day, such as `DD/MM/YYYY-HH:MM:SS` and
 * `DDMMYY`, or of a time of day alone.
 */
const timeUnitPattern =
  /^(?:(?:(?:[DMY]{1,4}[-/.]){2}[DMY]{1,4}|(?:DD|MM|YY(?:YY)?){3})(?:[ T_-]?H{1,2}[:.]?M{1,2}(?:[:.]?S{1,2}(?:[.,]S{1,6})?)?)?|HH[:.]?MM(?:[:.]?SS)?)(?=[\s:]|$)/i;

/** How the texts of a declared form are written. */
interface TimeReader {
  /** Whether the form has a date. */
  readonly hasDate: boolean;
  /** Writes a text as ISO 8601; a text of another form stays. */
  readonly read: (text: string) => string;
}

const names: Readonly<Record<string, string>> = { y: 'year', d: 'day', h: 'hour', s: 'second' };

/**
 * The reader of the times that a unit declares.
 * @returns null if the unit doesn't declare a date or a time of day with the digits of its parts
 */
export function timeReaderOf(unit: string | null): TimeReader | null {
  if (unit === null || timeUnitPattern.exec(unit)?.[0] !== unit || /MMM/i.test(unit)) return null;
  // Programs that write a form without separators as a number drop the zeros before it.
  const compactDigits = /^[a-z]+$/i.test(unit) ? unit.length : 0;
  let hasHour = false;
  const taken = new Set<string>();
  // Seconds may have decimals whatever the unit says.
  const source = unit.replace(/[.,]S+$/i, '').replaceAll(/([a-z])\1*|[^a-z]/gi, (part) => {
    const letter = part.charAt(0).toLowerCase();
    if (letter === 't') return '[T ]';
    if (!/[dmyhs]/.test(letter)) return /[ T_-]/.test(part) ? '[ T_-]+' : String.raw`[-/.:,]`;
    const name = letter === 'm' ? (hasHour ? 'minute' : 'month') : (names[letter] ?? '');
    hasHour ||= letter === 'h';
    if (taken.has(name)) return '(?!)';
    taken.add(name);
    if (name === 'second') return String.raw`(?<second>\d{1,2}(?:\.\d+)?)`;
    const digits =
      compactDigits > 0 ? part.length : name === 'year' ? (part.length > 2 ? 4 : '2}|\\d{4') : '1,2';
    return `(?<${name}>\\d{${digits}})`;
  });
  const hasDate = ['year', 'month', 'day'].every((name) => taken.has(name));
  if (!hasDate && (taken.has('year') || taken.has('month') || taken.has('day'))) return null;
  const form = new RegExp(`^${source}$`);
  const read = (text: string): string => {
    const parts = form.exec(
      compactDigits > 0 && /^\d+$/.test(text) ? text.padStart(compactDigits, '0') : text,
    );
    const { year = '', month = '', day = '', hour, minute = '00', second = '00' } = parts?.groups ?? {};
    if (!parts) return text;
    const date = hasDate ? `${fullYear(year)}-${month.padStart(2, '0')}-${day.padStart(2, '0')}` : '';
    const [whole = '', rest] = second.split('.');
    const clock = `${hour?.padStart(2, '0')}:${minute.padStart(2, '0')}:${whole.padStart(2, '0')}`;
    const time = `${clock}${rest === undefined ? '' : `.${rest}`}`;
    const iso = hour === undefined ? date : `${hasDate ? date : '2000-01-01'}T${time}`;
    if (Number.isNaN(Date.parse(hour === undefined ? iso : `${iso}Z`))) return text;
    return hasDate ? iso : time;
  };
  return { hasDate, read };
}

/** A line of a header section: `MNEM.UNIT  VALUE : DESCRIPTION {FORMAT} | ASSOCIATION`. */
export interface HeaderLine {
  readonly name: string;
  readonly unit: string | null;
  readonly value: string;
  readonly description: string;
  /** Of LAS 3.0: `F`, `S`, `E`, a date pattern; null: none. */
  readonly format: string | null;
}

/** A unit follows the period at once; only forms such as `1000 lbf` and `0.1 kN.m` contain a blank. */
const unitPattern = /^(?:\d*\.?\d+ (?=[A-Za-z])\S+|[^\s:]*)/;
const formatPattern = /\{([^{}]*)\}\s*$/;
const association = /\|[^|]*$/;

/** The colon that ends the value: the first that isn't part of a time of day or an address. */
function valueEnd(text: string): number {
  for (let at = text.indexOf(':'); at >= 0; at = text.indexOf(':', at + 1)) {
    const isInTime =
      /(?:^|[^\d.])\d{1,2}$/.test(text.slice(0, at)) && /^[0-5]\d(?!\d)/.test(text.slice(at + 1));
    if (!isInTime && !text.startsWith('//', at + 1)) return at;
  }
  return -1;
}

/**
 * The period after the mnemonic; one in brackets, as in `NMR[1..5]`, or before another one, as in `Cond..MS/M`, is part
 * of it.
 */
function nameEnd(line: string): number {
  const colon = line.indexOf(':');
  const end = colon < 0 ? line.length : colon;
  let depth = 0;
  // `DEPT..1IN` has the unit .1IN.
  const double = line.replaceAll(/\[[^[\]]*\]/g, (part) => ' '.repeat(part.length)).search(/\.\.(?!\d)/);
  if (double >= 0 && double < end) return double + 1;
  for (let at = 0; at < end; at++) {
    const char = line[at];
    if (char === '[') depth++;
    else if (char === ']') depth--;
    else if (char === '.' && depth <= 0) return at;
  }
  return -1;
}

/**
 * Parses a line of a header section, also without period or colon, as some programs write them.
 * @returns null for any other line; a curve can have an empty name
 */
function parseHeaderLine(text: string): HeaderLine | null {
  // A period before a mnemonic that is followed by another period is a typing error.
  const line = /^\.\S+\s+\.\S/.test(text) ? text.slice(1) : text;
  const period = nameEnd(line);
  const colon = line.indexOf(':');
  const name = line.slice(0, period >= 0 ? period : colon >= 0 ? colon : undefined).trim();
  if (name === '' && period < 0) return null;
  const behind = period >= 0 ? line.slice(period + 1) : colon >= 0 ? line.slice(colon) : '';
  const unit = (timeUnitPattern.exec(behind) ?? unitPattern.exec(behind))?.[0] ?? '';
  const rest = behind.slice(unit.length);
  const end = valueEnd(rest);
  // Without a colon, two blanks or tabs separate value and description.
  const parts = end < 0 ? rest.trim().split(/\s{2,}/) : [rest.slice(0, end), rest.slice(end + 1)];
  let description = (parts[1] ?? '').trim();
  if (association.test(description) && formatPattern.test(description.replace(association, '')))
    description = description.replace(association, '').trimEnd();
  const format = formatPattern.exec(description)?.[1]?.trim() ?? null;
  return {
    name,
    unit: unit === '' ? null : unit,
    value: (parts[0] ?? '').trim().replaceAll(/\s+/g, ' '),
    description: description.replace(formatPattern, '').trim(),
    format,
  };
}

/** The content of a section. */
type SectionKind = 'version' | 'well' | 'parameter' | 'definition' | 'other' | 'data';

/** A title in the form for comparison. */
const plainTitle = (title: string): string => title.trim().toLowerCase();
const withoutNumber = (title: string): string => title.replace(/\[\d+\]$/, '');

/** The name of a section: its title without the definition behind the bar. */
export const sectionName = (title: string): string => (title.split('|')[0] ?? '').trim();

/** The content of a section, by its title and the version of the file. */
function sectionKind(title: string, version: number, definitions: ReadonlyMap<string, unknown>): SectionKind {
  const [own = '', association] = title.split('|').map(plainTitle);
  const name = withoutNumber(own);
  if (name.includes('_definition')) return 'definition';
  if (name.includes('_parameter')) return 'parameter';
  if (association !== undefined || name.includes('_data')) return 'data';
  if (version >= 3 && definitions.has(`${name}_definition`)) return 'data';
  if (/^a(?:scii)?(?![a-z_])/.test(name) || (version < 3 && name.startsWith('a'))) return 'data';
  if (version >= 3 && /^(?!vers|well|param|curve|other)[a-z]{2,}/.test(name)) return 'other';
  if (name.startsWith('v')) return 'version';
  if (name.startsWith('w')) return 'well';
  if (name.startsWith('c')) return 'definition';
  return name.startsWith('p') ? 'parameter' : 'other';
}

/**
 * The section that defines the columns of a data section: the one that its title names, else one with its name, else
 * `~C`.
 */
function definitionOf(
  title: string,
  definitions: ReadonlyMap<string, readonly HeaderLine[]>,
): readonly HeaderLine[] {
  const [own = '', association = ''] = title.split('|').map(plainTitle);
  const similar = own.includes('_data') ? own.replace('_data', '_definition') : `${own}_definition`;
  for (const name of [association, similar])
    for (const candidate of [
      name,
      withoutNumber(name),
      withoutNumber(name) === 'log_definition' ? 'curve' : '',
    ])
      if (candidate !== '' && definitions.has(candidate)) return definitions.get(candidate) ?? [];
  return definitions.get('curve') ?? definitions.get('log_definition') ?? [];
}

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
  readonly comments: Tally;
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

/** The header sections of a file, and the positions of its data sections, found in one pass. */
export class LasOutline {
  readonly #fileName: string;
  readonly #definitions = new Map<string, HeaderLine[]>();
  readonly header: HeaderEntry[] = [];
  readonly well = new Map<string, HeaderLine>();
  readonly sections: DataSection[] = [];
  /** 1.2, 2, or 3; 2 if the file has none. */
  version = 2;
  isWrapped = false;
  /** The value of `DLM`; null: none. */
  delimiter: string | null = null;
  /** The first line outside the rows with bytes that are invalid in the encoding; null: none. */
  damagedLine: number | null = null;
  #headerLines = 0;
  #set = '';
  #kind: SectionKind | null = null;
  #data: DataSection | null = null;
  #definition: { readonly name: string; readonly lines: HeaderLine[] } = { name: '', lines: [] };

  /** @throws AppError file_unsuitable if there is no data section, file_unreadable, cancelled */
  constructor(text: TextFile, signal: AbortSignal) {
    this.#fileName = text.fileName;
    for (const { first, lines, damaged } of text.batches(signal))
      for (let at = 0; at < lines.length; at++) {
        this.#take(lines[at] ?? '', first + at);
        if (damaged.has(first + at) && !this.#data) this.damagedLine ??= first + at;
      }
    if (this.sections.length === 0)
      throw unsuitable(text.fileName, 'it has no section with data (~A), so it may be cut off');
  }

  get nullText(): string | null {
    return this.well.get('NULL')?.value || null;
  }

  #take(line: string, number: number): void {
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
      if (this.#data && this.#data.lines > 0) this.#data.comments.add(number);
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
      comments: new Tally(),
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
        this.#fileName,
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
      this.header.push(headerEntry(group, '', text));
      return;
    }
    const entry = kind === 'well' ? this.#wellLine(line) : line;
    this.header.push(headerEntry(group, entry.name, entry.value, entry.unit, entry.description));
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
