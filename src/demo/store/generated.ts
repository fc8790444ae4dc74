import type { JsonObject } from '../../shared/json.ts';
import { stringifyJson } from '../../shared/json.ts';
import type { Run, Scope } from './run.ts';
import type { Key } from './values.ts';

/** How the rows of a generated run are computed. Keys ascend; the same row is always the same record. */
export interface Recipe {
  readonly scope: Scope;
  readonly length: number;
  /** The first twelve hex digits of the ids of this run, unique to it. */
  readonly idPrefix: string;
  key(row: number): Key;
  /** The record with the given id. */
  make(id: string, row: number): JsonObject;
  /** Whether records can contain integers beyond 2^53, which are slower to serialize. */
  readonly exact?: boolean;
}

/**
 * Rows of the sample. They are computed from the seed on demand and behave as if stored: two million of them take no
 * memory except their keys.
 */
export function generatedRun(recipe: Recipe): Run {
  const id = (row: number): string => recipe.idPrefix + row.toString(16).padStart(12, '0');
  const record = (row: number): JsonObject => recipe.make(id(row), row);
  return {
    scope: recipe.scope,
    length: recipe.length,
    key: (row) => recipe.key(row),
    id,
    record,
    text: (row) => (recipe.exact ? stringifyJson(record(row)) : JSON.stringify(record(row))),
    ordinal: () => -1,
  };
}
