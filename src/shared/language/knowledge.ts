import type { Synonyms } from '../channels/channels.ts';
import { type Dataset, type DatasetType, indexFieldOf, scopeFieldOf } from '../datasets/datasets.ts';
import { envelopeFields, type DatasetField } from '../datasets/fields.ts';
import type { Well } from '../wells/wells.ts';
import type { ParameterValues } from './parameters.ts';
import { scalarOf } from './calls.ts';
import type { TreeNode } from './tree/tree.ts';

/**
 * The kind of an editor's text, which determines what is allowed: a query (or match), a sort, a group, a
 * projection, the list of all stages, one stage `{$match: …}`, or the value of a stage.
 */
export type TextKind = 'query' | 'sort' | 'group' | 'project' | 'stages' | 'stage' | `body:$${string}`;

export type KnownWell = Pick<Well, 'name' | 'assetId' | 'platformId'>;

/**
 * The context of a text; the only input of completion, hover, and lint. All of it may be empty; checks skip
 * what is unknown.
 */
export interface Knowledge {
  /** The dataset's type; null: unknown. */
  readonly type: DatasetType | null;
  /** The definition's indexes (specification, section 2.2); empty: sorts aren't checked. */
  readonly indexes: Dataset['indexes'];
  readonly fields: readonly DatasetField[];
  /** All wells of the connection, selected or not. */
  readonly wells: readonly KnownWell[];
  /** The values of parameters; the current time is read on demand. */
  readonly values: Omit<ParameterValues, 'now' | 'instructions'>;
  /** Names of channels that the user has added. */
  readonly synonyms: Synonyms;
  /** Names that the user gave to fields, by dotted path; absent: none. */
  readonly renamed?: Readonly<Record<string, string>> | undefined;
  /** For a sort: its query, whose conditions decide which index applies. For a group: its match. */
  readonly query?: string;
}

export const noKnowledge: Knowledge = {
  type: null,
  indexes: [],
  fields: [],
  wells: [],
  values: { wells: [], company: null, zone: 'UTC', answers: new Map() },
  synonyms: new Map(),
};

/** All known fields: those of the dataset, then further ones of its type. */
export function knownFields({ fields, type }: Knowledge): readonly DatasetField[] {
  const learnedPaths = new Set(fields.map(({ path }) => path));
  return [...fields, ...envelopeFields(type).filter(({ path }) => !learnedPaths.has(path))];
}

/** A field's rank in a list: scope and index fields, then data, then the rest. */
export function rankOf(path: string, type: DatasetType | null): number {
  if (path === scopeFieldOf(type)) return 0;
  if (path === indexFieldOf(type)) return 1;
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
