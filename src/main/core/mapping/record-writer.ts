import type { FileRow } from '../tables/tables.ts';
import {
  type Conversion,
  type ColumnRule,
  type FoldRule,
  type Rules,
  isInList,
  type NumberStyle,
} from './upload-plan.ts';
import { converter as unitsConverter, unitNamed } from '../../../shared/channels/units.ts';
import { utcText, isSameText } from '../../../shared/instants.ts';
import { assetKey } from '../../../shared/wells/wells.ts';
import { type JsonValue, parseJson, stringifyJson, valueUnder } from '../../../shared/json.ts';
import { isNullOfFiles, nullTexts, type NullTexts } from '../../../shared/upload/null-tokens.ts';
import { isExcelDamaged } from '../records/decimal.ts';
import { withCalendarDate } from '../records/time-patterns.ts';
import type { ProblemCode } from '../../../shared/upload/warnings.ts';
import { timeReader, joinedText, repeatedReader } from './times.ts';
import {
  cellProblem,
  problem,
  type CellProblem,
  type RowProblem,
  envelopeFields,
} from '../records/targets.ts';
import { TextBuffer } from '../records/text-buffer.ts';

export type RecordRow = Pick<FileRow, 'texts' | 'text' | 'plain' | 'problem'> & {
  /** Its line, and its position in the file. */
  readonly record: { readonly line: number; readonly start: number };
};

type PlainCells = NonNullable<FileRow['plain']>;

/** A row of a preview, whose cells can be trusted. */
export const rowOfPreview = ({
  line,
  start,
  cells,
}: RecordRow['record'] & { readonly cells: readonly string[] }): RecordRow => ({
  texts: () => cells,
  text: (index) => cells[index] ?? '',
  problem: null,
  plain: null,
  record: { line, start },
});

/** Why a cell could not be converted. */
export class Unfit {
  readonly code: ProblemCode;
  constructor(code: ProblemCode) {
    this.code = code;
  }
}

type NumberConversion = Extract<Conversion, { kind: 'number' | 'integer' }>;

/** What a conversion needs of its row, and notes that it adds to the value. */
export interface Notes {
  /** Null: the cell is of no row of the file. */
  row: RecordRow | null;
  /** Which of two times a local time has that occurs twice; null: it occurs once. */
  repeated: 'first' | 'second' | null;
  /** Number of local times that occur twice without a decision about them; the first is used. */
  ambiguousTimes: number;
}

/** Notes for a cell. @param row its row; absent: it is of no row of the file */
export const notesFor = (row: RecordRow | null = null): Notes => ({ row, repeated: null, ambiguousTimes: 0 });

/** Converts a nonblank cell to JSON text; null: the cell is a null value. */
type Convert = (cell: string, notes: Notes) => string | null | Unfit;

const jsonNumber = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
const loose = /^([+-]?)0*(?!0)(\d*)(?:\.(\d*))?([eE][+-]?\d+)?$/;

/** A number's text as JSON text, digit for digit; null if it isn't a finite number. */
export function numberText(cell: string, { decimal, thousands }: NumberStyle): string | null {
  let text = cell;
  if (decimal === ',') {
    // 1.234 is 1,234 in some countries and a decimal number in others; -999.25 is a null value in all of them.
    if (text.includes('.') && !isNullOfFiles(Number(text))) {
      if (!thousands || !/^[+-]?[1-9]\d{0,2}(?:\.\d{3})+(?:,\d*)?$/.test(text)) return null;
      text = text.replaceAll('.', '');
    }
    text = text.replace(',', '.');
  } else if (thousands && text.includes(',')) {
    if (!/^[+-]?[1-9]\d{0,2}(?:,\d{3})+(?:\.\d*)?$/.test(text)) return null;
    text = text.replaceAll(',', '');
  }
  if (!jsonNumber.test(text)) {
    const match = loose.exec(text);
    const [, sign = '', whole = '', fraction = '', exponent = ''] = match ?? [];
    // The pattern also matches a lone sign or point; a number has digits before its exponent.
    if (!match || !/^[+-]?\.?\d/.test(text)) return null;
    text = `${sign === '-' ? '-' : ''}${whole || '0'}${fraction ? `.${fraction}` : ''}${exponent}`;
  }
  const finite = (text.length < 300 && !/e/i.test(text)) || Number.isFinite(Number(text));
  return finite ? text : null;
}

