import {
  channelOf,
  channelsOf,
  isVerticalDepth,
  normalizedName,
  type ChannelMatch,
  type Synonyms,
} from '../../../shared/channels/channels.ts';
import { columnUnit, headerParts } from '../../../shared/channels/header.ts';
import {
  factorOf,
  likelyUnitOf,
  quantitiesOf,
  unitOf,
  unitPair,
  convert,
  type Unit,
} from '../../../shared/channels/units.ts';
import { type DatasetField, storedUnitsOf } from '../../../shared/datasets/fields.ts';
import {
  isSure,
  type FieldMatch,
  type DatasetForFile,
  type Proposals,
  type UploadField,
} from '../../../shared/upload/proposals.ts';
import { isNullOfFiles } from '../../../shared/upload/null-tokens.ts';
import type { Inspection } from '../../../shared/upload/upload.ts';
import type { calls } from '../../../shared/contract/contract.ts';
import {
  type Dataset,
  type DatasetType,
  timeFieldOf,
  depthPath,
  indexFieldOf,
  scopeFieldOf,
} from '../../../shared/datasets/datasets.ts';
import type { DatasetFields } from '../../../shared/contract/catalogue.ts';
import { isAppError } from '../../../shared/errors/errors.ts';
import { runForEach } from '../../../shared/lists.ts';
import { getDataset, listDatasets } from '../datasets/definitions.ts';
import { createEndReader } from '../datasets/end-reader.ts';
import { combineFields } from '../datasets/fields/combine-fields.ts';
import { readFields } from '../datasets/fields/fields.ts';
import type { CallContext, ModuleHandlers } from '../handlers.ts';
import type { DataService, Services } from '../wire/services/services.ts';
import { verticalIndex, type FileFacts } from '../../../shared/upload/formats.ts';
import { parseTarget } from '../records/targets.ts';

type Inspected = Inspection['columns'][number];

interface FileColumn {
  readonly key: string;
  readonly name: string;
  /** Its name without the unit, and that as {@link normalizedName}. */
  readonly bareName: string;
  readonly spelling: string;
  readonly unit: string | null;
  readonly type: Inspected['type'];
  readonly isNumeric: boolean;
  readonly range: Range | null;
  readonly channel: ChannelMatch | undefined;
  /** Everything that its name can mean. */
  readonly channels: readonly ChannelMatch[];
}

const numeric: ReadonlySet<Inspected['type']> = new Set(['integer', 'number']);

const fileColumns = ({ columns }: Pick<Inspection, 'columns'>, synonyms: Synonyms): FileColumn[] =>
  columns.map(({ key, name, unit, type, min, max }) => {
    const isNumeric = numeric.has(type);
    // A null value such as -999.25 says nothing about the range.
    const low = typeof min === 'number' && isNullOfFiles(min) ? 0 : min;
    const parts = headerParts(name);
    const unitText = columnUnit({ name, unit });
    const meanings = channelsOf(name, { unit: unitText, synonyms });
    return {
      key: key ?? name,
      name,
      bareName: parts.name,
      spelling: normalizedName(parts.name),
      unit: unitText,
      type,
      isNumeric,
      range:
        isNumeric && typeof low === 'number' && typeof max === 'number' && low <= max
          ? { min: low, max }
          : null,
      channel: meanings[0],
      channels: meanings,
    };
  });

interface TargetField {
  readonly path: string;
  readonly name: string;
  /** Its name as {@link normalizedName}. */
  readonly spelling: string;
  readonly unit: string | null;
  readonly types: DatasetField['types'];
  readonly range: Range | null;
  readonly channel: ChannelMatch | undefined;
}

/** The fields of a dataset that columns can go to, below `data`. */
const targetFields = (fields: readonly DatasetField[], synonyms: Synonyms): TargetField[] =>
  fields
    .filter(
      ({ path, types }) => path.startsWith('data.') && !types.includes('object') && !types.includes('array'),
    )
    .map(({ path, types, unit = null, range = null }) => {
      const name = path.slice('data.'.length);
      const channel = channelOf(path, { unit, synonyms });
      return { path, name, spelling: normalizedName(name), unit, types, range, channel };
    });

/** A field that a column may belong to, with what decides between columns. */
interface Candidate {
  readonly column: FileColumn;
  /** The path of the field. */
  readonly path: string;
  /** How far the values are from those of the field, as a power of ten; infinite: unknown. */
  readonly distance: number;
  readonly confidence: number;
  readonly why: string;
  readonly from: Unit | undefined;
  readonly to: Unit | undefined;
}

