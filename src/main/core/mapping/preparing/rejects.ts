import { basename } from 'node:path';
import { quotedCell } from '../../../../shared/csv.ts';
import { AppError } from '../../../../shared/errors/errors.ts';
import { rejectColumns, rejectedTable } from '../../../../shared/upload/rejects-header.ts';
import { writeError } from '../../files/file-errors.ts';
import { createRecordWriter } from '../record-writer.ts';
import { type RowProblem, rejectedText } from '../../records/targets.ts';
import { encodeText, type Source, type FileRow } from '../../tables/tables.ts';
import { readGroups } from '../groups.ts';
import type { Preparation } from '../preparation.ts';
import { closeSync, fdatasyncSync, openSync, writeSync } from '../../../world/files.ts';

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

function createOutput(path: string): { write(...pieces: Uint8Array[]): void; end(): void } {
  let written = 0;
  /** @throws errors with file names only: the window shows them */
  const named = <T>(work: () => T): T => {
    try {
      return work();
    } catch (cause) {
      throw writeError(cause, basename(path, '.partial'), written);
    }
  };
  const fd = named(() => openSync(path, 'w', 0o600));
  return {
    write: (...pieces) =>
      named(() => {
        const bytes = Buffer.concat(pieces);
        for (let at = 0; at < bytes.length;) at += writeSync(fd, bytes, at);
        written += bytes.length;
      }),
    end() {
      try {
        named(() => fdatasyncSync(fd));
      } finally {
        closeSync(fd);
      }
    },
  };
}

/**
 * Writes the rejected rows: the original header and bytes of each row, followed by line, code, and message, in the
 * file's encoding, delimiter, and line ends. It depends only on plan and journal, so it can be written again at any
 * time. Blocks: for worker threads.
 * @returns the number of rejected records
 * @throws AppError disk_full, file_unwritable, file_changed
 */
export function writeRejects(
  source: Source,
  preparation: Preparation,
  { to, newline, ranges, table = null }: RejectsRequest,
): number {
  const { fileName, layout, rules } = preparation;
  const { encoding, delimiter, quote, columns } = layout;
  const write = createRecordWriter(rules, columns.length);
  const output = createOutput(to);
  const original = (start: number, end: number): Buffer => {
    const bytes = Buffer.alloc(end - start);
    return bytes.subarray(0, source.read(bytes, 0, bytes.length, start));
  };
  /** The original bytes up to the closing brace, followed by the problems, so that the line stays an object. */
  const putJson = (row: FileRow, code: string, message: string): void => {
    const { record, problem } = row;
    const added = { rejected_line: record.line, rejected_code: code, rejected_message: message };
    const bytes = original(record.start, record.end);
    const brace = bytes.lastIndexOf(encodeText('}', encoding));
    // An empty object needs no comma; UTF-16 has zeros between characters.
    const isEmpty = /\{[\s\0]*$/.test(bytes.toString('latin1', 0, brace));
    if (problem !== null || isEmpty) {
      const text = problem === null ? {} : { [rejectedText]: row.texts()[0] ?? '' };
      output.write(encodeText(`${JSON.stringify({ ...text, ...added })}${newline}`, encoding));
      return;
    }
    output.write(
      bytes.subarray(0, brace),
      encodeText(`,${JSON.stringify(added).slice(1)}${newline}`, encoding),
    );
  };
  const put = (row: FileRow, code: string, message: string): void => {
    if (layout.jsonLines) return putJson(row, code, message);
    const { record, omitted = 0 } = row;
    // A row with too few cells is padded, so that the added cells are in their columns.
    const missing = Math.max(0, columns.length - row.texts().length + omitted);
    const from = table === null ? [] : [quotedCell(table, quote)];
    const added = ['', ...from, record.line, quotedCell(code, quote), quotedCell(message, quote)].join(
      delimiter,
    );
    output.write(
      original(record.start, record.end),
      encodeText(`${delimiter.repeat(missing)}${added}${newline}`, encoding),
    );
  };
  /** The problems of a row, or the first problem of another row of its record. */
  const reasonOf = (
    { record }: FileRow,
    problems: readonly RowProblem[],
  ): [code: string, message: string] => {
    const lineProblems = problems.filter(({ line }) => line === record.line);
    const [first] = lineProblems.length > 0 ? lineProblems : problems;
    if (lineProblems.length > 0 || !first)
      return [first?.code ?? '', lineProblems.map(({ message }) => message).join(' ')];
    return [first.code, `In the same record, ${layout.placeKind ?? 'line'} ${first.line}: ${first.message}`];
  };
  const addedColumns = table === null ? rejectColumns : [rejectedTable, ...rejectColumns];
  let count = 0;
  try {
    if (encoding.bom > 0 && encoding.name in utf16)
      output.write(Uint8Array.from(utf16[encoding.name as keyof typeof utf16]));
    if (layout.header) {
      output.write(original(layout.header.start, layout.header.end));
      output.write(encodeText(`${['', ...addedColumns].join(delimiter)}${newline}`, encoding));
    }
    for (const range of ranges) {
      const groups = readGroups(fileName, source, layout, rules.fold, { byte: range.from, line: range.line });
      let record = 0;
      for (let place = 0; place < range.rows; place++) {
        const rows = groups.next();
        if (!rows) throw new AppError('file_changed', { file: fileName });
        const written = write(rows);
        if (range.skipped.has(place)) continue;
        const refused = 'record' in written ? range.refused.get(record++) : undefined;
        if (refused) for (const row of rows) put(row, refused.code, refused.message);
        else if ('problems' in written) for (const row of rows) put(row, ...reasonOf(row, written.problems));
        else continue;
        count++;
      }
    }
    if (source.touched()) throw new AppError('file_changed', { file: fileName });
  } finally {
    output.end();
  }
  return count;
}
