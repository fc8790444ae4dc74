import * as z from 'zod';
import { connectionId } from '../connections/connections.ts';
import { datasetType } from '../datasets/datasets.ts';
import { mapping, readingOptions } from './upload.ts';

export const maxTemplates = 500;

const columnUnits = z.array(z.string().max(100).nullable()).max(10_000);

/**
 * A mapping for files with the same header. Without the asset of all rows, because a file has its own well.
 */
export const uploadTemplate = z.object({
  id: z.uuid(),
  name: z.string().trim().min(1, 'Enter a name for the template.').max(120),
  /** The table of files with several; absent: the file has one, or the one that is likely meant. */
  table: z.string().min(1).optional(),
  /** Where lines of text in columns are cut; absent: where it is detected. */
  columnEdges: readingOptions.shape.columnEdges,
  /** What a mapping calls the columns, in their order. */
  header: z.array(z.string()).min(1).max(10_000),
  /** The units of the columns in that file; absent: unknown. */
  units: columnUnits.optional(),
  /** The connection whose ids of wells and companies it has; absent: unknown. */
  connection: connectionId.optional(),
  mapping,
});
export type UploadTemplate = z.infer<typeof uploadTemplate>;

/** The mapping of the last upload of a header into datasets of a type, without the asset of all rows. */
export const lastMapping = z.object({
  header: uploadTemplate.shape.header,
  type: datasetType,
  file: z.string(),
  units: columnUnits.optional(),
  connection: uploadTemplate.shape.connection,
  mapping,
});
export type LastMapping = z.infer<typeof lastMapping>;

/** The templates by name; `problem`: damage, reported once. */
export const templateList = z.object({
  templates: z.array(uploadTemplate),
  problem: z.string().nullable(),
});
export type TemplateList = z.infer<typeof templateList>;

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

/** A mapping file, which can name the JSON Schema by which editors check it. */
export const mappingFile = mapping.extend({
  $schema: z.string().optional().describe('The JSON Schema of this file, for editors.'),
});

/** The JSON Schema of mapping files, which is published as `resources/mapping.schema.json`. */
export const mappingFileSchema = () => ({
  title: 'Wellbench mapping file',
  ...z.toJSONSchema(mappingFile, { io: 'input', target: 'draft-7' }),
});
