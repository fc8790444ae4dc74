import { headerParts } from '../../../../shared/channels/header.ts';
import type { Synonyms } from '../../../../shared/channels/channels.ts';
import type { DatasetType } from '../../../../shared/datasets/datasets.ts';
import { timeFieldOf } from '../../../../shared/datasets/shapes.ts';
import type { DatasetField } from '../../../../shared/datasets/fields.ts';
import { isSure, type Proposals } from '../../../../shared/upload/proposals.ts';
import type { Inspection } from '../../../../shared/upload/upload.ts';
import {
  fileColumns,
  matchFields,
  targetFields,
  toMatch,
  type Candidate,
  type FileColumn,
} from './match-fields.ts';
import { matchIndex, uploadFields } from './match-index.ts';

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