/** An integer as JSON text; `5.0` and `5e3` are integers too. */
function integerText(cell: string, style: NumberStyle): string | null {
  const text = numberText(cell, style);
  if (text === null || /^-?\d+$/.test(text)) return text;
  const value = Number(text);
  return Number.isSafeInteger(value) ? String(value) : null;
}

const truths: ReadonlyMap<string, string> = new Map([
  ...['true', 't', 'yes', 'y', '1'].map((word) => [word, 'true'] as const),
  ...['false', 'f', 'no', 'n', '0'].map((word) => [word, 'false'] as const),
]);

/** Whether a value has a number beyond a double, which would become null. */
const hasInfinite = (value: JsonValue): boolean =>
  typeof value === 'number'
    ? !Number.isFinite(value)
    : typeof value === 'object' && value !== null && Object.values(value).some(hasInfinite);

function stringText(cell: string, json: boolean, trim: boolean): string | Unfit {
  if (json) {
    const text = cell.trim();
    const first = text[0];
    if (first === '[' || first === '{') {
      try {
        const value = parseJson(text);
        return hasInfinite(value) ? new Unfit('too_large_number') : stringifyJson(value);
      } catch {
        // Text that is not valid JSON stays text.
      }
    }
  }
  return JSON.stringify(trim ? cell.trim() : cell);
}

/** The notation of times on the Internet (RFC 3339). */
const internetTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/;

/** Such a time whose day every month has: nearly all of a file are, and are passed on without a calendar. */
const plainTime =
  /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d+)?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/;

const noTime = (text: string): Unfit => new Unfit(isExcelDamaged(text) ? 'excel_damage' : 'not_a_time');

function texts({ json, trim, digits, isTime }: Extract<Conversion, { kind: 'string' }>): Convert {
  if (isTime)
    return (cell) => {
      const text = cell.trim();
      if (plainTime.test(text)) return JSON.stringify(text);
      const utc = utcText(withCalendarDate(text));
      return utc === null ? noTime(text) : JSON.stringify(internetTime.test(text) ? text : utc);
    };
  if (digits === undefined) return (cell) => stringText(cell, json, trim);
  return (cell) => {
    const text = cell.trim();
    if (isExcelDamaged(text)) return new Unfit('excel_damage');
    return stringText(/^\d+$/.test(text) ? text.padStart(digits, '0') : cell, json, trim);
  };
}

/** Converts numbers from one unit to another; null: they stay as they are. */
function unitConverter({ units }: NumberConversion): ((value: number) => number) | null {
  const [from, to] = units ? [unitNamed(units.from), unitNamed(units.to)] : [];
  return (from && to && unitsConverter(from, to)) ?? null;
}

function numbers(conversion: NumberConversion, nulls: ReadonlySet<number>): Convert {
  const { style } = conversion;
  const whole = conversion.kind === 'integer';
  const read = whole ? integerText : numberText;
  const change = unitConverter(conversion);
  return (cell) => {
    const text = cell.trim();
    const number = read(text, style);
    if (number === null) return new Unfit(whole ? 'not_an_integer' : 'not_a_number');
    if (nulls.size > 0 && nulls.has(Number(number))) return null;
    // A number whose digits a spreadsheet dropped can't become an id.
    if (whole && isExcelDamaged(text)) return new Unfit('excel_damage');
    if (!change || isNullOfFiles(Number(number))) return number;
    const value = change(Number(number));
    return Number.isFinite(value) ? String(value) : new Unfit('too_large_number');
  };
}

