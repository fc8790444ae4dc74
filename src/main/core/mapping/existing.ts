import { hash } from 'node:crypto';
import { msText, utcText } from '../../../shared/instants.ts';
import { isObject, valueAt, type JsonObject, type JsonValue, parseJson } from '../../../shared/json.ts';
import { AppError, invalidInput } from '../../../shared/errors/errors.ts';
import { endOfValue, skipSpace } from '../records/json-text.ts';
import { basename } from 'node:path';
import { canonicalText, type Likeness } from '../records/values.ts';
import { GrowingFile, realDisk } from '../files/growing-file.ts';
import { KnownIds, packIds } from '../records/id-runs.ts';
import { datasetShapes, type DatasetType, scopeFieldOf } from '../../../shared/datasets/datasets.ts';
import { isInList, type Rules, rulesAt, type Conversion, type Bounds } from './upload-plan.ts';
import { closeSync, openSync, readSync } from '../../world/files.ts';
import type { ColumnFacts } from '../tables/tables.ts';
import { numericNulls } from '../../../shared/upload/null-tokens.ts';
import { maxOf, minOf } from '../../../shared/lists.ts';

const textAt = (record: JsonObject, paths: readonly (readonly string[])[], likeness: Likeness = {}): string =>
  paths.map((path) => canonicalText(valueAt(record, path), likeness)).join('\n');

/** A short fingerprint of the values of a record at these paths. Records with equal fingerprints count as equal. */
export const fingerprint = (record: JsonObject, paths: readonly (readonly string[])[]): string =>
  hash('sha256', textAt(record, paths), 'hex').slice(0, 32);

/** The same as four words. */
export function digestOf(
  record: JsonObject,
  paths: readonly (readonly string[])[],
  likeness?: Likeness,
): Uint32Array {
  // A buffer would take twice as long.
  const bytes = hash('sha256', textAt(record, paths, likeness), 'binary');
  const words = new Uint32Array(4);
  for (let at = 0; at < 16; at++) words[at >> 2] = ((words[at >> 2] ?? 0) << 8) | bytes.charCodeAt(at);
  return words;
}

const notList = (cause?: unknown): AppError =>
  new AppError('bad_answer', { service: 'data', problem: 'it isn’t a list of records' }, { cause });

function parsed(text: string): JsonValue {
  try {
    return parseJson(text);
  } catch (cause) {
    throw notList(cause);
  }
}

const [comma, opening, closing] = [0x2c, 0x5b, 0x5d];

/**
 * The records of a page, parsed one by one: parsed at once, a page of large records takes ten times its size.
 * @param text JSON of the page, as the service sent it
 * @throws AppError `bad_answer` if it isn’t a list of records
 */
export function* pageRecords(text: string): Generator<JsonValue> {
  const bytes = Buffer.from(text);
  const start = skipSpace(bytes, 0);
  if (bytes[start] !== opening) throw notList();
  let at = skipSpace(bytes, start + 1);
  while (bytes[at] !== closing) {
    const end = endOfValue(bytes, at);
    if (end < 0) throw notList();
    yield parsed(bytes.toString('utf8', at, end));
    at = skipSpace(bytes, end);
    if (bytes[at] !== comma) break;
    at = skipSpace(bytes, at + 1);
    if (bytes[at] === closing) throw notList();
  }
  if (bytes[at] !== closing || skipSpace(bytes, at + 1) < bytes.length) throw notList();
}

/** The paths of records that are compared, and those that identify well and index. */
export interface Comparison {
  /** All paths that the rows of the file fill. */
  readonly paths: readonly (readonly string[])[];
  /** Well and index; empty where the dataset has no index. */
  readonly key: readonly (readonly string[])[];
  /** The path by which pages are split; null: none. */
  readonly index: readonly string[] | null;
  /** Numbers that are null values in the file: a record that has one equals a row without a value. Absent: none. */
  readonly nulls?: ReadonlySet<number>;
}

