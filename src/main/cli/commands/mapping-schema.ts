import type { Command } from 'commander';
import { mappingFileSchema } from '../../../shared/upload/mapping-file.ts';
import type { Cli } from '../context.ts';

/** `mapping-schema`: the JSON Schema of mapping files, by which editors check and complete them. */
export function define(command: Command, cli: Cli): void {
  command.action(
    cli.run(async () => {
      const schema = mappingFileSchema();
      if (!cli.json) await cli.out.lines([JSON.stringify(schema, null, 2)]);
      return { summary: { schema } };
    }),
  );
}
