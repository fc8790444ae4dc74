import type { JsonObject } from '../../shared/json.ts';
import type { Dataset } from '../data/dataset.ts';
import type { Well } from '../platform/world.ts';
import type { Key } from '../store/values.ts';

/** The values that a well's records in one dataset share. */
export interface Owner {
  readonly company: number;
  readonly asset: number;
  readonly provider: string;
  readonly collection: string;
}

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
  /** Builds a whole record, as one literal: a single request may need millions. */
  readonly record: (id: string, row: number, owner: Owner) => JsonObject;
}

/** Adds runs to datasets, and gives each run its own ids. */
export class Filler {
  readonly #runs = new Map<Dataset, number>();

  add({ dataset, well, rows, scope, exact, key, record }: Part): void {
    if (rows <= 0) return;
    const run = this.#runs.get(dataset) ?? 0;
    this.#runs.set(dataset, run + 1);
    const { companyId: company, assetId: asset } = well;
    const owner: Owner = { company, asset, provider: dataset.provider, collection: dataset.name };
    const ids = { company_id: company, asset_id: asset };
    dataset.collection.addGenerated({
      scope: dataset.type === 'timeseries' ? { company_id: company, metadata: ids } : { ...ids, ...scope },
      length: rows,
      idPrefix: `66f0${dataset.id.toString(16).padStart(2, '0')}${run.toString(16).padStart(6, '0')}`,
      exact: exact ?? false,
      key,
      make: (id, row) => record(id, row, owner),
    });
  }
}
