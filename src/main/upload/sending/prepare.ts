import { createHash } from 'node:crypto';
import { AppError } from '../../../shared/errors.ts';
import type { UploadProblem } from '../../../shared/upload.ts';
import { createRecordWriter } from '../mapping/record-writer.ts';
import type { Written } from '../mapping/record-writer.ts';
import type { Rules } from '../mapping/rules.ts';
import type { Layout } from '../reading/layout.ts';
import type { ExistingRecords, Standing } from '../existing/existing-records.ts';
import { readRows } from '../reading/rows.ts';
import type { RowReader } from '../reading/rows.ts';
import type { Source } from '../reading/source.ts';
import { addProblems } from './problem-list.ts';

/** What is read and how it is converted; the same for all batches of a job. */
export interface Preparation {
  readonly fileName: string;
  readonly layout: Layout;
  readonly rules: Rules;
  /** Data rows of the file; what stands behind them is its foot. */
  readonly rows: number;
}

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
  readonly body: Uint8Array<ArrayBuffer> | null;
  readonly sha256: string;
  /** The line of each record. */
  readonly lines: Uint32Array<ArrayBuffer>;
  readonly problems: UploadProblem[];
  readonly twice: number;
  /** Rows that stand in the dataset already, by their place in the batch. */
  readonly skipped: number[];
  /** Rows at whose place in the dataset other values stand. */
  readonly differs: number;
}

const encoder = new TextEncoder();

/** What one batch gathers row by row. */
class Gathered {
  readonly records: string[] = [];
  readonly lines: number[] = [];
  readonly problems = new Map<string, UploadProblem>();
  readonly skipped: number[] = [];
  /** Characters of the body so far. */
  size = 0;
  rows = 0;
  twice = 0;
  differs = 0;

  add(written: Written, line: number, standing: (record: string) => Standing): void {
    const place = this.rows++;
    if ('problems' in written) {
      const found = written.problems.map((problem) => ({ ...problem, count: 1, lines: [line] }));
      return addProblems(this.problems, found);
    }
    const stands = standing(written.record);
    if (stands === 'there') return void this.skipped.push(place);
    if (stands === 'differs') this.differs++;
    this.twice += written.twice;
    this.records.push(written.record);
    this.lines.push(line);
    this.size += written.record.length + 2;
  }
}

/** Prepares batches one after another; going on where the last one ended costs nothing. */
export function createPreparer(
  source: Source,
  { fileName, layout, rules, rows: total }: Preparation,
  existing: () => Pick<ExistingRecords, 'take'> | null,
): (request: PrepareRequest) => Prepared {
  const write = createRecordWriter(rules, layout.columns.length);
  let reader: { rows: RowReader; at: number; line: number } | null = null;

  function gather(request: PrepareRequest, open: NonNullable<typeof reader>): Gathered {
    const gathered = new Gathered();
    const known = request.skipped && new Set(request.skipped);
    const standing = (record: string): Standing =>
      known ? (known.has(gathered.rows - 1) ? 'there' : 'new') : (existing()?.take(record) ?? 'new');
    const wanted = Math.min(request.rows, total - request.row);
    while (gathered.rows < wanted && (request.bytes === undefined || gathered.size < request.bytes)) {
      const row = open.rows.next();
      if (!row) throw new AppError('file_changed', { file: fileName });
      open.at = row.record.next;
      open.line = row.record.nextLine;
      gathered.add(write(row), row.record.line, standing);
    }
    return gathered;
  }

  return (request) => {
    const { byte: from, line } = request;
    if (!reader || reader.at !== from)
      reader = { rows: readRows(fileName, source.read, layout, { byte: from, line }), at: from, line };
    const { records, lines, problems, rows, skipped, differs, twice } = gather(request, reader);
    if (source.touched()) throw new AppError('file_changed', { file: fileName });
    const body = request.body && records.length > 0 ? encoder.encode(`[${records.join(',\n')}]`) : null;
    return {
      row: request.row,
      rows,
      from,
      to: reader.at,
      line,
      nextLine: reader.line,
      records: records.length,
      body,
      sha256: body ? createHash('sha256').update(body).digest('hex') : '',
      lines: Uint32Array.from(lines),
      problems: [...problems.values()],
      twice,
      skipped,
      differs,
    };
  };
}