const isNumericField = ({ types }: TargetField): boolean =>
  types.length === 0 || types.includes('number') || types.includes('integer');
const isTextField = ({ types }: TargetField): boolean => types.length === 0 || types.includes('string');

/** The units of a column and a field, each in the quantity that both or their channels have. */
function unitsOf(column: FileColumn, field: TargetField): { from: Unit | undefined; to: Unit | undefined } {
  const pair = column.unit !== null && field.unit !== null ? unitPair(column.unit, field.unit) : undefined;
  if (pair) return pair;
  const quantity = field.channel?.channel.quantity ?? column.channel?.channel.quantity;
  return {
    from: column.unit === null ? undefined : likelyUnitOf(column.unit, quantity),
    to: field.unit === null ? undefined : unitOf(field.unit, quantity),
  };
}

/** Whether both units are known and measure different things. */
function unitsConflict(column: FileColumn, field: TargetField): boolean {
  if (column.unit === null) return false;
  const quantities = quantitiesOf(column.unit);
  if (quantities.length === 0) return false;
  const wanted =
    field.unit !== null && quantitiesOf(field.unit).length > 0
      ? quantitiesOf(field.unit)
      : [field.channel?.channel.quantity].filter((quantity) => quantity !== null && quantity !== undefined);
  return wanted.length > 0 && !quantities.some((quantity) => wanted.includes(quantity));
}

const shownRange = ({ min, max }: Range): string =>
  `${Number(min.toPrecision(3))} to ${Number(max.toPrecision(3))}`;

/** Largest difference of scale between values of one channel, as a power of ten, where the units are not known. */
const maxScaleDistance = 1.3;

function channelCandidate(
  column: FileColumn,
  field: TargetField,
): Pick<Candidate, 'confidence' | 'why'> | null {
  const other = field.channel;
  const sameChannel = column.channels.find(
    ({ channel, statistic }) => channel === other?.channel && statistic === other.statistic,
  );
  if (!sameChannel || !other) return null;
  const reason = `${/^[A-Z0-9_]+$/.test(column.bareName) ? 'mnemonic' : 'channel'} ${column.bareName}`;
  return { confidence: sameChannel.isSure && other.isSure ? 0.95 : 0.7, why: reason };
}

function similarCandidate(
  column: FileColumn,
  field: TargetField,
): Pick<Candidate, 'confidence' | 'why'> | null {
  const name = nameSimilarity(column.spelling, field.spelling);
  if (name < 0.45) return null;
  if (!column.range || !field.range)
    return name < 0.6 ? null : { confidence: name * 0.5, why: `name like ${field.name}` };
  const { from, to } = unitsOf(column, field);
  const values = rangeIn(column.range, from, to);
  const shared = overlap(values, field.range);
  if (shared < 0.5) return null;
  return {
    // Units of one quantity make a similar name likelier.
    confidence: Math.min(0.6, name * 0.6 + (from && to ? 0.15 : 0)),
    why: `name like ${field.name}, values ${shownRange(values)} like its ${shownRange(field.range)}`,
  };
}

/** Whether a column can belong to a field, and why; null: it can't. */
function judge(column: FileColumn, field: TargetField): Candidate | null {
  if (column.type === 'empty') return null;
  if (column.isNumeric ? !isNumericField(field) : !isTextField(field)) return null;
  const isSameName = column.spelling === field.spelling || column.name === field.path;
  const likeness = isSameName
    ? { confidence: 0.99, why: 'same name' }
    : (channelCandidate(column, field) ?? similarCandidate(column, field));
  if (!likeness) return null;
  const distance = column.range && field.range ? scaleDistance(column.range, field.range) : Infinity;
  const candidate = { column, path: field.path, distance, ...unitsOf(column, field), ...likeness };
  const weaker = (most: number, but: string): Candidate => ({
    ...candidate,
    confidence: Math.min(most, likeness.confidence),
    why: `${likeness.why}, but ${but}`,
  });
  if (unitsConflict(column, field)) return weaker(0.3, `its unit is ${column.unit ?? ''}`);
  if (isSameName || (candidate.from && candidate.to) || !column.range || !field.range) return candidate;
  return distance > maxScaleDistance ? weaker(0.6, 'its values have another scale') : candidate;
}

/** Fit of the units of a candidate: the same, convertible, unknown. */
const unitRank = ({ from, to }: Candidate): number => (from && to ? (from === to ? 2 : 1) : 0);

