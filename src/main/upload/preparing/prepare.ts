import { createHash } from 'node:crypto';
import { AppError } from '../../../shared/errors/errors.ts';
import type { UploadProblem } from '../../../shared/upload/upload.ts';
import { RecordText } from '../plain/record-text.ts';
import { createRowWriter } from '../mapping/record-writer.ts';
import type { Preparation } from '../mapping/preparation.ts';
import type { WriteRow } from '../mapping/record-writer.ts';
import type { ExistingRecords, ExistingState } from '../existing/existing-records.ts';
import { readRows } from '../reading/rows.ts';
import type { FileRow, RowReader } from '../reading/rows.ts';
import type { Source } from '../reading/source.ts';
import { addProblems } from '../model/problems.ts';
import { RepeatedRows } from './repeated-rows.ts';

export interface PrepareRequest {
  /** Where the batch begins. */
  readonly byte: number;
  readonly line: number;
  readonly row: number;
  /** At most so many rows. */
  readonly rows: number;
  /** The body is closed when it reaches so many bytes; absent: whatever its size. */
  readonly bytes?: number | undefined;
  /** Whether the body is wanted; a dry run only counts. */
  readonly body: boolean;
  /** Rows of the batch that are known to stand in the dataset already; absent: that is to be found out. */
  readonly skipped?: readonly number[] | undefined;
  /** The paths of well and index, where rows that share them are wanted. */
  readonly key?: readonly (readonly string[])[] | undefined;
}

/** A batch of rows: the body that holds its records, one a line, and what is wrong with its other rows. */
export interface Prepared {
  readonly row: number;
  readonly rows: number;
  readonly from: number;
  readonly to: number;
  readonly line: number;
  readonly nextLine: number;
  readonly records: number;
  /** JSON text of an array, each record on a line of its own; null when none was asked for. */
  readonly body: Uint8Array | null;
  readonly sha256: string;
  /** The line of each record. */
  readonly lines: Uint32Array<ArrayBuffer>;
  readonly problems: UploadProblem[];
  readonly twice: number;
  /** Rows that stand in the dataset already, by their place in the batch. */
  readonly skipped: number[];
  /** Rows at whose place in the dataset other values stand. */
  readonly differs: number;
  /** Rows at whose place an earlier row of the file stands, and the first line of them; absent: nobody asked. */
  readonly repeated?: { readonly count: number; readonly line: number | null };
}

const bracket = { open: 0x5b, close: 0x5d } as const;
const newline = 0x0a;

/** What one batch gathers row by row; its records stand in the body already. */
class Gathered {
  readonly lines: number[] = [];
  readonly problems = new Map<string, UploadProblem>();
  readonly skipped: number[] = [];
  rows = 0;
  twice = 0;
  differs = 0;
  readonly repeated = { count: 0, line: null as number | null };
  readonly #body: RecordText;
  readonly #write: WriteRow;
  readonly #repeats: RepeatedRows | null;

  constructor(body: RecordText, write: WriteRow, repeats: RepeatedRows | null) {
    this.#repeats = repeats;
    this.#body = body;
    this.#write = write;
    body.length = 0;
    body.byte(bracket.open);
  }

  get size(): number {
    return this.#body.length;
  }

  /** @param existingState null: nothing stands there yet */
  add(row: FileRow, existingState: ((record: () => string, place: number) => ExistingState) | null): void {
    const place = this.rows++;
    const { line } = row.record;
    const body = this.#body;
    const mark = body.length;
    if (this.lines.length > 0) {
      body.comma();
      body.byte(newline);
    }
    const start = body.length;
    const written = this.#write(row);
    if ('problems' in written) {
      body.length = mark;
      const found = written.problems.map((problem) => ({ ...problem, count: 1, lines: [line] }));
      return addProblems(this.problems, found);
    }
    if (this.#repeats?.add(row)) {
      this.repeated.count++;
      this.repeated.line ??= line;
    }
    const state = existingState ? existingState(() => body.text(start), place) : 'new';
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

/** Prepares batches one after another; going on where the last one ended costs nothing. */
export function createPreparer(
  source: Source,
  { fileName, layout, rules, rows: total }: Preparation,
  existing: () => Pick<ExistingRecords, 'take' | 'isEmpty'> | null,
): (request: PrepareRequest) => Prepared {
  const text = new RecordText();
  const write = createRowWriter(text, rules, layout.columns.length);
  let repeats: RepeatedRows | null = null;
  let reader: { rows: RowReader; at: number; line: number } | null = null;

  /** How each row stands to what is in the dataset, or is known to; null: there is nothing. */
  function existingStateReader({ skipped }: PrepareRequest): Parameters<Gathered['add']>[1] {
    const known = skipped && new Set(skipped);
    if (known) return known.size > 0 ? (_record, place) => (known.has(place) ? 'there' : 'new') : null;
    const records = existing();
    return records && !records.isEmpty ? (record) => records.take(record()) : null;
  }

  function gather(request: PrepareRequest, open: NonNullable<typeof reader>): Gathered {
    if (request.key) repeats ??= new RepeatedRows(rules, request.key, layout.columns.length);
    const gathered = new Gathered(text, write, request.key ? repeats : null);
    const existingState = existingStateReader(request);
    const wanted = Math.min(request.rows, total - request.row);
    while (gathered.rows < wanted && (request.bytes === undefined || gathered.size < request.bytes)) {
      const row = open.rows.next();
      if (!row) throw new AppError('file_changed', { file: fileName });
      open.at = row.record.next;
      open.line = row.record.nextLine;
      gathered.add(row, existingState);
    }
    return gathered;
  }

  return (request) => {
    const { byte: from, line } = request;
    if (!reader || reader.at !== from)
      reader = {
        rows: readRows(fileName, source, layout, { byte: from, line, fleeting: true }),
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
