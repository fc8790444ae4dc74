import { problem } from '../mapping/problems.ts';
import { recognise } from './recognise.ts';
import type { Chosen } from './recognise.ts';
import type { Layout } from './layout.ts';
import { readRows } from './rows.ts';
import { openSource } from './source.ts';

export interface PreviewRequest {
  readonly path: string;
  readonly fileName: string;
  /** How the file is read, where that is known already. */
  readonly layout: Layout | null;
  readonly reading: Chosen;
  /** The first line that is wanted; absent: that of the first row. */
  readonly from?: number | undefined;
  /** How many rows are wanted. */
  readonly rows: number;
}

export interface PreviewRow {
  readonly line: number;
  readonly cells: readonly string[];
  readonly problem: string | null;
}

export interface Preview {
  readonly layout: Layout;
  readonly rows: readonly PreviewRow[];
}

/** More characters of one cell than this show nothing more. */
const longestCell = 500;

/**
 * Rows of a file as they stand in it, the first ones or those from a line on. Nothing behind them is read, so that the
 * start of the largest file shows at once.
 * @throws AppError file_unreadable, file_unsuitable, invalid_input
 */
export function previewFile({
  path,
  fileName,
  layout: known,
  reading,
  from = 1,
  rows: wanted,
}: PreviewRequest): Preview {
  const source = openSource(path, fileName);
  try {
    const layout = known ?? recognise(fileName, source, reading);
    const reader = readRows(fileName, source.read, layout, { byte: layout.dataStart, line: layout.dataLine });
    const rows: PreviewRow[] = [];
    for (let row = reader.next(); row && rows.length < wanted; row = reader.next()) {
      if (row.record.nextLine <= from) continue;
      rows.push({
        line: row.record.line,
        cells: row.cells.map((cell) => (cell.length > longestCell ? `${cell.slice(0, longestCell)}…` : cell)),
        problem: row.problem === null ? null : problem(row.problem, null).message,
      });
    }
    return { layout, rows };
  } finally {
    source.close();
  }
}
