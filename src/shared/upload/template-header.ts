import type { UploadTemplate } from './templates.ts';

/** Whether a template is for files with this header. */
export const matchesHeader = (header: readonly string[], template: Pick<UploadTemplate, 'header'>): boolean =>
  header.length > 0 && JSON.stringify(template.header) === JSON.stringify(header);
