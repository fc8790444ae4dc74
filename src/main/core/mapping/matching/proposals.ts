import type { Synonyms } from '../../../../shared/channels/channels.ts';
import type { calls } from '../../../../shared/contract/contract.ts';
import type {
  Dataset,
  DatasetAddress,
  DatasetFields,
  DatasetType,
} from '../../../../shared/datasets/datasets.ts';
import { datasetShapes, timeFieldOf, depthPath } from '../../../../shared/datasets/shapes.ts';
import { isAppError } from '../../../../shared/errors/errors.ts';
import { runForEach } from '../../../../shared/lists.ts';
import { storedUnitsOf, type StoredUnits, type DatasetField } from '../../../../shared/datasets/fields.ts';
import {
  type DatasetForFile,
  isSure,
  type Proposals,
  type UploadField,
} from '../../../../shared/upload/proposals.ts';
import type { Inspection } from '../../../../shared/upload/upload.ts';
import { listDatasets } from '../../datasets/definitions.ts';
import { createEndReader } from '../../datasets/end-reader.ts';
import { combineFields } from '../../datasets/fields/combine-fields.ts';
import { readFields } from '../../datasets/fields/fields.ts';
import type { CallContext, ModuleHandlers } from '../../handlers.ts';
import type { DataService, Services } from '../../wire/services/services.ts';
import {
  fileColumns,
  matchFields,
  targetFields,
  toMatch,
  type Candidate,
  type FileColumn,
  type TargetField,
} from './match-fields.ts';
import { headerParts } from '../../../../shared/channels/header.ts';
import type { FileFacts } from '../../../../shared/upload/formats.ts';
import { unitOf } from '../../../../shared/channels/units.ts';
import { parseTarget } from '../../records/targets.ts';

/** Channels of depths that a record can be of, the likeliest first; the last is sure only if the file is ordered by it. */
const depths = [depthPath, 'survey_depth', 'hole_depth'] as const;

const asField = (path: string, unit: string | null): TargetField => ({
  path,
  name: path,
  spelling: path,
  unit,
  types: ['number'],
  range: null,
  channel: undefined,
});

const candidate = (column: FileColumn, field: TargetField, confidence: number, why: string): Candidate => ({
  column,
  field,
  confidence,
  why,
  from: column.unit === null ? undefined : unitOf(column.unit, 'length'),
  to: field.unit === null ? undefined : unitOf(field.unit, 'length'),
});

/** The fields of a dataset to which columns can go. */
export const uploadFields = (fields: readonly DatasetField[]): UploadField[] =>
  fields.flatMap(({ path, types, unit, description, range }): UploadField[] =>
    types.includes('object') || typeof parseTarget(path) === 'string'
      ? []
      : [
          {
            path,
            types,
            ...(unit && { unit }),
            ...(description && { description }),
            ...(range && { range }),
          },
        ],
  );

function depthCandidates(
  columns: readonly FileColumn[],
  unit: string | null,
  index: FileFacts['index'],
): Candidate[] {
  const field = asField(depthPath, unit);
  const numbers = columns.filter(({ isNumeric }) => isNumeric);
  const isOrdering = ({ key }: FileColumn) => index?.kind === 'depth' && key === index.name;
  for (const [at, name] of depths.entries()) {
    const depthsOfName = numbers.filter(({ channel }) => channel?.channel.name === name && channel.isSure);
    if (depthsOfName.length === 0) continue;
    const inUnit = depthsOfName.filter(
      ({ unit }) =>
        field.unit !== null && unit !== null && unitOf(unit, 'length') === unitOf(field.unit, 'length'),
    );
    const indexColumn = depthsOfName.find(({ key }) => key === index?.name);
    const best =
      inUnit.length === 1
        ? inUnit[0]
        : (indexColumn ?? (depthsOfName.length === 1 ? depthsOfName[0] : undefined));
    return depthsOfName.map((column) =>
      candidate(
        column,
        field,
        column === best && (at < depths.length - 1 || isOrdering(column)) ? 0.95 : 0.6,
        `${column.name} is ${name.replaceAll('_', ' ')}`,
      ),
    );
  }
  const ordering = numbers.find(isOrdering);
  return ordering ? [candidate(ordering, field, 0.9, 'the file is ordered by it')] : [];
}

