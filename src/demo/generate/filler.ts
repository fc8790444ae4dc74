import type { JsonObject } from '../../shared/json.ts';
import type { Dataset } from '../data/dataset.ts';
import type { Well } from '../platform/world.ts';
import type { Key } from '../store/values.ts';

/** The values and the row generator for a run of records of one well. */
export interface Part {
  readonly dataset: Dataset;
  readonly well: Well;
  readonly rows: number;
  /** Further values that all of its records share, beside company and asset. */
  readonly scope?: JsonObject;
  /** Whether records can contain integers beyond 2^53. */
  readonly exact?: boolean;
  readonly key: (row: number) => Key;
  /** The values of a record that not all records of the well share. */
  readonly record: (row: number) => JsonObject;
}

/** Adds runs to datasets, and gives each run its own ids. */
export class Filler {
  readonly #runs = new Map<Dataset, number>();

  add({ dataset, well, rows, scope, exact, key, record }: Part): void {
    if (rows <= 0) return;
    const run = this.#runs.get(dataset) ?? 0;
    this.#runs.set(dataset, run + 1);
    const isSeries = dataset.type === 'timeseries';
    const company = { company_id: well.companyId };
    const ids = { ...company, asset_id: well.assetId };
    const shared = {
      ...(isSeries ? company : ids),
      version: 1,
      provider: dataset.provider,
      collection: dataset.name,
    };
    dataset.collection.addGenerated({
      scope: isSeries ? { ...company, metadata: ids } : { ...ids, ...scope },
      length: rows,
      idPrefix: `66f0${dataset.id.toString(16).padStart(2, '0')}${run.toString(16).padStart(6, '0')}`,
      exact: exact ?? false,
      key,
      make: (_id, row) => ({ _id, ...shared, ...record(row) }),
    });
  }
}

/** Splits a total by weights into whole parts that add up to it exactly. */
export function split(total: number, weights: readonly number[]): number[] {
  const sum = weights.reduce((a, b) => a + b, 0);
  let assigned = 0;
  let weight = 0;
  return weights.map((part) => {
    weight += part;
    const until = sum === 0 ? 0 : Math.round((total * weight) / sum);
    const mine = until - assigned;
    assigned = until;
    return mine;
  });
}
