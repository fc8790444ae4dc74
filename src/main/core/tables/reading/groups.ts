import type { FoldRule } from '../model/plan.ts';
import type { Layout } from './layout.ts';
import { cellOf, readRows, type FileRow } from './rows.ts';
import type { Source } from './source.ts';

/** Index of the column whose values make the groups; null: all rows are one group. */
type GroupColumn = number | null;
type Grouped = Pick<FileRow, 'plain' | 'texts' | 'problem'>;

/** The value by which a row is combined with others; null: it has none, or its cells can't be trusted. */
export function groupValue(row: Grouped, by: GroupColumn): string | null {
  if (by === null) return '';
  return row.problem === null ? cellOf(row, by).trim() || null : null;
}

/**
 * Finds the first row of each group, in the order of the file. A row without a value belongs to the group before it,
 * whose record is rejected.
 */
export function createGroupEdges(by: GroupColumn): (row: Grouped) => boolean {
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
