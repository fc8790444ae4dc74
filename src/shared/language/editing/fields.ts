import type { DatasetType } from '../../datasets/datasets.ts';
import { datasetShapes } from '../../datasets/shapes.ts';
import type { DatasetField } from '../../datasets/fields.ts';
import type { Knowledge } from '../knowledge.ts';
import { scalarOf } from '../tree/scalars.ts';
import type { TreeNode } from '../tree/tree.ts';

const of = (path: string, type: DatasetField['types'][number], description: string): DatasetField => ({
  path,
  from: 'type',
  types: [type],
  description,
});

// The envelope of every record (specification, section 2.1); fields of the dataset come first.
const envelope: readonly DatasetField[] = [
  of('asset_id', 'integer', 'Asset ID of the well.'),
  of('company_id', 'integer', 'Company that owns the record.'),
  of('_id', 'string', 'Record ID.'),
  of('version', 'integer', 'Record version.'),
];
const ofType: Record<DatasetType, readonly DatasetField[]> = {
  time: [of('timestamp', 'integer', 'Time in Unix milliseconds.')],
  depth: [
    of('measured_depth', 'number', 'Measured depth along the wellbore.'),
    of('log_identifier', 'string', 'Which log.'),
  ],
  timeseries: [
    of('datetime', 'date', 'Time as ISO 8601 text.'),
    of('metadata.asset_id', 'integer', 'Asset ID of the well.'),
    of('metadata.company_id', 'integer', 'Company that owns the record.'),
  ],
  reference: [],
};

/** All known fields: those of the dataset, then further ones of its type. */
export function knownFields({ fields, type }: Knowledge): readonly DatasetField[] {
  const learnedPaths = new Set(fields.map(({ path }) => path));
  const more = [...(type === null ? [] : ofType[type]), ...envelope].filter(
    ({ path }) => !learnedPaths.has(path),
  );
  return [...fields, ...more];
}

/** A field's rank in a list: scope and index fields, then data, then the rest. */
export function rankOf(path: string, type: DatasetType | null): number {
  if (type !== null) {
    const { scopeField, indexField } = datasetShapes[type];
    if (path === scopeField) return 0;
    if (path === indexField) return 1;
  } else if (path === 'asset_id') return 0;
  return path.startsWith('data.') ? 2 : 3;
}

/** Type and unit of a field in a few words. */
export function describeType({ types, unit }: DatasetField): string {
  return [types.filter((type) => type !== 'null').join(' or '), unit].filter(Boolean).join(', ');
}

/** The field name in a name or path: `"$a"` is a. */
export function writtenName(text: string, node: TreeNode): string | undefined {
  const value = scalarOf(text, node);
  return value?.kind === 'text' ? value.value.replace(/^\$+/, '') : undefined;
}
