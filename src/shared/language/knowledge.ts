import type { Dataset, DatasetType } from '../datasets/datasets.ts';
import type { DatasetField } from '../datasets/fields.ts';
import type { Well } from '../wells/wells.ts';
import type { ParameterValues } from './parameters.ts';

/**
 * What a text of the editor is, so that it is known what may stand where: a query (or match), a sort, a group, a
 * projection, the list of all stages, one whole stage `{$match: …}`, or what stands behind a stage's name.
 */
export type TextKind = 'query' | 'sort' | 'group' | 'project' | 'stages' | 'stage' | `body:$${string}`;

/** A well as far as the editor needs to know it. */
export type KnownWell = Pick<Well, 'name' | 'assetId' | 'platformId'>;

/**
 * What is known where a text is typed: completion, hover and lint read nothing else. All of it may be empty; what is
 * not known is not judged.
 */
export interface Knowledge {
  /** The dataset's type; null: not known. */
  readonly type: DatasetType | null;
  /** The definition's indexes (specification, section 2.2); empty: nothing is said of sorts. */
  readonly indexes: Dataset['indexes'];
  readonly fields: readonly DatasetField[];
  /** All wells of the connection, not only the chosen ones. */
  readonly wells: readonly KnownWell[];
  /** What parameters come to; the present moment is taken when it is asked for. */
  readonly values: Omit<ParameterValues, 'now' | 'ways'>;
  /** For a sort: the query beside it, whose conditions decide which index serves. */
  readonly query?: string;
}

/** Knowing nothing. */
export const knowingNothing: Knowledge = {
  type: null,
  indexes: [],
  fields: [],
  wells: [],
  values: { wells: [], company: null, zone: 'UTC', answers: new Map() },
};
