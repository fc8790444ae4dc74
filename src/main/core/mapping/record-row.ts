import type { PreviewRow, FileRow } from '../tables/tables.ts';

/** What a record is made of. */
export type RecordRow = Pick<FileRow, 'texts' | 'plain' | 'problem'> & {
  /** Its line, and its position in the file. */
  readonly record: { readonly line: number; readonly start: number };
};

/** A row of a preview, whose cells can be trusted. */
export const rowOfPreview = ({ line, start, cells }: PreviewRow): RecordRow => ({
  texts: () => cells,
  problem: null,
  plain: null,
  record: { line, start },
});
