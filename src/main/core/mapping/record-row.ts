import type { PreviewRow } from '../tables/reading/preview.ts';
import type { FileRow } from '../tables/reading/rows.ts';

/** What a record is made of. */
export type RecordRow = Pick<FileRow, 'cells' | 'plain' | 'problem'> & {
  /** Its line, and its position in the file. */
  readonly record: { readonly line: number; readonly start: number };
};

/** The text of a cell; empty: the row has no such cell. */
export const cellOf = ({ plain, cells }: RecordRow, index: number): string =>
  plain ? plain.text(index) : (cells[index] ?? '');

/** A row of a preview, whose cells can be trusted. */
export const rowOfPreview = ({ line, start, cells }: PreviewRow): RecordRow => ({
  cells: [...cells],
  problem: null,
  plain: null,
  record: { line, start },
});