const timeNames: ReadonlySet<string> = new Set(['timestamp', 'datetime', 'time', 'date']);

function timeCandidates(
  columns: readonly FileColumn[],
  path: string,
  index: FileFacts['index'],
): Candidate[] {
  const field = { ...asField(path, null), types: [] };
  const times = columns.filter(({ type }) => type === 'time');
  const named = (column: FileColumn) => column.name.toLowerCase() === path;
  const indexColumn =
    times.find(named) ?? times.find(({ key }) => key === index?.name && index.kind === 'time');
  const best = indexColumn ?? (times.length === 1 ? times[0] : undefined);
  return times.map((column) => ({
    column,
    field,
    why: column === best && times.length === 1 ? 'the only column of times' : 'a column of times',
    confidence: column === best ? 0.95 : timeNames.has(column.name.toLowerCase()) ? 0.7 : 0.5,
    from: undefined,
    to: undefined,
  }));
}

/** The columns that order the records: depths or times, by the dataset's type. */
export function matchIndex(
  columns: readonly FileColumn[],
  fields: readonly DatasetField[],
  type: DatasetType | null,
  index: FileFacts['index'],
): Candidate[] {
  const path = type === null ? null : datasetShapes[type].indexField;
  if (path === null) return [];
  return path === depthPath
    ? depthCandidates(columns, fields.find((field) => field.path === path)?.unit ?? null, index)
    : timeCandidates(columns, path, index);
}

/** Maximum number of further fields for a column. */
const maxOthers = 3;

type InspectedFile = Pick<Inspection, 'columns' | 'index'>;

/** A name for a new field: letters, digits, and underscores. */
export function cleanName(header: string): string {
  const { name, unit } = headerParts(header);
  const words = (unit === '%' ? `${name} percent` : name)
    .normalize('NFKC')
    .replaceAll(/([\p{Ll}\p{N}])(\p{Lu}\p{Ll})/gu, '$1_$2')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, '_')
    .replaceAll(/^_+|_+$/g, '');
  return words === '' ? 'column' : words;
}

/** Paths for new fields: the standard name of a sure channel, else a clean name, each once. */
function newFields(columns: readonly FileColumn[], taken: ReadonlySet<string>): Map<FileColumn, string> {
  const used = new Set(taken);
  const targets = new Map<FileColumn, string>();
  for (const column of columns) {
    const { channel } = column;
    const suffix = channel?.statistic ? `_${channel.statistic}` : '';
    const name = channel?.isSure === true ? `${channel.channel.name}${suffix}` : cleanName(column.name);
    const withUnit =
      column.unit === null ? name : `${name}_${cleanName(column.unit.replaceAll('%', 'percent'))}`;
    let path = `data.${name}`;
    if (used.has(path)) path = `data.${withUnit}`;
    for (let at = 2; used.has(path); at++) path = `data.${name}_${at}`;
    used.add(path);
    targets.set(column, path);
  }
  return targets;
}

/** Whether the rows of a file are ordered by time or by depth; null: neither, or unknown. */
export function orderOf(file: InspectedFile, columns: readonly FileColumn[]): 'time' | 'depth' | null {
  if (file.index) return file.index.kind === 'other' ? null : file.index.kind;
  const hasTimes = columns.some((column) => column.type === 'time');
  const hasDepths = columns.some(
    ({ channel, isNumeric }) =>
      isNumeric && channel?.isSure === true && channel.channel.name === 'measured_depth',
  );
  if (hasTimes === hasDepths) return null;
  return hasTimes ? 'time' : 'depth';
}

