import { mappingFileSchema } from '../../../../shared/upload/templates.ts';
import { command } from '../command.ts';

/** `mapping-schema`: the JSON Schema of mapping files, by which editors check and complete them. */
export const mappingSchema = command({
  arguments: {},
  options: {},
  async run(_values, cli) {
    const schema = mappingFileSchema();
    if (!cli.json) await cli.out.lines([JSON.stringify(schema, null, 2)]);
    return { summary: { schema } };
  },
});
