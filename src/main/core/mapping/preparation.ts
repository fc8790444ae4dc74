import { type Rules, rulesAt } from './upload-plan.ts';
import { type Layout, type FileRow, type OpenTableFile, encodeText } from '../tables/tables.ts';
import { createHash, hash } from 'node:crypto';
import { AppError } from '../../../shared/errors/errors.ts';
import type { UploadProblem } from '../../../shared/upload/result.ts';
import { dataRows, type RowsRequest } from './times.ts';
import { TextBuffer } from '../records/text-buffer.ts';
import { createRowWriter, type WriteRows, createRecordWriter } from './record-writer.ts';
import { type ExistingRecords, type ExistingState, fingerprint, maxAssets, pageRecords } from './existing.ts';
import { addProblems, type RowProblem, rejectedText } from '../records/targets.ts';
import {
  parseJson,
  stringifyJson,
  isObject,
  valueAt,
  type JsonObject,
  type JsonValue,
} from '../../../shared/json.ts';
import { basename } from 'node:path';
import { quotedCell } from '../../../shared/csv.ts';
import { rejectColumns, rejectedTable } from '../../../shared/upload/templates.ts';
import { GrowingFile, realDisk } from '../files/growing-file.ts';

/** How rows are read and converted; the same for all batches of a job. */
export interface Preparation {
  readonly fileName: string;
  readonly layout: Layout;
  readonly rules: Rules;
  /** Number of data rows of the file, or of groups of them; footer rows follow them. */
  readonly rows: number;
}

export interface PrepareRequest {
  /** Start of the batch. */
  readonly byte: number;
  readonly line: number;
  readonly row: number;
  readonly rows: number;
  /** Size in bytes at which the body is closed; absent: no maximum. */
  readonly bytes?: number | undefined;
  /** Whether the body is needed; a dry run only counts. */
  readonly body: boolean;
  /** Rows of the batch that are known to exist in the dataset; absent: to be determined. */
  readonly skipped?: readonly number[] | undefined;
  /** The paths of well and index, if rows that share them are needed. */
  readonly key?: readonly (readonly string[])[] | undefined;
}

/** A batch of rows: the body with its records, one per line, and the problems of its other rows. */
export interface Prepared {
  readonly row: number;
  readonly rows: number;
  readonly from: number;
  readonly to: number;
  readonly line: number;
  readonly nextLine: number;
  readonly records: number;
  /** JSON text of an array, each record on its own line; null if it was not requested. */
  readonly body: Uint8Array | null;
  readonly sha256: string;
  /** The line of each record in the file. */
  readonly lines: Uint32Array<ArrayBuffer>;
  readonly problems: UploadProblem[];
  readonly ambiguousTimes: number;
  /** Indexes in the batch of rows that are already in the dataset. */
  readonly skipped: number[];
  /** Rows whose well and index have other values in the dataset. */
  readonly differs: number;
  /** Rows with the same well and index as an earlier row of the file, and their first line; absent: not checked. */
  readonly repeated?: { readonly count: number; readonly line: number | null };
}

const bracket = { open: 0x5b, close: 0x5d } as const;
const comma = 0x2c;
const newline = 0x0a;

/** The state of one batch while rows are added; its records are already in the body. */
class Gathered {
  readonly lines: number[] = [];
  readonly problems = new Map<string, UploadProblem>();
  readonly skipped: number[] = [];
  rows = 0;
  ambiguousTimes = 0;
  differs = 0;
  readonly repeated = { count: 0, line: null as number | null };
  readonly #body: TextBuffer;
  readonly #write: WriteRows;
  readonly #repeats: RepeatedRows | null;

  constructor(body: TextBuffer, write: WriteRows, repeats: RepeatedRows | null) {
    this.#repeats = repeats;
    this.#body = body;
    this.#write = write;
    body.length = 0;
    body.byte(bracket.open);
  }