function times({ format, zone, as, repeated }: Extract<Conversion, { kind: 'time' }>): Convert {
  const read = timeReader(format, zone);
  const readRepeated = repeated && repeatedReader(repeated);
  return (cell, notes) => {
    const text = cell.trim();
    const time = read(text);
    if (time === 'gap') return new Unfit('time_in_gap');
    if (time === 'unreadable') return noTime(text);
    let { ms } = time;
    if (time.laterMs !== null) {
      notes.repeated = readRepeated?.(notes.row) ?? 'first';
      if (!repeated) notes.ambiguousTimes++;
      if (notes.repeated === 'second') ms = time.laterMs;
    }
    return as === 'ms' ? String(ms) : JSON.stringify(new Date(ms).toISOString());
  };
}

function assets({ by, ids }: Extract<Conversion, { kind: 'asset' }>): Convert {
  return (cell) => {
    const key = assetKey(by, cell);
    const id = valueUnder(ids, key);
    if (id !== undefined) return String(id);
    return new Unfit(isExcelDamaged(cell.trim()) ? 'excel_damage' : 'asset_unknown');
  };
}

/**
 * Converts cells to JSON text by a rule. Numbers keep their digits as in the file.
 * @param nulls texts that are null values; numbers are also compared by value, so that -999.25 matches -999.2500
 */
export const converter = (conversion: Conversion, nulls: readonly string[]): Convert =>
  converterWith(conversion, nullTexts(nulls));

function converterWith(conversion: Conversion, { texts: tokens, numbers: numeric }: NullTexts): Convert {
  const convert = plainConverter(conversion, numeric);
  const isNumber = conversion.kind === 'number' || conversion.kind === 'integer';
  return (cell, notes) => {
    const text = cell.trim();
    if (tokens.has(cell) || tokens.has(text)) return null;
    const isNull = numeric.size > 0 && plainDecimal.test(text) && numeric.has(Number(text.replace(',', '.')));
    if (!isNull) return convert(cell, notes);
    // A comma can be between thousands: -1,000 isn't -1.
    const value = isNumber ? convert(cell, notes) : null;
    return value instanceof Unfit ? null : value;
  };
}

const plainDecimal = /^-?\d+(?:[.,]\d+)?$/;

function plainConverter(conversion: Conversion, nulls: ReadonlySet<number>): Convert {
  switch (conversion.kind) {
    case 'number':
    case 'integer':
      return numbers(conversion, nulls);
    case 'string':
      return texts(conversion);
    case 'boolean':
      return (cell) => truths.get(cell.trim().toLowerCase()) ?? new Unfit('not_a_boolean');
    case 'time':
      return times(conversion);
    case 'asset':
    default:
      return assets(conversion);
  }
}

/** Copies a cell's bytes as its value; false, with nothing written, if the cell needs conversion. */
type PlainCopy = (cells: PlainCells, index: number, into: TextBuffer) => boolean;

/** The last moment that has a date, in milliseconds. */
const maxTimeMs = 8.64e15;

/**
 * The copy of plain numbers that stay as they are, times since 1970 included; null: the conversion changes them. It equals
 * {@link converter} without creating a text.
 */
function plainCopy(conversion: Conversion, { numbers: none }: NullTexts): PlainCopy | null {
  const isTime = conversion.kind === 'time' && conversion.as === 'ms' && conversion.format === 'unix_ms';
  const isNumber = conversion.kind === 'number' && conversion.units === undefined;
  if (!isTime && !isNumber && conversion.kind !== 'integer') return null;
  const canHavePoint = isNumber && conversion.style.decimal === '.';
  return (cells, index, into) => {
    const value = cells.values[index] ?? 0;
    if (!(canHavePoint ? cells.isNumber(index) : cells.isInteger(index))) return false;
    // A zero can have a sign, which a time doesn't have.
    if ((none.size > 0 && none.has(value)) || (isTime && (value === 0 || Math.abs(value) >= maxTimeMs)))
      return false;
    into.range(cells.bytes, cells.starts[index] ?? 0, cells.ends[index] ?? 0);
    return true;
  };
}