/** Whether a row is in the dataset: `there`, `new`, or it `differs` from a record of the same well and index. */
export type ExistingState = 'there' | 'differs' | 'new';

export interface PageRead {
  readonly records: number;
  /** Records that were not on an earlier page. */
  readonly newRecords: number;
  /** The last value of the index, and the number of records with it. */
  readonly last: number | null;
  readonly atLast: number;
  /** Whether they are in the order of the index. */
  readonly isInOrder: boolean;
}

/** A multiset of digests: 20 bytes for each place, of which between a third and two thirds are in use. */
class Digests {
  #words = new Uint32Array(4 << 10);
  /** 0: free; 1: all were taken; else one more than there are. */
  #counts = new Uint32Array(1 << 10);
  #usedPlaces = 0;
  /** Number of digests, repeated ones included. */
  size = 0;

  #placeOf(digest: Uint32Array): number {
    const mask = this.#counts.length - 1;
    let place = (digest[0] ?? 0) & mask;
    while (this.#counts[place] !== 0 && !this.#isAt(place, digest)) place = (place + 1) & mask;
    return place;
  }

  #isAt(place: number, digest: Uint32Array): boolean {
    for (let word = 0; word < 4; word++) if (this.#words[4 * place + word] !== digest[word]) return false;
    return true;
  }

