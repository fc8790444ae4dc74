import type { Command } from 'commander';
import { placeOfRow } from '../../../shared/upload/formats.ts';
import type { Inspection } from '../../../shared/upload/upload.ts';
import { sourceAt } from '../../files/files.ts';
import type { Cli } from '../context.ts';
import { addReadingOptions, parsePath, parseReading } from '../options.ts';
import { withApp } from '../session.ts';
import { inWords, tableLines, type Column } from '../table.ts';

type InspectedColumn = Inspection['columns'][number];

const columns = (['name', 'unit', 'type', 'nulls', 'min', 'max'] as const).map(
  (name): Column<InspectedColumn> => ({ name, of: (column) => column[name] }),
);

const tableColumns = (['name', 'rows', 'columns'] as const).map(
  (name): Column<Inspection['tables'][number]> => ({ name, of: (table) => table[name] }),
);

const headerColumns = (['group', 'name', 'value', 'unit', 'description'] as const).map(
  (name): Column<Inspection['header'][number]> => ({ name, of: (entry) => entry[name] }),
);

function* inspectionLines(inspection: Inspection): Generator<string> {
  const { columns: found, warnings, tables, header, places, index, ...facts } = inspection;
  for (const [name, value] of Object.entries(facts))
    yield `${name}: ${name === 'delimiter' ? JSON.stringify(value) : inWords(value)}`;
  if (index) yield `index: ${index.name}${index.unit === null ? '' : `, ${index.unit}`}, ${index.kind}`;
  if (tables.length > 1) {
    yield '';
    yield* tableLines(tableColumns, tables);
  }
  if (header.length > 0) {
    yield '';
    yield* tableLines(headerColumns, header);
  }
  yield '';
  yield* tableLines(columns, found);
  for (const { code, message, line } of warnings)
    yield `warning${line === null ? '' : `, ${placeOfRow(places, line)}`}: ${message} (${code})`;
}

/** `inspect FILE`: reads a whole file and prints its format, columns, and warnings. */
export function define(command: Command, cli: Cli): void {
  command.argument('<file>', 'a CSV, Excel, LAS, WITSML, Parquet, or JSON file, or a text table');
  addReadingOptions(command).action(
    cli.run(async (file: string, typed: unknown) => {
      const reading = parseReading(typed);
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