interface LeafSource {
  readonly rule: ColumnRule;
  readonly convert: Convert;
  readonly copy: PlainCopy | null;
}
/** A path of the record: its value comes from the mapped columns, else from its constant. */
interface Leaf {
  readonly name: string;
  readonly sources: readonly LeafSource[];
  /** Its only source, if the bytes can be copied. */
  readonly plain: (LeafSource & { readonly copy: PlainCopy }) | null;
  readonly constant: string | null;
  readonly required: boolean;
}
/** Named parts in the order of writing. */
interface Branch {
  readonly parts: { readonly prefix: string; readonly bytes: Uint8Array; readonly node: Node }[];
  readonly always: boolean;
}
/** A list with an item for each row of the record. */
interface List {
  readonly item: Branch;
}
type Node = Leaf | Branch | List;

const isLeaf = (node: Node): node is Leaf => 'sources' in node;
const isBranch = (node: Node): node is Branch => 'parts' in node;
const nameOf = (path: readonly string[]): string => path.join('.');

/** All paths of the rules: the envelope in its order, then `data`. */
function orderedPaths({ columns, constants, required }: Rules): string[][] {
  const byName = new Map<string, string[]>();
  for (const { path } of [...required.map((path) => ({ path })), ...columns, ...constants])
    byName.set(nameOf(path), path);
  const rank = ([root = '']: string[]): number => {
    const place = envelopeFields.indexOf(root);
    return place >= 0 ? place : root === 'metadata' ? envelopeFields.length : envelopeFields.length + 1;
  };
  return [...byName.values()].sort((a, b) => rank(a) - rank(b));
}

/** The leaf of each path; a file can have 10,000 columns. */
function leavesOf(rules: Rules): (path: readonly string[]) => Leaf {
  const columns = Map.groupBy(rules.columns, ({ path }) => nameOf(path));
  const constants = new Map(rules.constants.toReversed().map(({ path, json }) => [nameOf(path), json]));
  const required = new Set(rules.required.map(nameOf));
  const nulls = nullTexts(rules.nulls);
  return (path) => {
    const name = nameOf(path);
    const sources = (columns.get(name) ?? []).map((rule) => ({
      rule,
      convert: converterWith(rule.conversion, nulls),
      copy: rule.join ? null : plainCopy(rule.conversion, nulls),
    }));
    const [only, ...others] = sources;
    return {
      name,
      sources,
      plain: only?.copy && others.length === 0 ? { ...only, copy: only.copy } : null,
      constant: constants.get(name) ?? null,
      required: required.has(name),
    };
  };
}

type PartIndex = Map<Branch, Map<string, Node>>;

function addNode(index: PartIndex, root: Branch, path: readonly string[], node: Node): void {
  let branch = root;
  path.forEach((segment, depth) => {
    const prefix = `${JSON.stringify(segment)}:`;
    const isEnd = depth === path.length - 1;
    const nodes = index.get(branch) ?? new Map<string, Node>();
    index.set(branch, nodes);
    const existingNode = nodes.get(prefix);
    const always = branch === root && segment === 'data';
    const next = isEnd ? node : existingNode && isBranch(existingNode) ? existingNode : { parts: [], always };
    if (next !== existingNode) branch.parts.push({ prefix, bytes: Buffer.from(prefix), node: next });
    // The first part of a prefix is the one that others go below.
    if (!existingNode) nodes.set(prefix, next);
    if (isBranch(next)) branch = next;
  });
}

