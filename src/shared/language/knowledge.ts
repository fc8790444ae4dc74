import type { Synonyms } from '../channels/channels.ts';
import type { Dataset, DatasetType } from '../datasets/datasets.ts';
import type { DatasetField } from '../datasets/fields.ts';
import type { Well } from '../wells/wells.ts';
import type { ParameterValues } from './parameters.ts';

/**
 * The kind of an editor's text, which determines what is allowed: a query (or match), a sort, a group, a
 * projection, the list of all stages, one stage `{$match: …}`, or the value of a stage.
 */
export type TextKind = 'query' | 'sort' | 'group' | 'project' | 'stages' | 'stage' | `body:$${string}`;

/** A well, as far as the editor needs it. */
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

/** An empty context. */
export const noKnowledge: Knowledge = {
  type: null,
  indexes: [],
  fields: [],
  wells: [],
  values: { wells: [], company: null, zone: 'UTC', answers: new Map() },
  synonyms: new Map(),
};
