import type { Command } from 'commander';
import * as z from 'zod';
import type { DatasetAddress } from '../../../shared/datasets/datasets.ts';
import { placeOfRow } from '../../../shared/upload/formats.ts';
import type { ColumnProposal, DatasetForFile } from '../../../shared/upload/proposals.ts';
import type { Inspection, ReadingOptions } from '../../../shared/upload/upload.ts';
import { sourceAt } from '../../files/files.ts';
import type { Cli, Outcome } from '../context.ts';
import { addReadingOptions, parseAddress, parseOptions, parsePath, parseReading } from '../options.ts';
import { withApp, withConnection } from '../session.ts';
import { templatesFor, withTemplate } from '../templates-of-file.ts';
import { inWords, tableLines, type Column } from '../table.ts';
import { wellColumns, wellRows, wellsOfFile } from '../wells-of-file.ts';

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

interface Wanted {
  readonly path: string;
  readonly reading: ReadingOptions;
  /** Adds the fields of a dataset that the columns belong to, and the datasets that fit. */
  readonly into: DatasetAddress | null;
  /** Adds the wells that the file names. */
  readonly wells: boolean;
}

/** `inspect FILE --into P/D --wells`: also what the services have for the file. */
async function inspectConnected(cli: Cli, { path, reading, into, wells }: Wanted): Promise<Outcome> {
  return withConnection(cli, async (session) => {
    const { app, client, connection, options } = session;
    const { token: source } = await app.files.grantSource(sourceAt(path));
    const request = { connection, source, reading };
    const inspection = await client.upload.inspect({ source, ...reading }, options);
    const templates =
      into && templatesFor(inspection, (await client.upload.templates({}, options)).templates);
    const proposed = into && (await client.upload.propose({ ...request, ...into }, options)).columns;
    // Of several templates, a person has to select one.
    const [template, ...others] = templates ?? [];
    const proposals =
      proposed && template && others.length === 0 ? withTemplate(proposed, template, inspection) : proposed;
    const datasets = into && (await client.upload.datasetsFor(request, options));
    const named = wells ? await wellsOfFile(session, { source, reading }) : null;
    if (!cli.json) {
      await cli.out.lines(inspectionLines(inspection));
      if (proposals) await cli.out.lines(['', ...tableLines(matchColumns, proposals)]);
      if (templates)
        await cli.out.lines(templates.map(({ name }) => `template for this header: ${inWords(name)}`));
      if (datasets) await cli.out.lines(['', ...datasets.map(fitLine)]);
      if (named) await cli.out.lines(['', ...tableLines(wellColumns, wellRows(named))]);
    }
    const matches = new Map(proposals?.map(({ column, match }) => [column, match]));
    const columns = inspection.columns.map((each) =>
      proposals ? { ...each, match: matches.get(each.key ?? each.name) ?? null } : each,
    );
    return {
      summary: {
        ...inspection,
        columns,
        ...(datasets ? { datasets } : {}),
        ...(templates ? { templates: templates.map(({ name }) => name) } : {}),
        ...(named ? { wells: named } : {}),
      },
    };
  });
}

const fitLine = ({ provider, dataset, fits, of }: DatasetForFile): string =>
  `${provider}/${dataset} fits: ${fits} of ${of} channels`;

const ownOptions = z.looseObject({ into: z.string().optional(), wells: z.boolean().default(false) });

/** `inspect FILE`: reads a whole file and prints its format, columns, and warnings. */
export function define(command: Command, cli: Cli): void {
  command.argument('<file>', 'a CSV, Excel, LAS, WITSML, Parquet, or JSON file, or a text table');
  command.option('--into <dataset>', 'provider/dataset: shows the field that each column belongs to');
  command.option('--wells', 'looks up the wells that the file names, with their asset IDs');
  addReadingOptions(command).action(
    cli.run(async (file: string, typed: unknown) => {
      const { into, wells, ...rest } = parseOptions(ownOptions, typed);
      const reading = parseReading(rest);
      const path = parsePath(file, 'file');
      if (into !== undefined || wells) {
        const address = into === undefined ? null : parseAddress(into);
        return inspectConnected(cli, { path, reading, into: address, wells });
      }
      const inspection = await withApp(cli, async ({ app, client, options }) => {
        const { token: source } = await app.files.grantSource(sourceAt(path));
        return client.upload.inspect({ source, ...reading }, options);
      });
      if (!cli.json) await cli.out.lines(inspectionLines(inspection));
      return { summary: inspection };
    }),
  );
}