function shapeOf(rules: Rules): Branch {
  const root: Branch = { parts: [], always: true };
  const item: Branch = { parts: [], always: true };
  const { fold } = rules;
  const index: PartIndex = new Map();
  const leafFor = leavesOf(rules);
  for (const path of orderedPaths(rules)) {
    if (fold && isInList(path, fold)) addNode(index, item, path.slice(fold.into.length), leafFor(path));
    else addNode(index, root, path, leafFor(path));
  }
  if (fold) addNode(index, root, fold.into, { item });
  if (!root.parts.some(({ prefix }) => prefix === '"data":'))
    addNode(index, root, ['data'], { parts: [], always: true });
  return root;
}

const [comma, open, close] = [0x2c, 0x7b, 0x7d];

export type Written =
  | { readonly record: string; readonly ambiguousTimes: number }
  | { readonly problems: readonly RowProblem[] };

/** Numbers and times that differ only in notation are equal. */
const agree = (a: string, b: string): boolean => {
  if (a === b) return true;
  const areTexts = a.startsWith('"');
  if (areTexts !== b.startsWith('"')) return false;
  return areTexts ? isSameText(a.slice(1, -1), b.slice(1, -1)) : Number(a) === Number(b);
};

interface RecordWriterOptions {
  /** Whether a row without values of its own becomes a record too. */
  readonly blankRows?: boolean;
}

class RecordWriting {
  problems: RowProblem[] = [];
  readonly notes = notesFor();
  readonly #into: TextBuffer;
  readonly #nulls: ReadonlySet<string>;
  /** All rows of the record, or the one of the item that is being written. */
  #rows: readonly RecordRow[] = [];
  /** Whether any column had a value. */
  filled = false;

  constructor(into: TextBuffer, nulls: readonly string[]) {
    this.#into = into;
    this.#nulls = new Set(nulls);
  }

  begin(rows: readonly RecordRow[], problems: readonly RowProblem[]): void {
    this.#rows = rows;
    this.filled = false;
    this.notes.ambiguousTimes = 0;
    if (this.problems.length + problems.length > 0) this.problems = [...problems];
  }

  #add(row: RecordRow, fault: CellProblem): void {
    this.problems.push({ ...fault, line: row.record.line });
  }

  /** Whether anything was written. */
  branch({ parts, always }: Branch): boolean {
    const into = this.#into;
    const start = into.length;
    let empty = true;
    into.byte(open);
    for (const { bytes, node } of parts) {
      const mark = into.length;
      if (!empty) into.byte(comma);
      into.range(bytes, 0, bytes.length);
      if (isLeaf(node) ? this.#leaf(node) : isBranch(node) ? this.branch(node) : this.#list(node))
        empty = false;
      else into.length = mark;
    }
    if (empty && !always) into.length = start;
    else into.byte(close);
    return !empty || always;
  }

  #list({ item }: List): true {
    const rows = this.#rows;
    const wasFilled = this.filled;
    let isAnyFilled = false;
    this.#into.text('[');
    rows.forEach((row, index) => {
      if (index > 0) this.#into.byte(comma);
      this.#rows = [row];
      this.filled = false;
      const before = this.problems.length;
      this.branch(item);
      if (!this.filled && this.problems.length === before) this.#add(row, problem('empty_row', null));
      isAnyFilled ||= this.filled;
    });
    this.#into.text(']');
    this.#rows = rows;
    this.filled = wasFilled || isAnyFilled;
    return true;
  }

  #leaf(leaf: Leaf): boolean {
    const { plain } = leaf;
    const cells = this.#rows[0]?.plain;
    if (plain && cells && plain.copy(cells, plain.rule.index, this.#into)) return (this.filled = true);
    const value = this.#value(leaf);
    if (value !== null) this.#into.text(value);
    return value !== null;
  }

  #value({ name, sources, constant, required }: Leaf): string | null {
    let value: string | null = null;
    let from: RecordRow | null = null;
    let wrong = false;
    for (const row of this.#rows) {
      this.notes.row = row;
      for (const { rule, convert } of sources) {
        const cell = joinedText(row, rule, this.#nulls);
        if (cell === '' || cell.trim() === '') continue;
        const newValue = convert(cell, this.notes);
        if (newValue instanceof Unfit) {
          this.#add(row, cellProblem(newValue.code, rule.column, cell));
          wrong = true;
        } else if (newValue !== null && value !== null && !agree(value, newValue)) {
          this.#add(row, problem(from === row ? 'columns_disagree' : 'rows_disagree', rule.column, name));
          wrong = true;
        } else if (newValue !== null && value === null) {
          value = newValue;
          from = row;
        }
      }
    }
    if (value !== null) this.filled = true;
    value ??= constant;
    const [first] = this.#rows;
    if (value === null && required && !wrong && first)
      this.#add(first, problem('missing_value', sources[0]?.rule.column ?? null, name));
    return value;
  }
}

