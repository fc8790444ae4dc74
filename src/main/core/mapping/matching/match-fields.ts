import {
  channelOf,
  channelsOf,
  normalizedName,
  type ChannelMatch,
  type Synonyms,
} from '../../../../shared/channels/channels.ts';
import { columnUnit, headerParts } from '../../../../shared/channels/header.ts';
import {
  factorOf,
  likelyUnitOf,
  quantitiesOf,
  unitOf,
  unitPair,
  convert,
  type Unit,
} from '../../../../shared/channels/units.ts';
import type { DatasetField } from '../../../../shared/datasets/fields.ts';
import { isSure, type FieldMatch } from '../../../../shared/upload/proposals.ts';
import { isNullOfFiles } from '../../../../shared/upload/null-tokens.ts';
import type { Inspection } from '../../../../shared/upload/upload.ts';

type Inspected = Inspection['columns'][number];

/** A column of a file with what its name means. */
export interface FileColumn {
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

/** The columns of an inspected file. */
export const fileColumns = ({ columns }: Pick<Inspection, 'columns'>, synonyms: Synonyms): FileColumn[] =>
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

/** A field of a dataset with what its name means. */
export interface TargetField {
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
export const targetFields = (fields: readonly DatasetField[], synonyms: Synonyms): TargetField[] =>
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
export interface Candidate {
  readonly column: FileColumn;
  readonly field: TargetField;
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
  const candidate = { column, field, ...unitsOf(column, field), ...likeness };
  const weaker = (most: number, but: string): Candidate => ({
    ...candidate,
    confidence: Math.min(most, likeness.confidence),
    why: `${likeness.why}, but ${but}`,
  });
  if (unitsConflict(column, field)) return weaker(0.3, `its unit is ${column.unit ?? ''}`);
  if (isSameName || (candidate.from && candidate.to) || !column.range || !field.range) return candidate;
  return scaleDistance(column.range, field.range) > maxScaleDistance
    ? weaker(0.6, 'its values have another scale')
    : candidate;
}

/** Fit of the units of a candidate: the same, convertible, unknown. */
const unitRank = ({ from, to }: Candidate): number => (from && to ? (from === to ? 2 : 1) : 0);

/** The best of several columns for one field; null: none of them is better than the others. */
function bestOf(candidates: readonly Candidate[]): Candidate | null {
  const sorted = candidates.toSorted((a, b) => unitRank(b) - unitRank(a) || b.confidence - a.confidence);
  const [first, second] = sorted;
  if (!first || !second) return first ?? null;
  if (unitRank(first) > unitRank(second) || first.confidence > second.confidence) return first;
  const tied = sorted.filter(
    (rival) => unitRank(rival) === unitRank(first) && rival.confidence === first.confidence,
  );
  const distance = ({ column, field }: Candidate) =>
    column.range && field.range ? scaleDistance(column.range, field.range) : Infinity;
  const [near, next] = tied.toSorted((a, b) => distance(a) - distance(b));
  return near && next && distance(next) - distance(near) > 1 ? near : null;
}

/** Columns compete for a field, and fields for a column: only one pair stays sure. */
function settled(all: readonly Candidate[]): Candidate[] {
  const winners = new Set<Candidate>();
  for (const rivals of Map.groupBy(all.filter(isSure), ({ field }) => field).values()) {
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
      : { ...proposal, confidence: 0.8, why: `${proposal.why}; other columns or fields fit too` },
  );
}

/** A candidate in the form of the contract. */
export function toMatch({ field, confidence, why, from, to }: Candidate): FieldMatch {
  const factor = from && to && from !== to ? factorOf(from, to) : undefined;
  return {
    field: field.path,
    why,
    confidence: Math.round(confidence * 100) / 100,
    unit: from?.symbol ?? null,
    fieldUnit: to?.symbol ?? null,
    factor: factor ?? null,
  };
}

/** All fields that columns may belong to, each with its confidence after columns and fields have competed. */
export const matchFields = (columns: readonly FileColumn[], fields: readonly TargetField[]): Candidate[] =>
  settled(columns.flatMap((column) => fields.flatMap((field) => judge(column, field) ?? [])));

/** The lowest and highest number of a column or field. */
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
