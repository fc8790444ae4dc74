import { isAscii } from 'node:buffer';
import type { ColumnFacts } from './column-facts.ts';
import { createFootWatch, tailBytes } from './foot.ts';
import type { Foot } from './foot.ts';
import { Gathering } from './gathering.ts';
import type { Finding, RowFinding } from './gathering.ts';
import type { Layout } from './layout.ts';
import type { LineEnd, ReadAt } from './unit-window.ts';
import { readRows } from './rows.ts';
import type { FileRow } from './rows.ts';
import type { ScanRequest } from './scan.ts';
import { sampleBytes } from './source.ts';
import type { Source } from './source.ts';

/** Which part of a file is read, from the start of a record on. */
export interface PartPlace {
  readonly from: number;
  /** Where it ends, which is a line's end; absent: with the file. */
  readonly to?: number | undefined;
  /** The line that it begins with; parts that are joined later begin with 1. */
  readonly line: number;
  /** Rows at its end that are no data, where it ends with the file. */
  readonly footerRows: number;
  /** Whether the encoding is only guessed, so that bytes that are none of it are a reason to guess again. */
  readonly guessed: boolean;
}

/** What the records of a part of a file tell; its lines are counted from the part's own first. */
export interface Part {
  /** Data rows, those that are said to be a foot left out. */
  readonly rows: number;
  /** Lines of the part. */
  readonly lines: number;
  readonly columns: readonly ColumnFacts[];
  readonly endings: Readonly<Record<LineEnd, number>>;
  readonly findings: Readonly<Partial<Record<RowFinding, Finding>>>;
  readonly comments: Finding | null;
  readonly foot: Foot;
  /** The rows that are left out at its end. */
  readonly footer: Finding | null;
  /** The different values of the columns asked for, with the first line of each. */
  readonly distinct: Readonly<Record<string, ReadonlyMap<string, Finding>>>;
  /** Whether quotation marks were amiss: what that means can hang on what stands behind the part. */
  readonly damaged: boolean;
}

/** The file is not in the encoding that its start let suppose. */
export class OtherEncoding extends Error {
  /** Where it shows. */
  readonly byte: number;
  constructor(byte: number) {
    super('the bytes are not valid in the encoding');
    this.byte = byte;
  }
}

function asciiUpTo(source: Source, end: number): boolean {
  const part = Buffer.alloc(sampleBytes);
  for (let at = 0; at < end;) {
    const got = source.read(part, 0, Math.min(part.length, end - at), at);
    if (got === 0) break;
    if (!isAscii(part.subarray(0, got))) return false;
    at += got;
  }
  return true;
}

/**
 * Reads a part of a file, or all of it. Memory does not grow with it.
 * @throws OtherEncoding, AppError file_unreadable, file_unsuitable
 */
export function scanPart(
  source: Source,
  request: ScanRequest,
  layout: Layout,
  { from, to, line, guessed, footerRows }: PartPlace,
  {
    read = source.read,
    onBytes,
  }: { readonly read?: ReadAt; readonly onBytes?: (bytes: number) => void } = {},
): Part {
  const rows = readRows(request.fileName, read, layout, {
    byte: from,
    line,
    stop: to,
    // Rows that are held back until the end of the file is known have to last.
    fleeting: footerRows === 0,
  });
  const gathering = new Gathering(layout, request);
  const foot = createFootWatch(layout.columns.length, source.bytes - tailBytes);
  const endings: Record<LineEnd, number> = { LF: 0, CRLF: 0, CR: 0, none: 0 };
  const held: FileRow[] = [];
  let damaged = false;
  for (let row = rows.next(); row; row = rows.next()) {
    const { record } = row;
    endings[record.ending]++;
    damaged ||= record.damage !== null;
    if (record.start < layout.dataStart) continue;
    if (row.problem === 'bad_bytes' && guessed && asciiUpTo(source, record.start))
      throw new OtherEncoding(record.start);
    foot.add(row);
    held.push(row);
    if (held.length <= footerRows) continue;
    const settled = held.shift();
    if (settled) gathering.add(settled);
    if (gathering.rows % 4096 === 0) onBytes?.(record.next);
  }
  return {
    rows: gathering.rows,
    lines: rows.line - line,
    columns: gathering.collectors.map((collector) => collector.facts()),
    endings,
    findings: gathering.findings,
    comments: rows.firstComment === null ? null : { count: rows.commentLines, line: rows.firstComment },
    foot: foot.seen(),
    footer: held[0] ? { count: held.length, line: held[0].record.line } : null,
    distinct: gathering.distinct,
    damaged,
  };
}