/** The error of a row before its cells are converted; null: none. */
function rowProblem(row: RecordRow, columns: number): CellProblem | null {
  if (row.plain?.count === columns) return null;
  if (row.problem !== null) return problem(row.problem, null);
  const cells = row.texts();
  if (cells.length < columns) return problem('too_few_cells', null);
  const more = cells.length > columns && cells.slice(columns).some((cell) => cell.trim() !== '');
  return more ? problem('too_many_cells', null) : null;
}

/** The error of a row without the value by which rows are combined; null: none. */
function groupProblem(row: RecordRow, { by }: Pick<FoldRule, 'by'>): CellProblem | null {
  if (by === null || row.text(by.index).trim() !== '') return null;
  return problem('no_group', by.column, by.column);
}

const isBroken = ({ record }: RecordRow, broken: readonly RowProblem[]): boolean =>
  broken.some(({ line }) => line === record.line);

/** Appends the record of its rows. If one of them has errors, appends nothing and returns all errors. */
export type WriteRows = (
  rows: readonly RecordRow[],
) => { readonly problems: readonly RowProblem[] } | { readonly ambiguousTimes: number };

/** Writes rows as JSON texts of records, without line breaks. */
export function createRowWriter(
  into: TextBuffer,
  rules: Rules,
  columns: number,
  { blankRows = false }: RecordWriterOptions = {},
): WriteRows {
  const shape = shapeOf(rules);
  const { fold } = rules;
  const writing = new RecordWriting(into, rules.nulls);
  return (rows) => {
    const broken: RowProblem[] = [];
    for (const row of rows) {
      const problem = rowProblem(row, columns) ?? (fold ? groupProblem(row, fold) : null);
      if (problem) broken.push({ ...problem, line: row.record.line });
    }
    if (broken.length === rows.length) return { problems: broken };
    const start = into.length;
    writing.begin(broken.length > 0 ? rows.filter((row) => !isBroken(row, broken)) : rows, broken);
    writing.branch(shape);
    const { problems, filled, notes } = writing;
    const isBlank = !blankRows && !filled && problems.every(({ code }) => code === 'missing_value');
    if (!isBlank && problems.length === 0) return { ambiguousTimes: notes.ambiguousTimes };
    into.length = start;
    if (!isBlank) return { problems };
    return { problems: [{ ...problem('empty_row', null), line: rows[0]?.record.line ?? 0 }] };
  };
}

/** As {@link createRowWriter}, for one record after another. */
export function createRecordWriter(
  rules: Rules,
  columns: number,
  options: RecordWriterOptions = {},
): (rows: readonly RecordRow[]) => Written {
  const into = new TextBuffer();
  const write = createRowWriter(into, rules, columns, options);
  return (rows) => {
    into.length = 0;
    const written = write(rows);
    return 'problems' in written
      ? written
      : { record: into.textFrom(0), ambiguousTimes: written.ambiguousTimes };
  };
}