  get size(): number {
    return this.#body.length;
  }

  /**
   * @param rows of the record
   * @param existingState null: the dataset has no such records yet
   */
  add(
    rows: readonly FileRow[],
    existingState: ((record: () => string, place: number) => ExistingState) | null,
  ): void {
    const place = this.rows++;
    const line = rows[0]?.record.line ?? 0;
    const body = this.#body;
    const mark = body.length;
    if (this.lines.length > 0) {
      body.byte(comma);
      body.byte(newline);
    }
    const start = body.length;
    const written = this.#write(rows);
    if ('problems' in written) {
      body.length = mark;
      const problems = written.problems.map(({ line: of, ...rest }) => ({ ...rest, count: 1, lines: [of] }));
      return addProblems(this.problems, problems);
    }
    if (this.#repeats?.add(rows)) {
      this.repeated.count++;
      this.repeated.line ??= line;
    }
    const state = existingState ? existingState(() => body.textFrom(start), place) : 'new';
    if (state === 'there') {
      body.length = mark;
      return void this.skipped.push(place);
    }
    if (state === 'differs') this.differs++;
    this.ambiguousTimes += written.ambiguousTimes;
    this.lines.push(line);
  }

  /** The body, or null without records. */
  body(): Uint8Array | null {
    if (this.lines.length === 0) return null;
    this.#body.byte(bracket.close);
    return this.#body.copy();
  }
}

/** Prepares batches one after another; continuing at the end of the last one costs nothing. */
export function createPreparer(
  source: OpenTableFile,
  { fileName, layout, rules, rows: total }: Preparation,
  existing: () => Pick<ExistingRecords, 'take' | 'isEmpty'> | null,
): (request: PrepareRequest) => Prepared {
  const text = new TextBuffer();
  const write = createRowWriter(text, rules, layout.columns.length);
  let repeats: RepeatedRows | null = null;
  let reader: { groups: ReturnType<typeof readGroups>; at: number; line: number } | null = null;

  /**
   * Whether each row is in the dataset, by comparison or by earlier knowledge; null: the dataset has no such records.
   */
  function existingStateReader({ skipped }: PrepareRequest): Parameters<Gathered['add']>[1] {
    const skippedPlaces = skipped && new Set(skipped);
    if (skippedPlaces)
      return skippedPlaces.size > 0 ? (_record, place) => (skippedPlaces.has(place) ? 'there' : 'new') : null;
    const records = existing();
    return records && !records.isEmpty ? (record) => records.take(record()) : null;
  }

  function gather(request: PrepareRequest, open: NonNullable<typeof reader>): Gathered {
    if (request.key) repeats ??= new RepeatedRows(rules, request.key, layout.columns.length);
    const gathered = new Gathered(text, write, request.key ? repeats : null);
    const existingState = existingStateReader(request);
    const wanted = Math.min(request.rows, total - request.row);
    while (gathered.rows < wanted && (request.bytes === undefined || gathered.size < request.bytes)) {
      const rows = open.groups.next().value;
      const last = rows?.at(-1);
      if (!rows || !last) throw new AppError('file_changed', { file: fileName });
      open.at = last.record.next;
      open.line = last.record.nextLine;
      gathered.add(rows, existingState);
    }
    return gathered;
  }

  return (request) => {
    const { byte: from, line } = request;
    if (!reader || reader.at !== from)
      reader = {
        groups: readGroups(source, rules, { byte: from, line }),
        at: from,
        line,
      };
    const gathered = gather(request, reader);
    const { lines, problems, rows, skipped, differs, ambiguousTimes, repeated } = gathered;
    if (source.touched()) throw new AppError('file_changed', { file: fileName });
    const body = request.body ? gathered.body() : null;
    return {
      row: request.row,
      rows,
      from,
      to: reader.at,
      line,
      nextLine: reader.line,
      records: lines.length,
      body,
      sha256: body ? createHash('sha256').update(body).digest('hex') : '',
      lines: Uint32Array.from(lines),
      problems: [...problems.values()],
      ambiguousTimes,
      skipped,
      differs,
      ...(request.key ? { repeated } : {}),
    };
  };
}

