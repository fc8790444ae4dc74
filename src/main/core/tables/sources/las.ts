import { unsuitable, type AppError } from '../../../../shared/errors/errors.ts';
import { fullYear } from '../../records/time-patterns.ts';
import {
  batched,
  batchRows,
  headerEntry,
  Tally,
  type HeaderEntry,
  type SourceColumn,
  indexOfFirst,
  type SourceTable,
  type SourceRow,
  type SourceAdapter,
  type SourceFile,
  type SourceWarning,
} from './source.ts';
import { splitLine, type TextFile, type TextLine, damagedHeader, openText } from './text.ts';
import { quantitiesOf, unitPair } from '../../../../shared/channels/units.ts';
import { append } from '../../../../shared/lists.ts';
import { startText } from '../reading/source.ts';

/**
 * The text of a unit that declares the form of a date, and perhaps of a time of day, such as `DD/MM/YYYY-HH:MM:SS` and
 * `DDMMYY`, or of a time of day alone.
 */
const timeUnitPattern =
  /^(?:(?:(?:[DMY]{1,4}[-/.]){2}[DMY]{1,4}|(?:DD|MM|YY(?:YY)?){3})(?:[ T_-]?H{1,2}[:.]?M{1,2}(?:[:.]?S{1,2}(?:[.,]S{1,6})?)?)?|HH[:.]?MM(?:[:.]?SS)?)(?=[\s:]|$)/i;

const names: Readonly<Record<string, string>> = { y: 'year', d: 'day', h: 'hour', s: 'second' };

/**
 * The reader of the times that a unit declares.
 * @returns null if the unit doesn't declare a date or a time of day with the digits of its parts
 */
