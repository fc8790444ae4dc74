import type { UploadTemplate } from './templates.ts';

/** Additional columns of a rejects file. */
export const rejectColumns = ['rejected_line', 'rejected_code', 'rejected_message'] as const;
/** A further one for rows of a file with several tables. */
export const rejectedTable = 'rejected_table';

/** Whether a column was added to those of the original. */
export const isRejectColumn = (name: string): boolean =>
  name === rejectedTable || rejectColumns.some((column) => column === name);

/** Whether a header is that of a file of rejected rows. */
export const isRejectsHeader = (header: readonly string[]): boolean =>
  rejectColumns.every((name) => header.includes(name));

/** The header for templates: that of the original file for a rejects file. */
export const originalHeader = (header: readonly string[]): string[] =>
  isRejectsHeader(header) ? header.filter((name) => !isRejectColumn(name)) : [...header];

/** Whether a template is for files with this header. */
export const matchesHeader = (header: readonly string[], template: Pick<UploadTemplate, 'header'>): boolean =>
  header.length > 0 && JSON.stringify(template.header) === JSON.stringify(header);
