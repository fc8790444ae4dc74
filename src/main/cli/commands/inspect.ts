import type { Command } from 'commander';
import * as z from 'zod';
import type { Inspection } from '../../../shared/upload/upload.ts';
import { sourceAt } from '../../files/files.ts';
import type { Cli } from '../context.ts';
import { addReadingOptions, readingOptions, parseOptions, parsePath } from '../options.ts';
import { withApp } from '../session.ts';
import { inWords, tableLines, type Column } from '../table.ts';

type InspectedColumn = Inspection['columns'][number];

const columns = (['name', 'unit', 'type', 'nulls', 'min', 'max'] as const).map(
  (name): Column<InspectedColumn> => ({ name, of: (column) => column[name] }),
);

function* inspectionLines({ columns: found, warnings, ...facts }: Inspection): Generator<string> {
  for (const [name, value] of Object.entries(facts))
    yield `${name}: ${name === 'delimiter' ? JSON.stringify(value) : inWords(value)}`;
  yield '';
  yield* tableLines(columns, found);
  for (const { code, message, line } of warnings)
    yield `warning${line === null ? '' : `, line ${line}`}: ${message} (${code})`;
}

/** `inspect FILE`: what the importer makes of a file; reads all of it. */
export function define(command: Command, cli: Cli): void {
  command.argument('<file>', 'a CSV file');
  addReadingOptions(command).action(
    cli.run(async (file: string, typed: unknown) => {
      const reading = parseOptions(z.object(readingOptions), typed);
      const path = parsePath(file, 'file');
      const inspection = await withApp(cli, async ({ app, client, options }) => {
        const { token: source } = await app.files.grantSource(sourceAt(path));
        return client.upload.inspect({ source, ...reading }, options);
      });
      if (!cli.json) await cli.out.lines(inspectionLines(inspection));
      return { summary: inspection };
    }),
  );
}
