import * as z from 'zod';
import { mapping } from './upload.ts';

/** Maximum number of templates. */
export const maxTemplates = 500;

/**
 * A mapping for files with the same header. Without the asset of all rows, because a file has its own well.
 */
export const uploadTemplate = z.object({
  id: z.uuid(),
  name: z.string().trim().min(1, 'Enter a name for the template.').max(120),
  /** What a mapping calls the columns, in their order. */
  /** The table of files with several; absent: the file has one, or the one that is likely meant. */
  table: z.string().min(1).optional(),
  header: z.array(z.string()).min(1).max(10_000),
  mapping,
});
export type UploadTemplate = z.infer<typeof uploadTemplate>;

/** The templates by name; `problem`: damage, reported once. */
export const templateList = z.object({
  templates: z.array(uploadTemplate),
  problem: z.string().nullable(),
});
export type TemplateList = z.infer<typeof templateList>;
