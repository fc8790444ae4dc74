import type { Command } from 'commander';
import * as z from 'zod';
import { invalidInput } from '../../shared/errors/errors.ts';
import { refuseErrors } from '../../shared/language/lint/request.ts';
import { toleranceOf } from '../../shared/quality/tolerance.ts';
import { isSure, mappingOfMatch } from '../../shared/upload/proposals.ts';
import type { ColumnMapping, Mapping, ReadingOptions } from '../../shared/upload/upload.ts';
import { sourceAt } from '../files/files.ts';
import type { Cli, Outcome } from './context.ts';
import { readMapping } from './mapping-file.ts';
import { qualityJobOutcome } from './quality-outcome.ts';
import { optionName, parseAddress, parseOptions, parsePath, several, whole } from './options.ts';
import { bindTyped, parameterOptions } from './parameters.ts';
import { withConnection, type ConnectedSession } from './session.ts';
import { mappingWithWell, wellOption } from './wells-of-file.ts';

/** The options of {@link addComparisonOptions}. */
export const comparisonOptions = {
  againstQuery: z.string().optional(),
  against: z.string().optional(),
  tolerance: z
    .string()
    .refine((text) => toleranceOf(text) !== null, 'Enter a number such as 0.5, or a share such as 1%.')
    .optional(),
  mapping: z.string().optional(),
  well: wellOption.optional(),
};

/** Adds the options of a comparison. */
export const addComparisonOptions = (command: Command): Command =>
  command
    .option(
      '--against-query <json>',
      'compares with these records of the dataset; exit code 3 if they differ',
    )
    .option('--against <dataset>', 'compares a file with provider/dataset; exit code 3 if they differ')
    .option('--tolerance <n|n%>', 'how much compared numbers may differ, such as 0.5 or 1%; default: 0')
    .option('--mapping <file>', 'mapping file of a compared file; default: by the names of channels')
    .option('--well <id>', 'asset ID of the well of all rows; header: the well that the file header names');

const typedOptions = z.looseObject({
  ...parameterOptions,
  ...comparisonOptions,
  query: z.string().optional(),
  fields: several.optional(),
  concurrency: whole.optional(),
});

const optionsOfChecks = ['step', 'spike', 'maxGap', 'maxNulls'] as const;
const optionsOfFiles = ['mapping', 'well'] as const;

/** @throws AppError invalid_input if an option that doesn't apply is given */
function refuse(typed: Readonly<Record<string, unknown>>, names: readonly string[], message: string): void {
  for (const name of names)
    if (typed[name] !== undefined) throw invalidInput(message, { field: optionName(name) });
}

/** Compares if the options ask for it. Null: they don't. */
export function compareTyped(
  cli: Cli,
  source: string,
  typed: unknown,
  reading: ReadingOptions,
): Promise<Outcome> | null {
  const options = parseOptions(typedOptions, typed);
  const { against, againstQuery } = options;
  if (against === undefined && againstQuery === undefined) {
    const names = ['tolerance', ...optionsOfFiles];
    refuse(options, names, 'This option is for comparing. Add --against or --against-query, or omit it.');
    return null;
  }
  refuse(options, optionsOfChecks, 'This option is for a check, not for comparing. Omit it.');
  if (against !== undefined) {
    refuse(
      options,
      ['againstQuery'],
      'A file is compared with the records of --query. Omit --against-query.',
    );
    return compareFile(cli, source, against, reading, options);
  }
  refuse(options, optionsOfFiles, 'This option is for comparing a file. Add --against, or omit it.');
  return compareQueries(cli, source, options);
}

type Typed = z.infer<typeof typedOptions>;

/** `quality P/D --against-query Q`: how the records of two queries differ. */
async function compareQueries(
  cli: Cli,
  source: string,
  { query = '{}', againstQuery = '{}', fields, tolerance, concurrency, ...given }: Typed,
): Promise<Outcome> {
  const address = parseAddress(source);
  const bound = bindTyped({ query, 'against-query': againstQuery }, given);
  const queries = { query: bound.query, againstQuery: bound['against-query'] };
  for (const text of Object.values(queries)) refuseErrors({ kind: 'export', query: text, sort: '' });
  return withConnection(cli, async (session) => {
    const { client, connection, options } = session;
    const request = { connection, ...address, ...queries, fields, tolerance, concurrency };
    const { job } = await client.quality.compare(request, options);
    return qualityJobOutcome(session, cli, job);
  });
}

/** `quality FILE --against P/D`: how the rows of a file differ from the records of a dataset. */
async function compareFile(
  cli: Cli,
  file: string,
  against: string,
  reading: ReadingOptions,
  { query, fields, tolerance, concurrency, mapping: mappingFile, well, ...given }: Typed,
): Promise<Outcome> {
  const address = parseAddress(against);
  const { query: againstQuery } = bindTyped({ query }, given);
  if (againstQuery !== undefined) refuseErrors({ kind: 'export', query: againstQuery, sort: '' });
  const path = parsePath(file, 'source');
  const written = mappingFile === undefined ? null : await readMapping(parsePath(mappingFile, 'mapping'));
  return withConnection(cli, async (session) => {
    const { app, client, connection, options } = session;
    const { token } = await app.files.grantSource(sourceAt(path));
    const columns = { source: token, reading, address };
    const mapping = written ?? (await proposedMapping(session, columns));
    const request = {
      connection,
      ...address,
      source: token,
      reading,
      mapping: well === undefined ? mapping : await mappingWithWell(session, well, { ...columns, mapping }),
      againstQuery,
      fields,
      tolerance,
      concurrency,
    };
    const { job } = await client.quality.compareFile(request, options);
    return qualityJobOutcome(session, cli, job);
  });
}

/** A mapping that sends each column to the field it surely belongs to, in the unit of that field. */
async function proposedMapping(
  { client, connection, options }: ConnectedSession,
  { source, reading, address }: Pick<Parameters<typeof mappingWithWell>[2], 'source' | 'reading' | 'address'>,
): Promise<Mapping> {
  const { columns } = await client.upload.propose({ connection, source, reading, ...address }, options);
  const mapped: Record<string, ColumnMapping> = {};
  const taken = new Set<string>();
  for (const { column, match } of columns) {
    if (!match || !isSure(match) || taken.has(match.field)) continue;
    taken.add(match.field);
    mapped[column] = mappingOfMatch(match);
  }
  return { columns: mapped, constants: {}, rest: 'data' };
}
