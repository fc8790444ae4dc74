import { valueUnder } from '../../../../shared/json.ts';
import type { DatasetAddress } from '../../../../shared/datasets/datasets.ts';
import { placeOfRow } from '../../../../shared/upload/formats.ts';
import type { ColumnProposal, DatasetForFile, FieldMatch } from '../../../../shared/upload/proposals.ts';
import type {
  ColumnMapping,
  HeadCandidate,
  Inspection,
  ReadingOptions,
} from '../../../../shared/upload/upload.ts';
import { sourceAt } from '../../../core/files/files.ts';
import { command, flag, option, type Cli, type Outcome, withApp, withConnection } from '../command.ts';
import { fileArgument, readingOf, readingOptions } from '../file-options.ts';
import { address } from '../options.ts';
import { cellText, columnsOf, tableLines, type Column } from '../table.ts';
import { wellColumns, wellRows, wellsOfFile } from '../wells-of-file.ts';
import { factorOf, unitOf, unitPair } from '../../../../shared/channels/units.ts';
import { originalHeader, matchesHeader, type UploadTemplate } from '../../../../shared/upload/templates.ts';
import { withUnitsOfFile } from '../../../../shared/upload/units.ts';

const columns = columnsOf('name', 'unit', 'type', 'nulls', 'min', 'max');
const tableColumns = columnsOf('name', 'rows', 'columns');
const headerColumns = columnsOf('group', 'name', 'value', 'unit', 'description');
const lineColumns = columnsOf('line', 'kind', 'why', 'text');

const headColumns: readonly Column<HeadCandidate>[] = [
  { name: 'header row', of: ({ headerRow }) => (headerRow === 0 ? 'none' : headerRow) },
  { name: 'unit row', of: ({ unitRow }) => unitRow },
  { name: 'score', of: ({ score }) => score },
  { name: 'names', of: ({ names }) => names.join(', ') },
];

function* inspectionLines(inspection: Inspection): Generator<string> {
  const {
    columns: inspectedColumns,
    warnings,
    tables,
    header,
    places,
    index,
    explain,
    ...facts
  } = inspection;
  for (const [name, value] of Object.entries(facts))
    if (value !== null) yield `${name}: ${name === 'delimiter' ? JSON.stringify(value) : cellText(value)}`;
  if (index)
    yield `index: ${index.name}${index.unit === null ? '' : `, ${index.unit}`}, ${index.kind.replace('_', ' ')}`;
  if (tables.length > 1) {
    yield '';
    yield* tableLines(tableColumns, tables);
  }
  if (header.length > 0) {
    yield '';
    yield* tableLines(headerColumns, header);
  }
  yield '';
  yield* tableLines(columns, inspectedColumns);
  for (const { code, message, line } of warnings)
    yield `warning${line === null ? '' : `, ${placeOfRow(places, line)}`}: ${message} (${code})`;
  if (!explain) return;
  yield '';
  yield* tableLines(lineColumns, explain.lines);
  if (explain.omitted > 0) yield `more lines that aren’t plain rows: ${explain.omitted}`;
  if (explain.heads.length === 0) return;
  yield '';
  yield* tableLines(headColumns, explain.heads);
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
  readonly explain: boolean;
  /** Adds the fields of a dataset that the columns belong to, and the datasets that fit. */
  readonly into: DatasetAddress | null;
  /** Adds the wells that the file names. */
  readonly wells: boolean;
}

/** `inspect FILE --into P/D --wells`: also what the services have for the file. */
async function inspectConnected(cli: Cli, { path, reading, explain, into, wells }: Wanted): Promise<Outcome> {
  return withConnection(cli, async (session) => {
    const { app, client, connection, options } = session;
    const { token: source } = await app.files.grantSource(sourceAt(path));
    const request = { connection, source, reading };
    const inspection = await client.upload.inspect({ source, ...reading, explain }, options);
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
        await cli.out.lines(templates.map(({ name }) => `template for this header: ${cellText(name)}`));
      if (datasets) await cli.out.lines(['', ...datasets.map(fitLine)]);
      if (named) await cli.out.lines(['', ...tableLines(wellColumns, wellRows(named))]);
    }
    const matches = new Map(proposals?.map(({ column, match }) => [column, match]));
    const columns = inspection.columns.map((column) =>
      proposals ? { ...column, match: matches.get(column.key ?? column.name) ?? null } : column,
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

/** `inspect FILE`: reads a whole file and prints its format, columns, and warnings. */
export const inspect = command({
  arguments: fileArgument,
  options: {
    into: option(address.optional(), '<dataset>', 'show the field of this provider/dataset for each column'),
    wells: flag('look up the wells in the file, with their asset IDs'),
    explain: flag('print how the first lines, and later ones that aren’t plain rows, are read, and why'),
    ...readingOptions,
  },
  async run({ file, into, wells, explain, ...values }, cli) {
    const reading = readingOf(values);
    if (into !== undefined || wells)
      return inspectConnected(cli, { path: file, reading, explain, into: into ?? null, wells });
    const inspection = await withApp(cli, async ({ app, client, options }) => {
      const { token: source } = await app.files.grantSource(sourceAt(file));
      return client.upload.inspect({ source, ...reading, explain }, options);
    });
    if (!cli.json) await cli.out.lines(inspectionLines(inspection));
    return { summary: inspection };
  },
});

type InspectedFile = Pick<Inspection, 'columns' | 'table'>;

const unitsOf = ({ columns }: InspectedFile): ReadonlyMap<string, string | null> =>
  new Map(columns.map(({ key, name, unit }) => [key ?? name, unit]));

function templatesFor(file: InspectedFile, templates: readonly UploadTemplate[]): UploadTemplate[] {
  const header = originalHeader([...unitsOf(file).keys()]);
  return templates.filter(
    (template) =>
      matchesHeader(header, template) && (template.table === undefined || template.table === file.table),
  );
}

/** The proposals with the fields of a template, converted from the units of this file as in an upload. */
function withTemplate(
  proposals: readonly ColumnProposal[],
  template: UploadTemplate,
  file: InspectedFile,
): ColumnProposal[] {
  const units = unitsOf(file);
  const { mapping } = withUnitsOfFile(template, units);
  return proposals.map((proposal) => {
    const { column } = proposal;
    if (mapping.skip?.includes(column) === true) return { ...proposal, match: null };
    const wanted = valueUnder(mapping.columns, column);
    return wanted
      ? { ...proposal, match: matchOf(wanted, template.name, units.get(column) ?? null) }
      : proposal;
  });
}

function matchOf({ to, unit, fieldUnit }: ColumnMapping, template: string, own: string | null): FieldMatch {
  const pair = unit !== undefined && fieldUnit !== undefined ? unitPair(unit, fieldUnit) : undefined;
  return {
    field: to,
    why: `template ${template}`,
    confidence: 1,
    unit: pair?.from.symbol ?? unitOf(own ?? '')?.symbol ?? null,
    fieldUnit: pair?.to.symbol ?? null,
    factor: pair && pair.from !== pair.to ? (factorOf(pair.from, pair.to) ?? null) : null,
  };
}