/** The best of several columns for one field; null: none of them is better than the others. */
function bestOf(candidates: readonly Candidate[]): Candidate | null {
  const sorted = candidates.toSorted((a, b) => unitRank(b) - unitRank(a) || b.confidence - a.confidence);
  const [first, second] = sorted;
  if (!first || !second) return first ?? null;
  if (unitRank(first) > unitRank(second) || first.confidence > second.confidence) return first;
  const [near, next] = sorted
    .filter((rival) => unitRank(rival) === unitRank(first) && rival.confidence === first.confidence)
    .toSorted((a, b) => a.distance - b.distance);
  return near && next && next.distance - near.distance > 1 ? near : null;
}

/** Columns compete for a field, and fields for a column: only one pair stays sure. */
function settled(all: readonly Candidate[]): Candidate[] {
  const winners = new Set<Candidate>();
  for (const rivals of Map.groupBy(all.filter(isSure), ({ path }) => path).values()) {
    const best = bestOf(rivals);
    if (best) winners.add(best);
  }
  for (const rivals of Map.groupBy([...winners], ({ column }) => column).values()) {
    const [first, second] = rivals.toSorted((a, b) => b.confidence - a.confidence);
    for (const rival of rivals)
      if (rival !== first || second?.confidence === first.confidence) winners.delete(rival);
  }
  return all.map((proposal) =>
    !isSure(proposal) || winners.has(proposal)
      ? proposal
      : { ...proposal, confidence: 0.8, why: `${proposal.why}; other columns or fields also fit` },
  );
}

/** A candidate in the form of the contract. */
function toMatch({ path, confidence, why, from, to }: Candidate): FieldMatch {
  const factor = from && to && from !== to ? factorOf(from, to) : undefined;
  return {
    field: path,
    why,
    confidence: Math.round(confidence * 100) / 100,
    unit: from?.symbol ?? null,
    fieldUnit: to?.symbol ?? null,
    factor: factor ?? null,
  };
}

/** All fields that columns may belong to, each with its confidence after columns and fields have competed. */
const matchFields = (columns: readonly FileColumn[], fields: readonly TargetField[]): Candidate[] =>
  settled(columns.flatMap((column) => fields.flatMap((field) => judge(column, field) ?? [])));

interface Range {
  readonly min: number;
  readonly max: number;
}

const pairsOf = (text: string): Set<string> =>
  new Set(Array.from({ length: Math.max(0, text.length - 1) }, (_, at) => text.slice(at, at + 2)));

/** How alike two normalized names are, from 0 to 1, by the pairs of letters that they share. */
function nameSimilarity(one: string, other: string): number {
  const [a, b] = [pairsOf(one), pairsOf(other)];
  if (a.size === 0 || b.size === 0) return 0;
  return (2 * a.intersection(b).size) / (a.size + b.size);
}

/** A range in another unit, if both units are known. */
function rangeIn(range: Range, from: Unit | undefined, to: Unit | undefined): Range {
  if (!from || !to) return range;
  const [min, max] = [convert(range.min, from, to), convert(range.max, from, to)];
  return min === undefined || max === undefined ? range : { min, max };
}

/** The share of the shorter of two ranges that both have, from 0 to 1. */
function overlap(one: Range, other: Range): number {
  const shared = Math.min(one.max, other.max) - Math.max(one.min, other.min);
  const shorter = Math.min(one.max - one.min, other.max - other.min);
  if (shared < 0) return 0;
  return shorter === 0 ? 1 : shared / shorter;
}

/** How far two ranges are from each other in scale: 0 for the same highest value, 1 for a factor of ten. */
function scaleDistance(one: Range, other: Range): number {
  const size = ({ min, max }: Range) => Math.max(Math.abs(min), Math.abs(max));
  const [a, b] = [size(one), size(other)];
  return a === 0 || b === 0 ? 0 : Math.abs(Math.log10(a / b));
}

/** Channels of depths that a record can be of, the likeliest first; the last is sure only if the file is ordered by it. */
const depths = [depthPath, 'survey_depth', 'hole_depth'] as const;

const candidate = (column: FileColumn, unit: string | null, confidence: number, why: string): Candidate => ({
  column,
  path: depthPath,
  distance: Infinity,
  confidence,
  why,
  from: column.unit === null ? undefined : unitOf(column.unit, 'length'),
  to: unit === null ? undefined : unitOf(unit, 'length'),
});

const uploadFields = (fields: readonly DatasetField[]): UploadField[] =>
  fields
    .filter(({ path, types }) => !types.includes('object') && typeof parseTarget(path) !== 'string')
    .map(({ path, unit, description }) => ({ path, unit, description }));

