import * as z from 'zod';
import { mapping } from './upload.ts';

/** More templates than these are not kept. */
export const mostTemplates = 500;

/** A mapping that a person keeps for files with the same header. Without the asset of all rows: a file names its well. */
export const uploadTemplate = z.object({
  id: z.uuid(),
  name: z.string().trim().min(1, 'Give the template a name.').max(120),
  /** What a mapping calls the columns, in their order. */
  header: z.array(z.string()).min(1).max(10_000),
  mapping,
});
export type UploadTemplate = z.infer<typeof uploadTemplate>;

/** The templates by name; `problem`: what of them was damaged, said once. */
export const templateList = z.object({
  templates: z.array(uploadTemplate),
  problem: z.string().nullable(),
});
export type TemplateList = z.infer<typeof templateList>;

/** Columns that a file of rejected rows has beside those of the original. */
export const rejectColumns = ['rejected_line', 'rejected_code', 'rejected_message'] as const;

const isRejectColumn = (name: string): boolean => rejectColumns.some((column) => column === name);

/** Whether a header is that of a file of rejected rows. */
export const isRejectsHeader = (header: readonly string[]): boolean =>
  rejectColumns.every((name) => header.includes(name));

/** The header that a template is kept by: of a file of rejected rows, that of the original. */
export const originalHeader = (header: readonly string[]): string[] =>
  isRejectsHeader(header) ? header.filter((name) => !isRejectColumn(name)) : [...header];
