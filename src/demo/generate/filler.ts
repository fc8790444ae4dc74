import type { JsonObject } from '../../shared/json.ts';
import type { Dataset } from '../data/dataset.ts';
import type { Well } from '../platform/world.ts';
import { generatedRun } from '../store/generated.ts';
import type { Key } from '../store/values.ts';

/** What is the same in the envelopes of a well's records in one dataset. */
export interface Owner {
  readonly company: number;
  readonly asset: number;
  readonly provider: string;
  readonly collection: string;
}

/** What a run of records of one well is made of. */
export interface Part {
  readonly dataset: Dataset;
  readonly well: Well;
  readonly rows: number;
  /** What else is the same in all of its records, beside company and asset. */
  readonly scope?: JsonObject;
  /** Whether records may hold integers beyond 2^53. */
  readonly exact?: boolean;
  readonly key: (row: number) => Key;
  /** Makes a whole record; as one literal, since millions may be made for a single request. */
  readonly record: (id: string, row: number, owner: Owner) => JsonObject;
}

/** Adds runs to datasets, and gives each run ids of its own. */
export class Filler {
  readonly #runs = new Map<Dataset, number>();

  add({ dataset, well, rows, scope, exact, key, record }: Part): void {
    if (rows <= 0) return;
    const run = this.#runs.get(dataset) ?? 0;
    this.#runs.set(dataset, run + 1);
    const { companyId: company, assetId: asset } = well;
    const owner: Owner = { company, asset, provider: dataset.provider, collection: dataset.name };
    const ids = { company_id: company, asset_id: asset };
    dataset.collection.addGenerated(
      generatedRun({
        scope: dataset.type === 'timeseries' ? { company_id: company, metadata: ids } : { ...ids, ...scope },
        length: rows,
        idPrefix: `66f0${dataset.id.toString(16).padStart(2, '0')}${run.toString(16).padStart(6, '0')}`,
        exact: exact ?? false,
        key,
        make: (id, row) => record(id, row, owner),
      }),
    );
  }
}
