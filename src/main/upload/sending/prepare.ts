import { createHash } from 'node:crypto';
import { AppError } from '../../../shared/errors.ts';
import type { UploadProblem } from '../../../shared/upload.ts';
import { createRecordWriter } from '../mapping/record-writer.ts';
import type { Rules } from '../mapping/rules.ts';
import type { Layout } from '../reading/layout.ts';
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
}

const encoder = new TextEncoder();

/** Prepares batches one after another; going on where the last one ended costs nothing. */
export function createPreparer(
  source: Source,
  { fileName, layout, rules, rows: total }: Preparation,
): (request: PrepareRequest) => Prepared {
  const write = createRecordWriter(rules, layout.columns.length);
  let reader: { rows: RowReader; at: number; line: number } | null = null;

  return (request) => {
    const from = { byte: request.byte, line: request.line };
    if (!reader || reader.at !== from.byte)
      reader = { rows: readRows(fileName, source.read, layout, from), at: from.byte, line: from.line };
    const wanted = Math.min(request.rows, total - request.row);
    const records: string[] = [];
    const lines: number[] = [];
    const problems = new Map<string, UploadProblem>();
    let size = 0;
    let count = 0;
    let twice = 0;
    while (count < wanted && (request.bytes === undefined || size < request.bytes)) {
      const row = reader.rows.next();
      if (!row) throw new AppError('file_changed', { file: fileName });
      count++;
      reader.at = row.record.next;
      reader.line = row.record.nextLine;
      const written = write(row);
      const { line } = row.record;
      if ('problems' in written) {
        addProblems(
          problems,
          written.problems.map((found) => ({ ...found, count: 1, lines: [line] })),
        );
        continue;
      }
      twice += written.twice;
      records.push(written.record);
      lines.push(line);
      size += written.record.length + 2;
    }
    if (source.touched()) throw new AppError('file_changed', { file: fileName });
    const body = request.body && records.length > 0 ? encoder.encode(`[${records.join(',\n')}]`) : null;
    return {
      row: request.row,
      rows: count,
      from: from.byte,
      to: reader.at,
      line: from.line,
      nextLine: reader.line,
      records: records.length,
      body,
      sha256: body ? createHash('sha256').update(body).digest('hex') : '',
      lines: Uint32Array.from(lines),
      problems: [...problems.values()],
      twice,
    };
  };
}
