import * as z from 'zod';
import { type DatasetAddress, scopeFieldOf } from '../../../shared/datasets/datasets.ts';
import { invalidInput } from '../../../shared/errors/errors.ts';
import {
  mapping as mappingSchema,
  type Mapping,
  type ReadingOptions,
} from '../../../shared/upload/upload.ts';
import type { WellColumn, WellName } from '../../../shared/upload/proposals.ts';
import { option, type ConnectedSession } from './command.ts';
import { whole } from './options.ts';
import { cellText, type Column } from './table.ts';

const wellOfRows = z.union([z.literal('header'), whole], 'Enter an asset ID, or header.');

/** The well of all rows: its asset ID, or the well that the header of the file names. */
export const wellOption = {
  well: option(
    wellOfRows.optional(),
    '<id>',
    'asset ID of the well for all rows; header: the well in the file header',
  ),
};

interface FileToUpload {
  readonly source: string;
  readonly reading: ReadingOptions;
}

/** The wells that a file names, in its header and in columns that can name wells. */
export const wellsOfFile = (
  { client, connection, options }: ConnectedSession,
  file: FileToUpload,
): Promise<WellColumn[]> =>
  client.upload.wells({ connection, ...file, mapping: mappingSchema.parse({}) }, options);

type NamedWell = WellName & Pick<WellColumn, 'column'>;

/** The table of {@link wellsOfFile}. */
export const wellColumns: readonly Column<NamedWell>[] = [
  { name: 'column', of: ({ column }) => column ?? '(header)' },
  { name: 'well', of: ({ value }) => value },
  { name: 'asset_id', of: ({ assetId }) => assetId },
  { name: 'candidates', of: (name) => (name.assetId === null ? candidatesText(name) : '') },
];

/** The rows of {@link wellColumns}. */
export const wellRows = (columns: readonly WellColumn[]): NamedWell[] =>
  columns.flatMap(({ column, names }) => names.map((name) => ({ ...name, column })));

function candidatesText({ found, candidates }: WellName): string {
  if (found === 'unchecked') return 'not looked up (over 200 names)';
  if (candidates.length === 0) return 'no well matches';
  return candidates.map(({ assetId, name }) => `${assetId} (${name})`).join(', ');
}

/** The only well that the header of a file names. @throws AppError invalid_input with what it names otherwise */
async function headerWell(session: ConnectedSession, file: FileToUpload): Promise<number> {
  const names = wellRows(await wellsOfFile(session, file)).filter(({ column }) => column === null);
  const [only, ...others] = new Set(names.flatMap(({ assetId }) => assetId ?? []));
  if (only !== undefined && others.length === 0) return only;
  throw invalidInput(`${describeNames(names)} Set the asset ID with --well.`, { field: 'well' });
}

function describeNames(names: readonly NamedWell[]): string {
  if (names.length === 0) return 'The file header doesn’t name a well.';
  const sentences = names.map((wellName) => {
    const { value, assetId, found, candidates } = wellName;
    const name = `“${cellText(value)}”`;
    if (assetId !== null) return `${name} is ${assetId}`;
    const verb = found === 'several' ? 'could be' : 'resembles';
    return candidates.length === 0
      ? `no well matches ${name}`
      : `${name} ${verb} ${cellText(candidatesText(wellName))}`;
  });
  return `The file header doesn’t identify one well: ${sentences.join('; ')}.`;
}

/**
 * A mapping with one well for all rows.
 * @throws AppError invalid_input if the header of the file doesn't name exactly one known well, or if the mapping has
 * another well; errors of the services
 */
export async function mappingWithWell(
  session: ConnectedSession,
  well: z.infer<typeof wellOfRows>,
  {
    address,
    mapping,
    ...file
  }: FileToUpload & { readonly address: DatasetAddress; readonly mapping: Mapping | null },
): Promise<Mapping> {
  const { client, connection, options } = session;
  const { type } = await client.datasets.get({ connection, ...address }, options);
  const path = scopeFieldOf(type);
  const assetId = well === 'header' ? await headerWell(session, file) : well;
  const current = mapping ?? mappingSchema.parse({ rest: 'data' });
  const before = current.constants[path];
  if (before !== undefined && before !== assetId)
    throw invalidInput(`The mapping sets ${path} ${String(before)}, and --well is ${assetId}. Remove one.`, {
      field: 'well',
    });
  return { ...current, constants: { ...current.constants, [path]: assetId } };
}