function timeReaderOf(unit: string | null) {
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
interface HeaderLine {
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

/**
 * The colon that ends the value: the first that isn't part of a time of day or an address. A value such as
 * `Unique:Well:Identifier` has some of its own; a blank is before or behind the one that ends it.
 * @param isOld whether values can be behind it, as before version 2
 */
function valueEnd(text: string, isOld: boolean): number {
  let first = -1;
  for (let at = text.indexOf(':'); at >= 0; at = text.indexOf(':', at + 1)) {
    const isInTime =
      /(?:^|[^\d.])\d{1,2}$/.test(text.slice(Math.max(0, at - 3), at)) &&
      /^[0-5]\d(?!\d)/.test(text.slice(at + 1));
    if (isInTime || text.startsWith('//', at + 1)) continue;
    if (first < 0 && (isOld || /^[-+\d.eE\s]*$/.test(text.slice(0, at)))) return at;
    if (/\s/.test(text.charAt(at - 1) || ' ') || /\s/.test(text.charAt(at + 1))) return at;
    if (first < 0) first = at;
  }
  return first;
}

/**
 * The period after the mnemonic; one in brackets, as in `NMR[1..5]`, or before another one, as in `Cond..MS/M`, is part
 * of it.
 */
function nameEnd(line: string): number {
  const colon = line.indexOf(':');
  const end = colon < 0 ? line.length : colon;
  let depth = 0;
  // `DEPT..1IN` has the unit .1IN, and a value can have several periods.
  const double = line
    .replaceAll(/\[[^[\]]*\]/g, (part) => ' '.repeat(part.length))
    .search(/(?<!\.)\.\.(?![\d.\s:])/);
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
 * @param version of the file, as far as it is known
 * @returns null for any other line; a curve can have an empty name
 */
function parseHeaderLine(text: string, version: number): HeaderLine | null {
  // A period before a mnemonic that is followed by another period is a typing error.
  const line = /^\.\S+\s+\.\S/.test(text) ? text.slice(1) : text;
  const period = nameEnd(line);
  const colon = line.indexOf(':');
  const name = line.slice(0, period >= 0 ? period : colon >= 0 ? colon : undefined).trim();
  if (name === '' && period < 0) return null;
  const behind = period >= 0 ? line.slice(period + 1) : colon >= 0 ? line.slice(colon) : '';
  const unit = (timeUnitPattern.exec(behind) ?? unitPattern.exec(behind))?.[0] ?? '';
  const rest = behind.slice(unit.length);
  const end = valueEnd(rest, version < 2);
  // Without a colon, two blanks or tabs separate value and description.
  const parts = end < 0 ? rest.trim().split(/\s{2,}/) : [rest.slice(0, end), rest.slice(end + 1)];
  let description = (parts[1] ?? '').trim();
  if (association.test(description) && formatPattern.test(description.replace(association, '')))
    description = description.replace(association, '').trimEnd();
  const format = formatPattern.exec(description)?.[1]?.trim() ?? null;
  return {
    name,
    unit: /^\.*$/.test(unit) ? null : unit,
    value: (parts[0] ?? '').trim().replaceAll(/\s+/g, ' '),
    description: description.replace(formatPattern, '').trim(),
    format,
  };
}

type SectionKind = 'version' | 'well' | 'parameter' | 'definition' | 'other' | 'data';

/** A title in the form for comparison. */
const plainTitle = (title: string): string => title.trim().toLowerCase();
const withoutNumber = (title: string): string => title.replace(/\[\d+\]$/, '');

/** The name of a section: its title without the definition behind the bar. */
const sectionName = (title: string): string => (title.split('|')[0] ?? '').trim();

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

interface DataSection {
  readonly title: string;
  /** The value of `SET` in the parameters above it, which names it; empty: none. */
  readonly set: string;
  /** The line of its title, from 1. */
  readonly line: number;
  /** The section that defines its columns; empty: none. */
  readonly definition: readonly HeaderLine[];
  /** Whether it is a log (`~A`) or another section of LAS 3.0. */
  readonly isLog: boolean;
  readonly head: LasHead;
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

/** What the header sections of a log say, or of several; a file can hold the logs of several wells. */
class LasHead {
  readonly entries: HeaderEntry[] = [];
  readonly well = new Map<string, HeaderLine>();
  readonly definitions = new Map<string, HeaderLine[]>();
  /** 1.2, 2, or 3; 2 if the file has none. */
  version = 2;
  isWrapped = false;
  /** The value of `DLM`; null: none. */
  delimiter: string | null = null;

  get nullText(): string | null {
    return this.well.get('NULL')?.value || null;
  }
}

/** The header sections of a file, and the positions of its data sections, found in one pass. */
class LasOutline {
  readonly #fileName: string;
  #head = new LasHead();
  readonly sections: DataSection[] = [];
  /** The first line outside the rows with bytes that are invalid in the encoding; null: none. */
  damagedLine: number | null = null;
  /** Whether the file ends without a line end. */
  isOpen = false;
  #headerLines = 0;
  #set = '';
  #kind: SectionKind | null = null;
  #data: DataSection | null = null;
  #definition: { readonly name: string; readonly lines: HeaderLine[] } = { name: '', lines: [] };

  /** @throws AppError file_unsuitable if there is no data section, file_unreadable, cancelled */
  constructor(text: TextFile) {
    this.#fileName = text.fileName;
    for (const { text: line, number, isDamaged, isOpen } of text.lines()) {
      this.#take(line, number);
      this.isOpen = isOpen;
      if (isDamaged && !this.#data) this.damagedLine ??= number;
    }
    if (this.sections.length === 0)
      throw unsuitable(text.fileName, 'it has no section with data (~A), so it may be cut off');
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
    this.#kind = sectionKind(title, this.#head.version, this.#head.definitions);
    this.#data = null;
    // Another file follows in this one.
    if (this.#kind === 'version' && this.sections.length > 0) this.#head = new LasHead();
    if (this.#kind === 'parameter') this.#set = '';
    if (this.#kind === 'definition') {
      const name = plainTitle(title);
      const isCurve = !name.includes('_definition') || name === 'log_definition';
      this.#definition = { name: isCurve ? 'curve' : name, lines: [] };
      return;
    }
    if (this.#kind !== 'data') return;
    const isLog = /^(?:a(?:scii)?(?![a-z])|log(?:_data)?)/.test(plainTitle(title)) || this.#head.version < 3;
    this.#data = {
      title,
      set: this.#set,
      line,
      definition: definitionOf(title, this.#head.definitions),
      isLog,
      head: this.#head,
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
    if (section.head.isWrapped) section.values += splitLine(line, 'blank').length;
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
    const line = parseHeaderLine(text, this.#head.version);
    if (kind === 'definition') {
      if (!line) return;
      const { name, lines } = this.#definition;
      lines.push(line);
      // Not before its first line: a second, empty ~C doesn't replace the columns of the first.
      this.#head.definitions.set(name, lines);
      return;
    }
    const group = groups[kind] ?? 'Other';
    if (!line || line.name === '' || kind === 'other') {
      this.#head.entries.push(headerEntry(group, '', text));
      return;
    }
    const entry = kind === 'well' ? this.#wellLine(line) : line;
    this.#head.entries.push(headerEntry(group, entry.name, entry.value, entry.unit, entry.description));
    if (kind === 'version') this.#takeVersion(entry);
    if (kind === 'parameter' && entry.name.toUpperCase() === 'SET') this.#set = entry.value;
  }

  /** A line of ~W with value and description exchanged if the version requires it. */
  #wellLine(line: HeaderLine): HeaderLine {
    const name = line.name.toUpperCase();
    const isSwapped = this.#head.version < 2 && !valuesFirst.has(name);
    const entry = isSwapped ? { ...line, value: line.description, description: line.value } : line;
    const { well } = this.#head;
    if (!well.has(name)) well.set(name, entry);
    return entry;
  }

  #takeVersion({ name, value }: HeaderLine): void {
    const key = name.toUpperCase();
    if (key === 'VERS') this.#head.version = Number.parseFloat(value) || 2;
    if (key === 'WRAP') this.#head.isWrapped = /^y/i.test(value);
    if (key === 'DLM' && value !== '') this.#head.delimiter = value.toUpperCase();
  }
}

interface RowForm {
  readonly separator: string;
  /** Whether each line begins with a delimiter, before its first value. */
  readonly hasLeadingDelimiter: boolean;
  /** The curves whose value is two texts: a date and a time of day. */
  readonly datesWithTimes: readonly number[];
  /** The only curve of texts, which can contain blanks; null: none, or several. */
  readonly textCurve: number | null;
  /** Whether lines have more values than there are curves, and nothing shows which belong together. */
  readonly isUnpaired: boolean;
}

const isDate = (text: string | undefined): boolean =>
  /^(?:\d{1,4}([-/.])\d{1,2}\1\d{1,4}|\d{1,2}[-/ ]?[A-Za-z]{3}[-/ ]?\d{2,4})$/.test(text ?? '');
const isTimeOfDay = (text: string | undefined): boolean =>
  /^\d{1,2}:[0-5]\d(?::[0-5]\d(?:[.,]\d+)?)?$/.test(text ?? '');
const isDateAndTime = (date: string | undefined, time: string | undefined): boolean =>
  isDate(date) && isTimeOfDay(time);
const isNumber = (text: string): boolean => text !== '' && Number.isFinite(Number(text));

/** The lines' values, without the empty ones before the first delimiter and behind the last. */
function trimmed(cells: string[], width: number, hasLeadingDelimiter: boolean): string[] {
  if (hasLeadingDelimiter && cells[0] === '') cells.shift();
  while (cells.length > width && cells.at(-1) === '') cells.pop();
  return cells;
}

/** How lines are paired with curves, from their first lines. @param curves empty: none are defined */
function rowFormOf(
  sample: readonly string[],
  separator: string,
  curves: readonly Pick<SourceColumn, 'type'>[],
): RowForm {
  const lines = sample.map((line) => splitLine(line, separator));
  const hasLeadingDelimiter =
    separator !== 'blank' &&
    lines.length > 0 &&
    lines.every(([first]) => first === '') &&
    lines.some(({ length }) => length > curves.length);
  const rows = lines.map((cells) => trimmed(cells, curves.length, hasLeadingDelimiter));
  const width = rows[0]?.length ?? 0;
  const surplus =
    curves.length > 0 && rows.every(({ length }) => length === width) ? width - curves.length : 0;
  const pairs = (rows[0] ?? []).flatMap((_, at) =>
    rows.every((cells) => isDateAndTime(cells[at], cells[at + 1])) ? [at] : [],
  );
  const texts = curves.flatMap(({ type }, at) => (type === 'text' ? [at] : []));
  const textCurve = separator === 'blank' && texts.length === 1 ? (texts[0] ?? null) : null;
  const isPaired = surplus <= 0 || pairs.length === surplus || textCurve !== null;
  return {
    separator,
    hasLeadingDelimiter,
    datesWithTimes: surplus > 0 && pairs.length === surplus ? pairs.map((at, earlier) => at - earlier) : [],
    textCurve,
    isUnpaired: !isPaired,
  };
}

/** The values of a line, one for each curve if it can be paired with them. @param width number of curves */
function valuesOf(line: string, form: RowForm, width: number): string[] {
  const cells = trimmed(splitLine(line, form.separator), width, form.hasLeadingDelimiter);
  for (const at of form.datesWithTimes)
    if (isDateAndTime(cells[at], cells[at + 1])) cells.splice(at, 2, `${cells[at]} ${cells[at + 1]}`);
  const surplus = cells.length - width;
  const { textCurve } = form;
  if (textCurve === null || surplus <= 0) return cells;
  const text = cells.slice(textCurve, textCurve + surplus + 1).join(' ');
  const joined = [...cells.slice(0, textCurve), text, ...cells.slice(textCurve + surplus + 1)];
  return joined.every((cell, at) => at === textCurve || isNumber(cell)) ? joined : cells;
}

interface LasTable extends SourceTable {
  readonly section: DataSection;
  readonly form: RowForm;
}

const separators: Readonly<Record<string, string>> = { COMMA: ',', TAB: '\t', ',': ',', '\t': '\t' };

/** The delimiter of values: that of the header, else blanks; else commas or tabs if these give the number of curves. */
function separatorOf({ sample, definition, head: { delimiter, isWrapped } }: DataSection): string {
  const declared = delimiter === null ? 'blank' : (separators[delimiter] ?? 'blank');
  if (isWrapped) return declared;
  const gives = (separator: string): number =>
    sample.filter((line) => splitLine(line, separator).length === definition.length).length;
  const asDeclared = gives(declared);
  const isCertain = delimiter !== null && (asDeclared > 0 || sample.some((line) => line.includes(declared)));
  const other = (['blank', ',', '\t'] as const).find((separator) => gives(separator) > asDeclared);
  return isCertain ? declared : (other ?? declared);
}

/** The names of data sections: a single one is named Log; one that is repeated has the name of its set. */
function sectionNames(sections: readonly DataSection[]): string[] {
  if (sections.length === 1) return ['Log'];
  const names = sections.map(({ title }) => sectionName(title));
  return sections.map(({ set }, at) => {
    const name = names[at] ?? '';
    const isRepeated = names.indexOf(name) !== names.lastIndexOf(name);
    return isRepeated && set !== '' ? `${name}: ${set}` : name;
  });
}

function tableOf(section: DataSection, name: string): LasTable {
  const { isWrapped, nullText, entries: header } = section.head;
  const defined = definedColumns(section);
  const form = rowFormOf(section.sample, separatorOf(section), defined);
  const all = columnsOf(section, defined, form, isWrapped);
  // The index of a log is never null.
  const columns = section.isLog ? all.map((item, at) => (at === 0 ? { ...item, nulls: [] } : item)) : all;
  return {
    name,
    columns,
    header,
    nulls: ['', ...(nullText === null ? [] : [nullText])],
    rows: isWrapped ? Math.ceil(section.values / Math.max(1, columns.length)) : section.lines,
    index: indexOfFirst(columns, section.isLog),
    section,
    form,
  };
}

/** Whether a curve is declared as text; with a unit of measure, its values are numbers whatever the declaration says. */
const isText = (format: string | null, unit: string | null): boolean =>
  format !== null && /^A?S$/i.test(format) && (unit === null || quantitiesOf(unit).length === 0);

const definedColumns = ({ definition }: DataSection): SourceColumn[] =>
  definition.map(({ name, unit, format }) => ({
    name,
    unit,
    type: timeReaderOf(unit)?.hasDate === true ? 'time' : isText(format, unit) ? 'text' : null,
  }));

/** The columns of the definition, else those of the title line (`~A  DEPTH  GR`), else unnamed ones. */
function columnsOf(
  { title, sample }: DataSection,
  defined: SourceColumn[],
  form: RowForm,
  isWrapped: boolean,
): SourceColumn[] {
  const widths = isWrapped ? [] : sample.map((line) => valuesOf(line, form, defined.length).length);
  const width = widths.length > 0 && widths.every((count) => count === widths[0]) ? (widths[0] ?? 0) : 0;
  const inTitle = title.split(/\s+/).slice(1);
  // If some curves have no values, only the title names the others.
  if (width < defined.length && inTitle.length === width && width > 0) {
    const selected = inTitle.flatMap((name) => defined.find((column) => column.name === name) ?? []);
    if (selected.length === width) return selected;
  }
  if (defined.length > 0) return defined;
  const names = inTitle.length === width ? inTitle : [];
  return Array.from({ length: width }, (_, at) => ({ name: names[at] ?? '', unit: null, type: null }));
}

const decimalsOf = (cell: string): number => {
  const point = cell.indexOf('.');
  return point < 0 || !/^-?\d*\.\d+$/.test(cell) ? -1 : cell.length - point - 1;
};

/** The parts of a cell in which numbers follow each other without a blank, split before minus signs. */
const cutAtSigns = (cell: string): string[] => cell.split(/(?=-\d)(?<=\d\.\d*)/);

/** Splits a cell such as `7.020101130.188` after the number of decimals of the column. */
function cutAtDecimals(cell: string, decimals: number): string[] {
  const parts: string[] = [];
  let start = 0;
  for (;;) {
    const point = cell.indexOf('.', start);
    const end = point + 1 + decimals;
    if (decimals < 0 || point < 0 || end >= cell.length || !cell.includes('.', point + 1))
      return [...parts, cell.slice(start)];
    parts.push(cell.slice(start, end));
    start = end;
  }
}

/**
 * Separates numbers of fixed-width columns without blanks between them, such as `7.330-19508.961`.
 * @param width expected number of values
 * @param model a row of that width with the same decimals; null: there is none yet, so all values need to have as many
 * @returns null if the result doesn't have `width` values, or if such a number wouldn't be written so
 */
function separateRunOn(
  cells: readonly string[],
  width: number,
  model: readonly string[] | null,
): string[] | null {
  const parts: string[] = [];
  /** Those that only their decimals separate. */
  const cut: string[] = [];
  for (const cell of cells)
    for (const part of cutAtSigns(cell)) {
      const decimals = decimalsOf(model?.[parts.length] ?? parts.at(-1) ?? '');
      const numbers = cutAtDecimals(part, decimals);
      if (numbers.length > 1) append(cut, numbers);
      append(parts, numbers);
    }
  const isEven = model !== null || cut.length === 0 || new Set(parts.map(decimalsOf)).size === 1;
  return parts.length === width && isEven && !cut.some((part) => /^-?0\d/.test(part)) ? parts : null;
}

interface RowContext {
  readonly width: number;
  readonly cellOf: (value: string, column: number) => string;
  readonly problem: (reason: string, place: number) => AppError;
}

/** The rows of a table. @throws AppError file_unsuitable */
function rowsOf(text: TextFile, table: LasTable): Generator<SourceRow> {
  const { columns, section } = table;
  const timeReaders = columns.map(({ unit }) => timeReaderOf(unit));
  const lines = text
    .lines()
    .take(section.lastLine)
    .filter((line) => line.number > section.line && !line.text.trimStart().startsWith('#'));
  return (section.head.isWrapped ? wrappedRows : plainRows)(lines, table, {
    width: columns.length,
    cellOf: (value, column) => timeReaders[column]?.read(value) ?? value,
    problem: (reason, place) => unsuitable(text.fileName, reason, place),
  });
}

const unpaired = (values: number, width: number): string =>
  `a row has ${values} values for ${width} curves, so its values can’t be paired with them`;

function* plainRows(
  lines: Iterable<TextLine>,
  { form }: LasTable,
  { width, cellOf, problem }: RowContext,
): Generator<SourceRow> {
  /** The last row of the expected width. */
  let model: string[] | null = null;
  for (const { text, number: place, isDamaged } of lines) {
    let cells = valuesOf(text, form, width);
    if (cells.length === 0 || (cells.length === 1 && cells[0] === '')) continue;
    if (form.isUnpaired) throw problem(unpaired(cells.length, width), place);
    if (cells.length < width && form.separator === 'blank')
      cells = separateRunOn(cells, width, model) ?? cells;
    if (cells.length === width) model = cells;
    yield { cells: cells.map(cellOf), place, ...(isDamaged && { problem: 'bad_bytes' }) };
  }
}

/** Rows of several lines: values are counted, and a row ends at a line end, or incomplete with the file. */
function* wrappedRows(
  lines: Iterable<TextLine>,
  { form, columns }: LasTable,
  { width, cellOf, problem }: RowContext,
): Generator<SourceRow> {
  /** Whether the index of each row is on a line of its own; null: not read yet. */
  let isIndexAlone: boolean | null = null;
  let row: { readonly cells: string[]; readonly place: number; problem: 'bad_bytes' | null } | null = null;
  for (const { text, number: place, isDamaged } of lines) {
    const values = splitLine(text, form.separator);
    if (values.length === 0) continue;
    const before = row?.cells.length ?? 0;
    // A date with a time of day is one value if the unit of its curve declares both.
    for (let at = 0; at + 1 < values.length; at++)
      if (columns[before + at]?.type === 'time' && isDateAndTime(values[at], values[at + 1]))
        values.splice(at, 2, `${values[at]} ${values[at + 1]}`);
    isIndexAlone ??= values.length === 1;
    // Otherwise an earlier row has fewer values, and took the index of this one.
    if (!row && isIndexAlone && values.length > 1)
      throw problem(
        `an earlier row has fewer values than the ${width} curves: this line should contain only an index`,
        place,
      );
    row ??= { cells: [], place, problem: null };
    if (isDamaged) row.problem = 'bad_bytes';
    for (const value of values) row.cells.push(cellOf(value, row.cells.length));
    if (row.cells.length > width) throw problem(unpaired(row.cells.length, width), place);
    if (row.cells.length < width) continue;
    yield row;
    row = null;
  }
  if (row) yield row;
}

type Well = LasHead['well'];

const numberOf = (well: Well, name: string): number => {
  const text = well.get(name)?.value ?? '';
  return text === '' ? Number.NaN : Number(text);
};

/**
 * Compares START and STOP of the header with the first and last index value.
 * @returns the difference, in words; null: equal, or not comparable
 */
function rangeWarning(well: Well, first: string | undefined, last: string | undefined): string | null {
  const [start, stop] = [numberOf(well, 'STRT'), numberOf(well, 'STOP')];
  const [from, to] = [Number(first), Number(last)];
  if (first === undefined || last === undefined || ![start, stop, from, to].every(Number.isFinite))
    return null;
  const step = Math.abs(numberOf(well, 'STEP')) || 0;
  const tolerance = Math.max(step, Math.abs(stop - start) * 1e-6, 1e-6);
  const isNear = (a: number, b: number): boolean => Math.abs(a - b) <= tolerance;
  if (isNear(start, from) && isNear(stop, to)) return null;
  return `The header gives the range ${start} to ${stop}, but the rows go from ${first} to ${last}. All rows are read.`;
}

/** The difference between the unit of START and STOP and that of the index curve, in words; null: none. */
function unitWarning(well: Well, index: SourceColumn | undefined): string | null {
  const unit = well.get('STRT')?.unit ?? well.get('STOP')?.unit ?? '';
  const pair = index?.unit ? unitPair(unit, index.unit) : undefined;
  if (!index || !pair || pair.from === pair.to) return null;
  return `The header gives the range in ${unit}, but the unit of the curve “${index.name}” is ${index.unit ?? ''}, which is used. Check which one is right.`;
}

/** Compares STEP of the header with the index of each row, and counts those that differ. */
class StepCheck extends Tally {
  readonly step: number;
  #last = Number.NaN;

  constructor(well: Well) {
    super();
    this.step = numberOf(well, 'STEP');
  }

  check(cell: string | null | undefined, place: number): void {
    if (!Number.isFinite(this.step) || this.step === 0) return;
    const value = typeof cell === 'string' ? Number(cell) : Number.NaN;
    const difference = Math.abs(value - this.#last) - Math.abs(this.step);
    this.#last = value;
    // Rounded indexes differ by less than a tenth of a step.
    if (Math.abs(difference) > Math.abs(this.step) * 0.1) this.add(place);
  }
}

/** LAS 1.2, 2.0 and 3.0 (CWLS Log ASCII Standard). */
export const las: SourceAdapter = {
  format: 'las',
  recognize: (start, fileName) => {
    const text = startText(start);
    const firstLine = text
      .split(/[\r\n]+/)
      .find((line) => line.trim() !== '' && !line.trimStart().startsWith('#'));
    if (!/^\s*~\s*[A-Z]/i.test(firstLine ?? '')) return false;
    return /\.las\b/i.test(fileName) || /^[^\S\n\r\u2028\u2029]*~[^\S\n\r]*(?:V|A\s|A$|W)/im.test(text);
  },
  open(source, options) {
    const text = openText(source, options);
    return lasFile(text, new LasOutline(text));
  },
};

/** Warnings about a table that its header and its first and last line show. */
function headWarnings(
  { section, columns, form }: LasTable,
  table: number,
  { sections, isOpen }: LasOutline,
): SourceWarning[] {
  const { title, comments, lastLine: place, isLog, head } = section;
  const { isWrapped, well } = head;
  const warnings = comments.warnings(
    'comment_lines',
    table,
    (count, line) =>
      `Comment lines between the data of “${title}” are skipped: ${count}, the first on line ${line}.`,
  );
  const first = valuesOf(section.sample[0] ?? '', form, columns.length);
  const last = valuesOf(section.last, form, columns.length);
  const range = isLog && !isWrapped && rangeWarning(well, first[0], last[0]);
  const unit = isLog && unitWarning(well, columns[0]);
  for (const message of [range, unit])
    if (message) warnings.push({ code: 'header_differs', message, place: null, table, count: 0 });
  const message = `The file ends within a row, on line ${place}. Get the whole file from its source.`;
  if (isOpen && section === sections.at(-1) && last.length < columns.length && !isWrapped)
    warnings.push({ code: 'cut_short', message, place, table, count: 1 });
  return warnings;
}

function lasFile(text: TextFile, outline: LasOutline): SourceFile {
  const names = sectionNames(outline.sections);
  const tables = outline.sections.map((section, at) => tableOf(section, names[at] ?? ''));
  const warnings = [
    ...text.warnings,
    ...(outline.damagedLine === null ? [] : [damagedHeader(outline.damagedLine)]),
    ...tables.flatMap((table, index) => headWarnings(table, index, outline)),
  ];
  return {
    placeKind: 'line',
    // Thousands aren't separated, so a comma is a decimal one.
    delimiter: '',
    tables,
    header: tables[0]?.header ?? [],
    warnings,
    async *readRows(index) {
      const table = tables[index];
      if (!table) return;
      const steps = new StepCheck(table.section.head.well);
      for (const batch of batched(rowsOf(text, table), batchRows)) {
        if (table.section.isLog) for (const { cells, place } of batch) steps.check(cells[0], place);
        yield batch;
      }
      if (table.columns.length === 0) return;
      const message = (count: number): string =>
        `Rows with another step than ${steps.step}, which the header gives: ${count}. All rows are read.`;
      append(warnings, steps.warnings('header_differs', index, message));
    },
  };
}