const canBeVertical = ({ channels }: FileColumn): boolean =>
  channels.some(({ channel }) => isVerticalDepth(channel.name));

function depthCandidates(
  columns: readonly FileColumn[],
  unit: string | null,
  index: FileFacts['index'],
): Candidate[] {
  const vertical = verticalIndex(index);
  const numbers = columns.filter(({ isNumeric, key }) => isNumeric && key !== vertical);
  const isOrdering = ({ key }: FileColumn) => index?.kind === 'depth' && key === index.name;
  for (const [at, name] of depths.entries()) {
    const depthsOfName = numbers.filter(({ channel }) => channel?.channel.name === name && channel.isSure);
    if (depthsOfName.length === 0) continue;
    const inUnit = depthsOfName.filter(
      (column) =>
        unit !== null && column.unit !== null && unitOf(column.unit, 'length') === unitOf(unit, 'length'),
    );
    const indexColumn = depthsOfName.find(({ key }) => key === index?.name);
    const best =
      inUnit.length === 1
        ? inUnit[0]
        : (indexColumn ?? (depthsOfName.length === 1 ? depthsOfName[0] : undefined));
    return depthsOfName.map((column) =>
      candidate(
        column,
        unit,
        column === best && (at < depths.length - 1 || isOrdering(column)) ? 0.95 : 0.6,
        `${column.name} is ${name.replaceAll('_', ' ')}`,
      ),
    );
  }
  const ordering = numbers.find((column) => isOrdering(column) && !canBeVertical(column));
  return ordering ? [candidate(ordering, unit, 0.9, 'the file is ordered by it')] : [];
}

const timeNames: ReadonlySet<string> = new Set(['timestamp', 'datetime', 'time', 'date']);

function timeCandidates(
  columns: readonly FileColumn[],
  path: string,
  index: FileFacts['index'],
): Candidate[] {
  const times = columns.filter(({ type }) => type === 'time');
  const named = (column: FileColumn) => column.name.toLowerCase() === path;
  const indexColumn =
    times.find(named) ?? times.find(({ key }) => key === index?.name && index.kind === 'time');
  const best = indexColumn ?? (times.length === 1 ? times[0] : undefined);
  return times.map((column) => ({
    column,
    path,
    distance: Infinity,
    why: column === best && times.length === 1 ? 'the only column of times' : 'a column of times',
    confidence: column === best ? 0.95 : timeNames.has(column.name.toLowerCase()) ? 0.7 : 0.5,
    from: undefined,
    to: undefined,
  }));
}

/** The columns that order the records: depths or times, by the dataset's type. */
function matchIndex(
  columns: readonly FileColumn[],
  fields: readonly DatasetField[],
  type: DatasetType | null,
  index: FileFacts['index'],
): Candidate[] {
  const path = indexFieldOf(type);
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
function orderOf(file: InspectedFile, columns: readonly FileColumn[]): 'time' | 'depth' | null {
  if (file.index?.kind === 'other') return null;
  if (file.index) return file.index.kind === 'time' ? 'time' : 'depth';
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
): Omit<Proposals, 'requiresWell' | 'storedUnits'> {
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

/**
 * What a dataset says about new records: the units of its fields, and whether all sampled records have the well of their
 * type, although the type doesn't require it.
 */
export function expectedIn(
  { fields, sampled, problem }: DatasetFields,
  { type, statistics }: Pick<Dataset, 'type' | 'statistics'>,
): Pick<Proposals, 'storedUnits' | 'requiresWell'> {
  const path = scopeFieldOf(type);
  const { absent, nulls } = fields.find((field) => field.path === path) ?? {};
  const isSampled =
    sampled > 0 || statistics.count === 0 || (problem === undefined && statistics.count === null);
  return {
    storedUnits: storedUnitsOf(fields, isSampled),
    requiresWell: sampled > 0 && absent === 0 && nulls === 0,
  };
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
      const defining = getDataset(data, address, { signal: context.signal });
      const [file, read, definition, names] = await Promise.all([
        inspected(request, context),
        defining.then((typed) => readFields(data, { ...address, definition: typed }, context.signal)),
        defining,
        synonyms(),
      ]);
      return { ...propose(file, read.fields, definition.type, names), ...expectedIn(read, definition) };
    },
    async datasetsFor({ connection, ...request }, context) {
      const [file, names] = await Promise.all([inspected(request, context), synonyms()]);
      return datasetsFor(connections.services(connection).data, file, names, context.signal);
    },
  };
}