/** Whether a file is ordered by time and a dataset by depth, or the other way round. */
function otherIndex(order: 'time' | 'depth' | null, type: DatasetType | null): Proposals['otherIndex'] {
  if (type === 'depth' && order === 'time') return 'time_file';
  return timeFieldOf(type) !== null && order === 'depth' ? 'depth_file' : null;
}

/** Which fields of a dataset the columns of a file belong to, and why. */
export function propose(
  file: InspectedFile,
  fields: readonly DatasetField[],
  type: DatasetType | null,
  synonyms: Synonyms,
  columns = fileColumns(file, synonyms),
): Omit<Proposals, 'requiresWell'> {
  const targets = targetFields(fields, synonyms);
  const ordering = matchIndex(columns, fields, type, file.index);
  const orderedBy = ordering.find(isSure)?.column;
  const rest = columns.filter((column) => column !== orderedBy);
  // The same depths in another unit are no further channel.
  const isOrder = ({ column }: Candidate) =>
    orderedBy?.channel !== undefined && column.channel?.channel === orderedBy.channel.channel;
  const otherProposals = matchFields(rest, targets).map((proposal) =>
    isOrder(proposal) ? { ...proposal, confidence: Math.min(0.6, proposal.confidence) } : proposal,
  );
  const candidates = [...ordering, ...otherProposals];
  const taken = new Set(targets.map(({ path }) => path));
  const names = newFields(columns, taken);
  return {
    columns: columns.map((column) => {
      const proposals = candidates
        .filter((proposal) => proposal.column === column)
        .toSorted((a, b) => b.confidence - a.confidence);
      const [best, ...further] = proposals;
      return {
        column: column.key,
        match: best ? toMatch(best) : null,
        others: further
          .filter((proposal) => !isSure(proposal))
          .slice(0, maxOthers)
          .map(toMatch),
        newField: names.get(column) ?? 'data.column',
        isEmpty: column.type === 'empty',
      };
    }),
    fields: uploadFields(fields),
    otherIndex: otherIndex(orderOf(file, columns), type),
  };
}

/** How many channels of a file have a field in a dataset, and how many there are. */
export function countFits(
  file: InspectedFile,
  fields: readonly DatasetField[],
  type: DatasetType | null,
  synonyms: Synonyms,
  all = fileColumns(file, synonyms),
): { fits: number; of: number } {
  const columns = all.filter((column) => column.type !== 'empty');
  const channelKey = ({ channel, key }: FileColumn) =>
    channel ? `${channel.channel.name} ${channel.statistic ?? ''}` : `?${key}`;
  const { columns: proposedColumns } = propose(file, fields, type, synonyms, all);
  const sure = new Set(
    proposedColumns.filter(({ match }) => match && isSure(match)).map(({ column }) => column),
  );
  return {
    fits: new Set(columns.filter(({ key }) => sure.has(key)).map(channelKey)).size,
    of: new Set(columns.map(channelKey)).size,
  };
}

type Calls = ModuleHandlers<(typeof calls)['upload']>;

interface ProposalDependencies {
  readonly connections: { services(connectionId: string): Services };
  readonly inspect: Calls['inspect'];
  /** The names of channels that the user has added. */
  readonly synonyms: () => Promise<Synonyms>;
}

/** Maximum number of datasets of which a few records are read; those with channels in their definition first. */
const maxRead = 12;
const recordsRead = 5;
const concurrentReads = 2;

/** Whether records of this type can be ordered like the file. */
function canBeOrdered(type: DatasetType | null, order: ReturnType<typeof orderOf>): boolean {
  if (order === 'depth') return type === 'depth';
  return order === null || timeFieldOf(type) !== null;
}

const hasChannels = (dataset: Dataset): boolean =>
  combineFields(dataset, []).fields.some(({ path }) => path.startsWith('data.'));

