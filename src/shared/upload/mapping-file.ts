import * as z from 'zod';
import { mapping } from './upload.ts';

/** A mapping file, which can name the JSON Schema by which editors check it. */
export const mappingFile = mapping.extend({
  $schema: z.string().optional().describe('The JSON Schema of this file, for editors.'),
});

/** The JSON Schema of mapping files, which is published as `resources/mapping.schema.json`. */
export const mappingFileSchema = () => ({
  title: 'Wellbench mapping file',
  ...z.toJSONSchema(mappingFile, { io: 'input', target: 'draft-7' }),
});
