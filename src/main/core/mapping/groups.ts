import type { FoldRule } from './plan.ts';
import {
  type Layout,
  readRows,
  type FileRow,
  type Source,
  openSource,
  type NamedFile,
} from '../tables/tables.ts';
import { hash } from 'node:crypto';

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

interface GroupReader {
  /** The rows of the next record; null at the end. @throws AppError file_unsuitable */
  next(): readonly FileRow[] | null;
}

/**
 * Reads the rows of one record after another from the start of a record.
 * @param fold absent: each row is a record, and is valid until the next is read
 */
export function readGroups(
  fileName: string,
  source: Pick<Source, 'read' | 'placeOf'>,
  layout: Layout,
  fold: Pick<FoldRule, 'by' | 'end'> | undefined,
  from: { readonly byte: number; readonly line: number },
): GroupReader {
  const rows = readRows(fileName, source, layout, { ...from, fleeting: !fold });
  if (!fold)
    return {
      next() {
        const row = rows.next();
        return row && [row];
      },
    };
  const { by, end } = fold;
  const isFirst = createGroupEdges(by?.index ?? null);
  const read = (): FileRow | null => {
    const row = rows.next();
    return row && row.record.start < end ? row : null;
  };
  let ahead: FileRow | null | undefined;
  return {
    next() {
      if (ahead === undefined) {
        ahead = read();
        if (ahead) isFirst(ahead);
      }
      if (!ahead) return null;
      const group = [ahead];
      for (ahead = read(); ahead && !isFirst(ahead); ahead = read()) group.push(ahead);
      return group;
    },
  };
}

/** Maximum number of rows of one record, and their maximum size in the file. */
export const maxGroupRows = 20_000;
const maxGroupBytes = 8 << 20;
/** Maximum number of records: their values are in memory while the file is read. */
const maxGroups = 200_000;

interface GroupScanRequest extends NamedFile {
  readonly layout: Layout;
  /** Number of data rows. */
  readonly rows: number;
  /** Index of the column whose values make the groups; null: all rows are one group. */
  readonly by: number | null;
}

/** The groups of rows that become records. */
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
  const { path, fileName, places, expected, layout, rows: total, by } = request;
  const source = openSource(path, fileName, places, expected);
  try {
    const reader = readRows(fileName, source, layout, { byte: layout.dataStart, line: layout.dataLine });
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
    for (let count = 0; count < total; count++) {
      const row = reader.next();
      if (!row) break;
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
          problem ??= `Column “${column}” has more than ${maxGroups} different values. Combine rows by another column.`;
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
  } finally {
    source.close();
  }
}
