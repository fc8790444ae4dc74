import { datasetShapes, depthPath } from '../../../../shared/datasets/shapes.ts';
import type { DatasetType } from '../../../../shared/datasets/datasets.ts';
import type { FileFacts } from '../../../../shared/upload/formats.ts';
import type { DatasetField } from '../../../../shared/datasets/fields.ts';
import { unitOf } from '../../../../shared/channels/units.ts';
import type { UploadField } from '../../../../shared/upload/proposals.ts';
import { parseTarget } from '../../tables/model/targets.ts';
import { type Candidate, type FileColumn, type TargetField } from './match-fields.ts';

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
