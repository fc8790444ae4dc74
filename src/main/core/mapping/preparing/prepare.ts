import { createHash, hash } from 'node:crypto';
import { AppError } from '../../../../shared/errors/errors.ts';
import type { UploadProblem } from '../../../../shared/upload/result.ts';
import { TextBuffer } from '../../records/text-buffer.ts';
import { createRowWriter, type WriteRows, createRecordWriter } from '../record-writer.ts';
import type { Preparation } from '../preparation.ts';
import type { ExistingRecords, ExistingState } from '../existing/existing-records.ts';
import { readGroups } from '../groups.ts';
import type { FileRow, Source } from '../../tables/tables.ts';
import { addProblems } from '../../records/targets.ts';
import { parseJson, stringifyJson } from '../../../../shared/json.ts';
import { rulesAt, type Rules } from '../plan.ts';

export interface PrepareRequest {
  /** Start of the batch. */
  readonly byte: number;
  readonly line: number;
  readonly row: number;
  /** Maximum number of rows. */
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
  readonly twice: number;
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
  twice = 0;
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
   * Adds a record.
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
    this.twice += written.twice;
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
  source: Source,
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
      const rows = open.groups.next();
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
        groups: readGroups(fileName, source, layout, rules.fold, { byte: from, line }),
        at: from,
        line,
      };
    const gathered = gather(request, reader);
    const { lines, problems, rows, skipped, differs, twice, repeated } = gathered;
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
      twice,
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