/** Maximum number of rows that are remembered; after them only consecutive rows are compared. */
const maxKeys = 1_000_000;

/** A 53-bit number for a text; of a million texts the chance that two share one is 1 in 18,000. */
function hashOf(text: string): number {
  const bytes = hash('md5', text, 'buffer');
  return bytes.readUIntBE(0, 6) * 32 + (bytes.readUInt8(6) >> 3);
}

/** The same text for numbers that differ only in notation, such as 1000 and 1000.0. */
const plainNotation = (record: string): string =>
  /:-?\d+[.eE]/.test(record) ? stringifyJson(parseJson(record)) : record;

/** Finds rows with the same well and the same time or depth as an earlier row of the file. */
class RepeatedRows {
  readonly #seen = new Set<number>();
  readonly #keyOf: ReturnType<typeof createRecordWriter>;
  #last = Number.NaN;

  /** @param key the paths of well and index @param columns of the file */
  constructor(rules: Rules, key: readonly (readonly string[])[], columns: number) {
    this.#keyOf = createRecordWriter(rulesAt(rules, key), columns, { blankRows: true });
  }

  /** Whether an earlier record has the same well and index. @throws SyntaxError if its record isn’t JSON */
  add(rows: readonly FileRow[]): boolean {
    const written = this.#keyOf(rows);
    if ('problems' in written) return false;
    const hash = hashOf(plainNotation(written.record));
    const isRepeated = hash === this.#last || this.#seen.has(hash);
    this.#last = hash;
    if (this.#seen.size < maxKeys) this.#seen.add(hash);
    return isRepeated;
  }
}

type Path = readonly string[];

/** The paths of a record that are compared, and those that are queried by value. */
export interface FingerprintPaths {
  readonly paths: readonly Path[];
  readonly key: readonly Path[];
}

export interface FingerprintRowsRequest extends FingerprintPaths {
  readonly batch: Omit<PrepareRequest, 'body' | 'bytes'>;
  /** The path of the well in a record. */
  readonly scope: Path;
}

/** The fingerprints of a record of the file. */
export interface RowFingerprint {
  readonly line: number;
  /** Of all fields that were sent. */
  readonly fingerprint: string;
  /** Of the key alone. */
  readonly key: string;
  /** The values of the key; undefined where the record has none. */
  readonly values: readonly (JsonValue | undefined)[];
  readonly well: string;
}

export interface FingerprintedRows {
  readonly sha256: string;
  readonly rows: RowFingerprint[];
  /** The sent field with the most distinct values that every record has; null: no field can be queried. */
  readonly maxDistinctField: string[] | null;
}

const isDistinctive = (value: JsonValue | undefined): boolean =>
  typeof value === 'string' || (typeof value === 'number' && Number.isSafeInteger(value));

/** Fractions are excluded: services round them, and a query by value doesn't find a rounded one. */
function distinctivePath(records: readonly JsonObject[], paths: readonly Path[]): string[] | null {
  let best: { path: Path; distinct: number } | null = null;
  for (const path of paths) {
    const values = records.map((record) => valueAt(record, path));
    if (!values.every(isDistinctive)) continue;
    const distinct = new Set(values).size;
    if (!best || distinct > best.distinct) best = { path, distinct };
  }
  return best ? [...best.path] : null;
}

/**
 * Prepares a batch again and computes the fingerprints of its records. For worker threads. @throws AppError
 * file_changed
 */
export function fingerprintRows(
  prepare: (request: PrepareRequest) => Prepared,
  { batch, paths, key, scope }: FingerprintRowsRequest,
): FingerprintedRows {
  const { body, lines, sha256 } = prepare({ ...batch, body: true });
  const parsed = body ? parseJson(Buffer.from(body).toString()) : [];
  const records = Array.isArray(parsed) ? parsed.filter(isObject) : [];
  return {
    sha256,
    maxDistinctField: distinctivePath(records, paths),
    rows: records.map((record, at) => ({
      line: lines[at] ?? 0,
      fingerprint: fingerprint(record, paths),
      key: fingerprint(record, key),
      values: key.map((path) => valueAt(record, path)),
      well: stringifyJson(valueAt(record, scope) ?? null),
    })),
  };
}

/** A record of the dataset. */
export interface FoundRecord {
  readonly id: string;
  readonly fingerprint: string;
  readonly key: string;
  /** Whether it existed before anything was sent. */
  readonly before: boolean;
}

/** Fingerprints of the records of a page, as the service sent it. For worker threads. @throws AppError bad_answer */
export function fingerprintPage(
  { text, paths, key }: FingerprintPaths & { readonly text: string },
  existing: Pick<ExistingRecords, 'hasId'> | null,
): FoundRecord[] {
  const wrong = (problem: string): AppError => new AppError('bad_answer', { service: 'data', problem });
  return Array.from(pageRecords(text), (record) => {
    const id = isObject(record) ? record['_id'] : undefined;
    if (!isObject(record) || typeof id !== 'string') throw wrong('a record has no _id');
    return {
      id,
      fingerprint: fingerprint(record, paths),
      key: fingerprint(record, key),
      before: existing?.hasId(id) ?? false,
    };
  });
}

interface CellsOfRow {
  readonly line: number;
  readonly cells: readonly string[];
  /** Whether a damaged row may have its cells elsewhere. */
  readonly isAmbiguous: boolean;
}

/** The rows of a record, and why it can't be sent. */
export interface RecordRows {
  readonly rows: readonly CellsOfRow[];
  readonly problems: readonly RowProblem[];
}

/**
 * Reads the first records of a file with their problems. Blocks: for worker threads.
 * @param source the file
 * @param preparation how its rows are read and converted
 * @param maxRows the maximum number of rows; a record is never cut
 * @returns the records, and whether there are further ones
 * @throws AppError file_unsuitable
 */
export function readRecords(
  source: OpenTableFile,
  { layout, rules }: Preparation,
  maxRows: number,
): { readonly records: readonly RecordRows[]; readonly isCut: boolean } {
  const write = createRecordWriter(rules, layout.columns.length);
  const records: RecordRows[] = [];
  let rowCount = 0;
  for (const rows of readGroups(source, rules)) {
    rowCount += rows.length;
    if (rowCount > maxRows) return { records, isCut: true };
    const written = write(rows);
    records.push({
      rows: rows.map((row) => ({
        line: row.record.line,
        cells: [...row.texts()],
        isAmbiguous: row.problem !== null,
      })),
      problems: 'problems' in written ? [...written.problems] : [],
    });
  }
  return { records, isCut: false };
}

/** Rows of one batch that includes rejected ones. */
interface RejectedRange {
  readonly from: number;
  readonly line: number;
  readonly rows: number;
  /** Indexes of rows that were already in the dataset: they are not records. */
  readonly skipped: ReadonlySet<number>;
  /** Indexes of records that the service rejected, among the batch's records. */
  readonly refused: ReadonlyMap<number, { readonly code: string; readonly message: string }>;
}

export interface RejectsRequest {
  readonly to: string;
  readonly newline: string;
  readonly ranges: readonly RejectedRange[];
  /** The table of the original that the rows are from; null or absent: the original has only one. */
  readonly table?: string | null;
}

const utf16 = { 'UTF-16LE': [0xff, 0xfe], 'UTF-16BE': [0xfe, 0xff], 'UTF-8': [0xef, 0xbb, 0xbf] } as const;

/** The problems of a row, or the first problem of another row of its record. */
function reasonOf(
  { record }: FileRow,
  problems: readonly RowProblem[],
  place = 'line',
): [code: string, message: string] {
  const lineProblems = problems.filter(({ line }) => line === record.line);
  const [first] = lineProblems.length > 0 ? lineProblems : problems;
  if (lineProblems.length > 0 || !first)
    return [first?.code ?? '', lineProblems.map(({ message }) => message).join(' ')];
  return [first.code, `In the same record, ${place} ${first.line}: ${first.message}`];
}

/** The original bytes up to the closing brace, followed by the problems, so that the line stays an object. */
function withAdded(
  row: FileRow,
  bytes: Buffer,
  added: object,
  newline: string,
  encoding: Layout['encoding'],
): Buffer {
  const brace = bytes.lastIndexOf(encodeText('}', encoding));
  // An empty object needs no comma; UTF-16 has zeros between characters.
  const isEmpty = /\{[\s\0]*$/.test(bytes.toString('latin1', 0, brace));
  if (row.problem === null && !isEmpty) {
    const end = `,${JSON.stringify(added).slice(1)}${newline}`;
    return Buffer.concat([bytes.subarray(0, brace), encodeText(end, encoding)]);
  }
  const text = row.problem === null ? {} : { [rejectedText]: row.texts()[0] ?? '' };
  return Buffer.from(encodeText(`${JSON.stringify({ ...text, ...added })}${newline}`, encoding));
}

/**
 * Writes the rejected rows: the original header and bytes of each row, followed by line, code, and message, in the
 * file's encoding, delimiter, and line ends. It depends only on plan and journal, so it can be written again at any
 * time. Blocks: for worker threads.
 * @returns the number of rejected records
 * @throws AppError disk_full, file_unwritable, file_changed
 */
export function writeRejects(
  source: OpenTableFile,
  preparation: Preparation,
  { to, newline, ranges, table = null }: RejectsRequest,
): number {
  const { fileName, layout, rules } = preparation;
  const { encoding, delimiter, quote, columns } = layout;
  const write = createRecordWriter(rules, columns.length);
  // Messages have its final name: the window shows them.
  const output = new GrowingFile({ disk: realDisk, path: to, name: basename(to, '.partial') }, 0);
  const original = (start: number, end: number): Buffer => {
    const bytes = Buffer.alloc(end - start);
    return bytes.subarray(0, source.read(bytes, 0, bytes.length, start));
  };
  const put = (row: FileRow, code: string, message: string): void => {
    const { record, omitted = 0 } = row;
    if (layout.jsonLines) {
      const added = { rejected_line: record.line, rejected_code: code, rejected_message: message };
      return output.append(withAdded(row, original(record.start, record.end), added, newline, encoding));
    }
    // A row with too few cells is padded, so that the added cells are in their columns.
    const missing = Math.max(0, columns.length - row.texts().length + omitted);
    const from = table === null ? [] : [quotedCell(table, quote)];
    const cells = ['', ...from, record.line, quotedCell(code, quote), quotedCell(message, quote)];
    const end = `${delimiter.repeat(missing)}${cells.join(delimiter)}${newline}`;
    output.append(Buffer.concat([original(record.start, record.end), encodeText(end, encoding)]));
  };
  const addedColumns = table === null ? rejectColumns : [rejectedTable, ...rejectColumns];
  let count = 0;
  try {
    if (encoding.bom > 0 && encoding.name in utf16)
      output.append(Uint8Array.from(utf16[encoding.name as keyof typeof utf16]));
    if (layout.header) {
      output.append(original(layout.header.start, layout.header.end));
      output.append(encodeText(`${['', ...addedColumns].join(delimiter)}${newline}`, encoding));
    }
    for (const range of ranges) {
      const groups = readGroups(source, rules, { byte: range.from, line: range.line });
      let record = 0;
      for (let place = 0; place < range.rows; place++) {
        const rows = groups.next().value;
        if (!rows) throw new AppError('file_changed', { file: fileName });
        const written = write(rows);
        if (range.skipped.has(place)) continue;
        const refused = 'record' in written ? range.refused.get(record++) : undefined;
        if (refused) for (const row of rows) put(row, refused.code, refused.message);
        else if ('problems' in written)
          for (const row of rows) put(row, ...reasonOf(row, written.problems, layout.placeKind));
        else continue;
        count++;
      }
    }
    if (source.touched()) throw new AppError('file_changed', { file: fileName });
    output.sync();
  } finally {
    output.close();
  }
  return count;
}

/** Index of the column whose values make the groups; null: all rows are one group. */
type GroupColumn = number | null;
type Grouped = Pick<FileRow, 'text' | 'problem'>;

/** The value by which a row is combined with others; null: it has none, or its cells can't be trusted. */
function groupValue(row: Grouped, by: GroupColumn): string | null {
  if (by === null) return '';
  return row.problem === null ? row.text(by).trim() || null : null;
}

/**
 * Finds the first row of each group, in the order of the file. A row without a value belongs to the group before it,
 * whose record is rejected.
 */
function createGroupEdges(by: GroupColumn): (row: Grouped) => boolean {
  let current: string | null = null;
  return (row) => {
    const value = groupValue(row, by);
    const isFirst = current === null || (value !== null && value !== current);
    if (isFirst) current = value ?? '';
    return isFirst;
  };
}

/**
 * Reads the rows of one record after another from the start of a record.
 * @param from absent: the first; without `fold` in the rules, each row is a record and is valid until the next is read
 * @throws AppError file_unsuitable
 */
function* readGroups(
  source: OpenTableFile,
  { fold }: Rules,
  from?: { readonly byte: number; readonly line: number },
): Generator<readonly FileRow[], undefined> {
  const rows = source.rows({ ...from, fleeting: !fold });
  if (!fold) {
    // Most files have no groups, and a generator costs for each row.
    for (let row = rows.next(); row; row = rows.next()) yield [row];
    return;
  }
  const isFirst = createGroupEdges(fold.by?.index ?? null);
  let group: FileRow[] = [];
  for (const row of rows.all()) {
    if (row.record.start >= fold.end) break;
    if (isFirst(row) && group.length > 0) {
      yield group;
      group = [];
    }
    group.push(row);
  }
  if (group.length > 0) yield group;
}

/** Maximum number of rows of one record, and their maximum size in the file. */
export const maxGroupRows = 20_000;
const maxGroupBytes = 8 << 20;
/** Maximum number of records: their values are in memory while the file is read. */
const maxGroups = 200_000;

interface GroupScanRequest extends RowsRequest {
  /** Index of the column whose values make the groups; null: all rows are one group. */
  readonly by: number | null;
}

export interface GroupScan {
  readonly by: number | null;
  readonly rows: number;
  /** Number of groups. */
  readonly records: number;
  /** Number of rows of the first group. */
  readonly firstRows: number;
  /** Position in the file after the last data row. */
  readonly end: number;
  /** For each column, whether it has different texts in one group. */
  readonly varies: readonly boolean[];
  /** Why the rows can't be combined; null: they can. */
  readonly problem: string | null;
}

/**
 * Reads a file once for the groups of its rows. Blocks: for worker threads.
 * @throws AppError file_unreadable, file_unsuitable, file_changed
 */
export function scanGroups(request: GroupScanRequest): GroupScan {
  const { layout, rows: total, by } = request;
  const isFirst = createGroupEdges(by);
  const { placeKind = 'line', columns } = layout;
  const column = by === null ? '' : (columns[by]?.key ?? '');
  const varies = columns.map(() => false);
  // By digests: texts can be long.
  const firstLines = new Map<string, number>();
  let texts: string[] = [];
  let group = { line: 0, start: 0, rows: 0 };
  let records = 0;
  let firstRows = 0;
  let end = layout.dataStart;
  let problem: string | null = null;
  for (const row of dataRows(request, false)) {
    const { line, start, next } = row.record;
    end = next;
    if (isFirst(row)) {
      records++;
      group = { line, start, rows: 0 };
      texts = [];
      const value = groupValue(row, by) ?? '';
      const key = hash('md5', value, 'base64url');
      const earlier = firstLines.get(key);
      if (earlier === undefined) firstLines.set(key, line);
      else
        problem ??= `Column “${column}” has “${value.slice(0, 60)}” at ${placeKind} ${earlier} and, after other values, again at ${placeKind} ${line}. Sort the file by this column, so that the rows of a record follow each other.`;
      if (records > maxGroups)
        problem ??= `Column “${column}” has more than ${maxGroups} distinct values. Combine rows by another column.`;
    }
    if (records === 1) firstRows++;
    if (++group.rows > maxGroupRows || next - group.start > maxGroupBytes)
      problem ??= `The record from ${placeKind} ${group.line} on has more than ${maxGroupRows} rows or 8 MB. Combine rows by another column, or make one record of each row.`;
    if (problem !== null) break;
    row.texts().forEach((cell, index) => {
      const text = cell.trim();
      if (text === '' || varies[index] === true) return;
      const first = (texts[index] ??= text);
      if (first !== text) varies[index] = true;
    });
  }
  return { by, rows: total, records, firstRows, end, varies, problem };
}

export interface SurveyRequest {
  /** The path of the well in a record. */
  readonly scope: readonly string[];
  /** The path of the time or depth in a record; null: none. */
  readonly index: readonly string[] | null;
}

/** The part of a dataset that contains the rows of a file. */
export interface Survey {
  /** The wells; null: some rows have none, or there are too many. */
  readonly assets: readonly number[] | null;
  /** Minimum and maximum of the index; null: some rows have none. */
  readonly range: { readonly min: number; readonly max: number } | null;
}

/**
 * The records of the whole file, without those that are rejected: JSON of each. Blocks: for worker threads.
 * @param rules absent: those of the file
 * @throws AppError file_unreadable, file_unsuitable, file_changed
 */
export function* recordsOf(
  source: OpenTableFile,
  preparation: Preparation,
  rules: Rules = preparation.rules,
): Generator<string> {
  const write = createRecordWriter(rules, preparation.layout.columns.length, { blankRows: true });
  for (const rows of readGroups(source, preparation.rules).take(preparation.rows)) {
    const written = write(rows);
    if (!('problems' in written)) yield written.record;
  }
}

/**
 * Reads the whole file for its wells and its range. Blocks: for worker threads.
 * @throws AppError file_unreadable, file_unsuitable, file_changed
 */
export function survey(
  source: OpenTableFile,
  preparation: Preparation,
  { scope, index }: SurveyRequest,
): Survey {
  const rules = rulesAt(preparation.rules, [scope, ...(index ? [index] : [])]);
  const assets = new Set<number>();
  let areAssetsKnown = true;
  let range: Survey['range'] = { min: Infinity, max: -Infinity };
  for (const text of recordsOf(source, preparation, rules)) {
    const record = parseJson(text);
    if (!isObject(record)) continue;
    const asset = valueAt(record, scope);
    const place = index ? valueAt(record, index) : undefined;
    if (typeof asset !== 'number') areAssetsKnown = false;
    else if (assets.size <= maxAssets) assets.add(asset);
    range =
      range && typeof place === 'number'
        ? { min: Math.min(range.min, place), max: Math.max(range.max, place) }
        : null;
  }
  return {
    assets: areAssetsKnown && assets.size > 0 && assets.size <= maxAssets ? [...assets] : null,
    range: range && range.min <= range.max ? range : null,
  };
}