/** Whether all sampled records have the well of their type, although the type doesn't require it. */
function haveWell({ fields, sampled }: Pick<DatasetFields, 'fields' | 'sampled'>, type: DatasetType | null) {
  const path = type === null ? 'asset_id' : datasetShapes[type].scopeField;
  const { absent, nulls } = fields.find((field) => field.path === path) ?? {};
  return sampled > 0 && absent === 0 && nulls === 0;
}

/** What a dataset says about new records: the units of its fields, and whether they need a well. */
interface Expected {
  readonly storedUnits: StoredUnits;
  readonly requiresWell: boolean;
}

/**
 * What the catalogue of a dataset's fields says about new records. An upload reads it once.
 * @throws AppError if neither the definition nor records can be read
 */
export async function expectedOf(
  { data }: Pick<Services, 'data'>,
  address: DatasetAddress,
  type: DatasetType | null,
  signal: AbortSignal | undefined,
): Promise<Expected> {
  const dataset = await readFields(data, address, signal);
  return { storedUnits: storedUnitsOf(dataset.fields), requiresWell: haveWell(dataset, type) };
}

/** The fields of a dataset from its definition and a few records, as far as they can be read. */
async function fieldsOfFew(data: DataService, dataset: Dataset, signal: AbortSignal | undefined) {
  try {
    const read = createEndReader(data, dataset, dataset.type);
    return combineFields(dataset, await read({}, recordsRead, 'last', { signal, maxTries: 2 })).fields;
  } catch (error) {
    if (isAppError(error, 'cancelled')) throw error;
    return combineFields(dataset, []).fields;
  }
}

/** The datasets whose fields a file has the channels of, those with most of them first. */
async function datasetsFor(
  data: DataService,
  file: Inspection,
  synonyms: Synonyms,
  signal: AbortSignal | undefined,
): Promise<DatasetForFile[]> {
  const columns = fileColumns(file, synonyms);
  const order = orderOf(file, columns);
  const all = (await listDatasets(data, {}, { signal })).filter(({ type }) => canBeOrdered(type, order));
  const otherDatasets = all.filter(
    (definition) => !hasChannels(definition) && definition.statistics.count !== 0,
  );
  const likely = [...all.filter(hasChannels), ...otherDatasets].slice(0, maxRead);
  const datasets: DatasetForFile[] = [];
  await runForEach(likely, concurrentReads, async (dataset) => {
    const fields = await fieldsOfFew(data, dataset, signal);
    const counts = countFits(file, fields, dataset.type, synonyms, columns);
    datasets.push({ provider: dataset.provider, dataset: dataset.dataset, ...counts });
  });
  return datasets
    .filter(({ fits }) => fits > 1)
    .toSorted((a, b) => b.fits - a.fits || a.dataset.localeCompare(b.dataset));
}

/** Which fields the columns of a file belong to, and which datasets the file fits. */
export function createProposals({
  connections,
  inspect,
  synonyms,
}: ProposalDependencies): Pick<Calls, 'propose' | 'datasetsFor'> {
  type FileRequest = Pick<Parameters<Calls['datasetsFor']>[0], 'source' | 'reading'>;
  const inspected = ({ source, reading }: FileRequest, context: CallContext) =>
    inspect({ source, nulls: [], ...reading }, context);
  return {
    async propose({ connection, provider, dataset, ...request }, context) {
      const { data } = connections.services(connection);
      const address = { provider, dataset };
      const [file, datasetFields, { type }, names] = await Promise.all([
        inspected(request, context),
        readFields(data, address, context.signal),
        data.dataset(address, { signal: context.signal }),
        synonyms(),
      ]);
      return {
        ...propose(file, datasetFields.fields, type, names),
        requiresWell: haveWell(datasetFields, type),
      };
    },
    async datasetsFor({ connection, ...request }, context) {
      const [file, names] = await Promise.all([inspected(request, context), synonyms()]);
      return datasetsFor(connections.services(connection).data, file, names, context.signal);
    },
  };
}