  add(digest: Uint32Array, count: number): void {
    const place = this.#placeOf(digest);
    const before = this.#counts[place] ?? 0;
    this.#counts[place] = Math.max(1, before) + count;
    this.size += count;
    if (before > 0) return;
    this.#words.set(digest, 4 * place);
    if (++this.#usedPlaces * 1.5 > this.#counts.length) this.#grow();
  }

  #grow(): void {
    const all = this.entries();
    this.#words = new Uint32Array(2 * this.#words.length);
    this.#counts = new Uint32Array(2 * this.#counts.length);
    [this.#usedPlaces, this.size] = [0, 0];
    for (const [digest, count] of all) this.add(digest, count);
  }

  has(digest: Uint32Array): boolean {
    return (this.#counts[this.#placeOf(digest)] ?? 0) > 1;
  }

  /** Takes one that is there. */
  take(digest: Uint32Array): void {
    const place = this.#placeOf(digest);
    this.#counts[place] = (this.#counts[place] ?? 0) - 1;
    this.size--;
  }

  /** As they are now, whatever is added meanwhile. */
  entries(): Generator<[digest: Uint32Array, count: number]> {
    return entriesOf(this.#words, this.#counts);
  }
}

function* entriesOf(words: Uint32Array, counts: Uint32Array): Generator<[Uint32Array, number]> {
  for (const [place, count] of counts.entries())
    if (count > 1) yield [words.subarray(4 * place, 4 * place + 4), count - 1];
}

/** Keeps back what wasn't added: all but 1 in 2,000 with 10 million rows in it. In 32 MB at most. */
class Sieve {
  readonly #bits: Uint32Array;

  /** @param rows how many will be added */
  constructor(rows: number) {
    this.#bits = new Uint32Array(2 ** Math.min(23, Math.ceil(Math.log2(rows + 1))));
  }

  add(digest: Uint32Array): void {
    for (const word of digest) {
      const bit = word % (32 * this.#bits.length);
      this.#bits[bit >>> 5] = (this.#bits[bit >>> 5] ?? 0) | (1 << (bit & 31));
    }
  }

  passes(digest: Uint32Array): boolean {
    return digest.every((word) => {
      const bit = word % (32 * this.#bits.length);
      return ((this.#bits[bit >>> 5] ?? 0) & (1 << (bit & 31))) !== 0;
    });
  }
}

/** Maximum number of kept records: up to 120 bytes of memory for each, and their ids. */
const defaultMaxKept = 10_000_000;
/** A time with more digits than milliseconds in the JSON of a row. */
const finerThanMs = /\d\d:\d\d[.,]\d{4}/;
/** Size of the pieces in which they are stored and loaded. */
const pieceBytes = 1 << 20;

/**
 * The records of a dataset from before the first row was sent, as a multiset of fingerprints: each record can match one
 * row of the file. Of many records, only those are kept that can match one.
 */
export class ExistingRecords {
  readonly #comparison: Comparison;
  readonly #maxKept: number;
  readonly #records = new Digests();
  readonly #keys = new Digests();
  /** The rows of the file; null: all records are kept. */
  #rows: { readonly records: Sieve; readonly keys: Sieve } | null = null;
  /** Ids of the kept records: none of these can be a row that this job sent. */
  readonly #ids = new KnownIds();
  /** Ids of the records with the last value of the index: they can be repeated on the next page. */
  #lastIds = new Set<string>();
  #last: number | null = null;
  /** Whether the records of the last page are in the order of the index. */
  #isInOrder = true;
  /** Whether the service keeps more of a time than milliseconds. */
  #isExact = false;

  /** @param maxKept how many are kept at most */
  constructor(comparison: Comparison, maxKept = defaultMaxKept) {
    this.#comparison = comparison;
    this.#maxKept = maxKept;
  }

  get isEmpty(): boolean {
    return this.#records.size === 0 && this.#keys.size === 0;
  }

  /**
   * From now on, keeps only records that can equal a row, or have its well and index.
   * @param rows JSON of the record of each row
   * @param count of them, at most
   * @throws SyntaxError if one isn’t JSON
   */
  keepOnly(rows: Iterable<string>, count: number): void {
    const sieves = { records: new Sieve(count), keys: new Sieve(count) };
    for (const row of rows) {
      const record = parseJson(row);
      if (!isObject(record)) continue;
      for (const digest of this.#digestsOf(row, record)) sieves.records.add(digest);
      sieves.keys.add(digestOf(record, this.#comparison.key));
    }
    this.#rows = sieves;
  }

  /** Of a row as it is, and as a service stores it that cuts times to milliseconds. */
  #digestsOf(row: string, record: JsonObject): Uint32Array[] {
    const isCut = !this.#isExact && finerThanMs.test(row);
    return [this.#digestOf(record), ...(isCut ? [this.#digestOf(record, msText)] : [])];
  }

  #digestOf(record: JsonObject, instant = utcText): Uint32Array {
    const { paths, nulls } = this.#comparison;
    return digestOf(record, paths, { instant, nulls });
  }

  /**
   * @param text JSON of the page, as the service sent it
   * @throws AppError `bad_answer` if it isn’t a list of records; `invalid_input` if too many are kept
   */
  addPage(text: string): PageRead {
    let records = 0;
    let newRecords = 0;
    const ids: string[] = [];
    const mayBeExact = !this.#isExact && finerThanMs.test(text);
    this.#isInOrder = true;
    for (const record of pageRecords(text)) {
      records++;
      if (!isObject(record) || this.#isRepeated(record)) continue;
      newRecords++;
      if (this.#keep(record, mayBeExact) && typeof record['_id'] === 'string') ids.push(record['_id']);
    }
    this.#ids.add(packIds(ids));
    return { records, newRecords, last: this.#last, atLast: this.#lastIds.size, isInOrder: this.#isInOrder };
  }

  /**
   * @param mayBeExact whether a text of its page looks like a time with more than milliseconds
   * @returns whether the id is needed: without an index, repeated records are found by their ids
   */
  #keep(record: JsonObject, mayBeExact: boolean): boolean {
    const { key } = this.#comparison;
    const digest = this.#digestOf(record);
    if (mayBeExact && this.#digestOf(record, msText).join() !== digest.join()) this.#isExact = true;
    const canEqual = this.#rows?.records.passes(digest) ?? true;
    if (canEqual) this.#records.add(digest, 1);
    if (this.#records.size > this.#maxKept)
      throw invalidInput(
        `More than ${this.#maxKept} rows of the file may exist in the dataset, too many to compare at once. Split the file by well or time.`,
        { field: 'existing' },
      );
    if (key.length === 0) return true;
    const place = digestOf(record, key);
    const isPlaceOfRow = this.#rows?.keys.passes(place) ?? true;
    if (isPlaceOfRow && !this.#keys.has(place)) this.#keys.add(place, 1);
    return canEqual || isPlaceOfRow;
  }

  /** Whether the record with this id existed before the upload. */
  hasId(id: string): boolean {
    return this.#ids.has(id);
  }

  /** Whether the record was on an earlier page. A record without an id counts as new. */
  #isRepeated(record: JsonObject): boolean {
    const { index } = this.#comparison;
    const id = record['_id'];
    const value = index ? valueAt(record, index) : null;
    if (typeof id !== 'string') return false;
    if (typeof value !== 'number') return this.#ids.has(id);
    if (this.#last !== null && value < this.#last) this.#isInOrder = false;
    if (value !== this.#last) {
      this.#last = value;
      this.#lastIds = new Set();
    }
    if (this.#lastIds.has(id)) return true;
    this.#lastIds.add(id);
    return false;
  }

  /** Whether a row equals an existing record; each record matches one row only. @throws SyntaxError if it isn’t JSON */
  take(row: string): ExistingState {
    if (this.isEmpty) return 'new';
    const record = parseJson(row);
    if (!isObject(record)) return 'new';
    const digest = this.#digestsOf(row, record).find((candidate) => this.#records.has(candidate));
    if (digest) {
      this.#records.take(digest);
      return 'there';
    }
    return this.#keys.size > 0 && this.#keys.has(digestOf(record, this.#comparison.key)) ? 'differs' : 'new';
  }

  *#lines(): Generator<string> {
    if (this.#isExact) yield 'exact';
    for (const [digest, count] of this.#records.entries()) yield `record ${digest.join(' ')} ${count}`;
    for (const [digest] of this.#keys.entries()) yield `key ${digest.join(' ')}`;
    for (const [first, count] of this.#ids.runs()) yield `id ${encodeURIComponent(first)} ${count}`;
  }

  /** Stores it for a later run of the job. @throws AppError `disk_full`, `file_unwritable` */
  save(path: string): void {
    const file = new GrowingFile({ disk: realDisk, path, name: basename(path) }, 0);
    try {
      let piece = '';
      for (const line of this.#lines()) {
        piece += `${line}\n`;
        if (piece.length < pieceBytes) continue;
        file.append(piece);
        piece = '';
      }
      file.append(piece);
      file.sync();
    } finally {
      file.close();
    }
  }

  /** Reads the file that {@link save} wrote. */
  load(path: string): void {
    for (const line of linesOf(path)) {
      const [kind, ...words] = line.split(' ');
      if (kind === 'id') this.#ids.add([[decodeURIComponent(words[0] ?? ''), Number(words[1])]]);
      else if (kind === 'exact') this.#isExact = true;
      else if (kind === 'key') this.#keys.add(Uint32Array.from(words, Number), 1);
      else this.#records.add(Uint32Array.from(words.slice(0, 4), Number), Number(words[4]));
    }
  }
}

/** The lines of a file that may be larger than a text can be. */
function* linesOf(path: string): Generator<string> {
  const fd = openSync(path, 'r');
  try {
    const piece = Buffer.alloc(pieceBytes);
    let rest = '';
    for (let length = readSync(fd, piece); length > 0; length = readSync(fd, piece)) {
      const lines = (rest + piece.toString('latin1', 0, length)).split('\n');
      rest = lines.pop() ?? '';
      yield* lines;
    }
  } finally {
    closeSync(fd);
  }
}

const nameOf = (path: readonly string[]): string => path.join('.');

/** The fields of a record that are compared: those that the rules fill, because the service adds its own. */
export function comparisonOf(rules: Rules, type: DatasetType | null): Comparison {
  const { columns, constants, fold } = rules;
  const filled = new Map(
    [...columns, ...constants]
      .map(({ path }) => (fold && isInList(path, fold) ? fold.into : path))
      .map((path) => [nameOf(path), path]),
  );
  const shape = type === null ? null : datasetShapes[type];
  const numericIndex =
    shape?.indexField === 'timestamp' || shape?.indexField === 'measured_depth' ? shape.indexField : null;
  const index = numericIndex !== null && filled.has(numericIndex) ? [numericIndex] : null;
  const key = index
    ? [[...(shape?.scopeField.split('.') ?? [])], index, ...(shape?.indexScope ? [[shape.indexScope]] : [])]
    : [];
  const paths = [...filled.values()].sort((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1));
  return { paths, key, index, nulls: numericNulls(rules.nulls) };
}

/** Maximum number of wells in a query. */
export const maxAssets = 1000;

interface Extent {
  readonly min: number;
  readonly max: number;
}

/** The decimal sign of the numbers in cells that are sent in their unit; null: they are converted, or no numbers. */
function decimalOf(conversion: Conversion): '.' | ',' | null {
  if (conversion.kind === 'number' || conversion.kind === 'integer')
    return conversion.units === undefined ? conversion.style.decimal : null;
  return conversion.kind === 'time' && conversion.format === 'unix_ms' && conversion.as === 'ms' ? '.' : null;
}

/** Minimum and maximum of a column of numbers; null: some cells have none. @param blanks whether cells can be blank */
function extentOf(facts: ColumnFacts, conversion: Conversion, blanks: boolean): Extent | null {
  const { counts } = facts;
  const decimal = decimalOf(conversion);
  const blankCount = counts.empty + counts.null_word;
  const otherCount = facts.values - counts.integer - counts.number + (blanks ? 0 : blankCount);
  // Times are rounded to whole milliseconds.
  const isRounded = conversion.kind === 'time' && counts.number > 0;
  if (decimal === null || otherCount > 0 || isRounded) return null;
  const { min, max } = facts.ends[decimal];
  return min && max && { min: min.value, max: max.value };
}

/** Minimum and maximum of the values for a path of the records; null: unknown, or some records have none. */
function extentAt(rules: Rules, columns: readonly ColumnFacts[], at: readonly string[]): Extent | null {
  const { columns: columnRules, constants } = rulesAt(rules, [at]);
  const [constant] = constants;
  const constantValue = constant && parseJson(constant.json);
  const extents = columnRules.map(({ conversion, index, join }) => {
    const facts = columns[index];
    return facts && !join ? extentOf(facts, conversion, constant !== undefined) : null;
  });
  if (constant)
    extents.push(typeof constantValue === 'number' ? { min: constantValue, max: constantValue } : null);
  const knownExtents = extents.filter((extent) => extent !== null);
  if (knownExtents.length === 0 || knownExtents.length < extents.length) return null;
  return {
    min: minOf(knownExtents.map(({ min }) => min)),
    max: maxOf(knownExtents.map(({ max }) => max)),
  };
}

/**
 * The part of the dataset for the rows of a file, from the facts of the first pass, which saves reading the file again.
 * @returns null: a survey is needed
 * @throws SyntaxError if a constant isn’t JSON
 */
export function boundsOf(
  rules: Rules,
  columns: readonly ColumnFacts[],
  type: DatasetType | null,
): Bounds | null {
  // Null values among the numbers are included in minimum and maximum.
  if (numericNulls(rules.nulls).size > 0) return null;
  const scope = scopeFieldOf(type).split('.');
  const { index } = comparisonOf(rules, type);
  const wells = extentAt(rules, columns, scope);
  const range = index && extentAt(rules, columns, index);
  if (!wells || (index && !range)) return null;
  const count = wells.max - wells.min + 1;
  if (!Number.isSafeInteger(wells.min) || !Number.isSafeInteger(wells.max) || count > maxAssets) return null;
  return { assets: Array.from({ length: count }, (_, n) => wells.min + n), range };
}
