import type { Command } from 'commander';
import * as z from 'zod';
import type { DatasetAddress } from '../../../shared/datasets/datasets.ts';
import { placeOfRow } from '../../../shared/upload/formats.ts';
import type { ColumnProposal } from '../../../shared/upload/proposals.ts';
import type { Inspection, ReadingOptions } from '../../../shared/upload/upload.ts';
import { sourceAt } from '../../files/files.ts';
import type { Cli, Outcome } from '../context.ts';
import { addReadingOptions, parseAddress, parseOptions, parsePath, parseReading } from '../options.ts';
import { withApp, withConnection } from '../session.ts';
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

const matchColumns: readonly Column<ColumnProposal>[] = [
  { name: 'column', of: ({ column }) => column },
  { name: 'field', of: ({ match }) => match?.field },
  { name: 'confidence', of: ({ match }) => match?.confidence },
  { name: 'unit', of: ({ match }) => match?.unit },
  { name: 'field unit', of: ({ match }) => match?.fieldUnit },
  { name: 'factor', of: ({ match }) => match?.factor },
  { name: 'why', of: ({ match }) => match?.why },
];

/** `inspect FILE --into P/D`: also the fields of a dataset that the columns belong to, and the datasets that fit. */
async function inspectInto(
  cli: Cli,
  path: string,
  reading: ReadingOptions,
  address: DatasetAddress,
): Promise<Outcome> {
  const { inspection, proposals, datasets } = await withConnection(
    cli,
    async ({ app, client, connection, options }) => {
      const { token: source } = await app.files.grantSource(sourceAt(path));
      const request = { connection, source, reading };
      return {
        inspection: await client.upload.inspect({ source, ...reading }, options),
        proposals: await client.upload.propose({ ...request, ...address }, options),
        datasets: await client.upload.datasetsFor(request, options),
      };
    },
  );
  if (!cli.json) {
    await cli.out.lines(inspectionLines(inspection));
    await cli.out.lines(['', ...tableLines(matchColumns, proposals.columns), '']);
    await cli.out.lines(
      datasets.map(
        ({ provider, dataset, fits, of }) => `${provider}/${dataset} fits: ${fits} of ${of} channels`,
      ),
    );
  }
  const matches = new Map(proposals.columns.map(({ column, match }) => [column, match]));
  return {
    summary: {
      ...inspection,
      columns: inspection.columns.map((each) => ({
        ...each,
        match: matches.get(each.key ?? each.name) ?? null,
      })),
      datasets,
    },
  };
}

/** `inspect FILE`: reads a whole file and prints its format, columns, and warnings. */
export function define(command: Command, cli: Cli): void {
  command.argument('<file>', 'a CSV, Excel, LAS, WITSML, Parquet, or JSON file, or a text table');
  command.option('--into <dataset>', 'provider/dataset: shows the field that each column belongs to');
  addReadingOptions(command).action(
    cli.run(async (file: string, typed: unknown) => {
      const { into, ...rest } = parseOptions(z.looseObject({ into: z.string().optional() }), typed);
      const reading = parseReading(rest);
      const path = parsePath(file, 'file');
      if (into !== undefined) return inspectInto(cli, path, reading, parseAddress(into));
      const inspection = await withApp(cli, async ({ app, client, options }) => {
        const { token: source } = await app.files.grantSource(sourceAt(path));
        return client.upload.inspect({ source, ...reading }, options);
      });
      if (!cli.json) await cli.out.lines(inspectionLines(inspection));
      return { summary: inspection };
    }),
  );
}
