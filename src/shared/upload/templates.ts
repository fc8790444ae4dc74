import * as z from 'zod';
import { mapping } from './upload.ts';

/** More templates than these are not kept. */
export const mostTemplates = 500;

/** A mapping that a person keeps for files with the same header. Without the asset of all rows: a file names its well. */
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

/** The templates by name; `problem`: what of them was damaged, said once. */
export const templateList = z.object({
  templates: z.array(uploadTemplate),
  problem: z.string().nullable(),
});
export type TemplateList = z.infer<typeof templateList>;
