import { datasetShapes, scopeFieldOf } from '../../../../shared/datasets/shapes.ts';
import type { DatasetType } from '../../../../shared/datasets/datasets.ts';
import { AppError } from '../../../../shared/errors/errors.ts';
import { instantNotations } from '../../../../shared/instants.ts';
import { maxOf } from '../../../../shared/lists.ts';
import type { JsonObject, JsonValue } from '../../../../shared/json.ts';
import { findInPages } from '../../../core/reading/reading.ts';
import type { CallOptions, DataService } from '../../../core/wire/services/services.ts';
import {
  comparisonOf,
  type RowFingerprint,
  type FoundRecord,
  type CsvThread,
  type UploadPlan,
} from '../../../core/mapping/mapping.ts';
import { placesOf, type BatchEntry, type Part } from '../ledger/entries.ts';
import { firstPageSize, nextPageSize, fieldsOf } from './read-existing.ts';

type Path = readonly string[];
/** The paths by which rows are queried together; an empty key means the whole dataset. */
export type Key = readonly Path[];

/** Maximum number of values in a query. */
const valuesPerQuery = 300;
const maxRecords = 200_000;

/**
 * The keys by which to query rows, the narrowest first. A filter by text may not match stored dates, so time series
 * have a second one.
 * @param distinctPath the path with the most distinct values; null: none
 */
export function keysFor(type: DatasetType | null, distinctPath: Path | null): readonly [Key, ...Key[]] {
  const shape = type && datasetShapes[type];
  if (!shape?.indexField) return distinctPath ? [[distinctPath], []] : [[]];
  const scope = shape.scopeField.split('.');
  const index = [...(shape.indexScope ? [[shape.indexScope]] : []), [shape.indexField]];
  return type === 'timeseries' ? [[scope, ...index], [scope]] : [[scope, ...index]];
}

type Scalar = string | number | bigint | boolean;
const isScalar = (value: JsonValue | undefined): value is Scalar =>
  value !== undefined && value !== null && typeof value !== 'object';

/** The values by which a stored value of a row is found. A service may store a time in a notation of its own. */
const storedForms = (value: Scalar): Scalar[] =>
  typeof value === 'string' ? instantNotations(value) : [value];

function rowsPerQuery(key: Key, rows: readonly Pick<RowFingerprint, 'values'>[]): number {
  if (key.length === 0) return Number.MAX_SAFE_INTEGER;
  const forms = rows.flatMap(({ values }) =>
    values.filter(isScalar).map((value) => storedForms(value).length),
  );
  return Math.ceil(valuesPerQuery / Math.max(1, maxOf(forms)));
}

/** The query for rows with these keys; a path without a value in a row is omitted. */
function queryFor(key: Key, rows: readonly Pick<RowFingerprint, 'values'>[]): JsonObject {
  const query: JsonObject = {};
  key.forEach((path, at) => {
    const values = rows.map((row) => row.values[at]);
    if (!values.every(isScalar)) return;
    const forms = new Set(values.flatMap(storedForms));
    const [only] = forms;
    query[path.join('.')] = forms.size === 1 && only !== undefined ? only : { $in: [...forms] };
  });
  return query;
}

/** Rows that every read must show to be as fresh as their batch, and whether a read shows them. */
export interface FreshnessCheck {
  readonly rows: readonly RowFingerprint[];
  readonly isShown: (foundRecords: readonly FoundRecord[]) => boolean;
}

/** The rows of batches on both sides: in the file, and as records in the dataset. */
export class RowSearch {
  readonly #plan: UploadPlan;
  readonly #thread: CsvThread;
  readonly #data: Pick<DataService, 'find' | 'pageSizes'>;
  readonly #options: CallOptions;
  readonly #paths: ReturnType<typeof comparisonOf>['paths'];
  readonly #scope: Path;

  constructor(
    plan: UploadPlan,
    thread: CsvThread,
    data: Pick<DataService, 'find' | 'pageSizes'>,
    options: CallOptions,
  ) {
    this.#plan = plan;
    this.#thread = thread;
    this.#data = data;
    this.#options = options;
    const { rules, type } = plan;
    this.#paths = comparisonOf(rules, type).paths;
    this.#scope = scopeFieldOf(type).split('.');
  }

  /** The rows of a batch, prepared again from the file. @throws AppError file_changed */
  async rowsOf(
    entry: BatchEntry,
    key: Key,
  ): Promise<Awaited<ReturnType<CsvThread['calls']['fingerprintRows']>>> {
    const { from: byte, line, row, rows, skipped, sha256 } = entry;
    const fingerprinted = await this.#thread.calls.fingerprintRows({
      batch: { byte, line, row, rows, skipped },
      paths: this.#paths,
      key,
      scope: this.#scope,
    });
    if (fingerprinted.sha256 !== sha256) throw new AppError('file_changed', { file: this.#plan.fileName });
    return fingerprinted;
  }

  /** The rows of a part of a batch, with their indexes. @throws AppError file_changed */
  async rowsOfPart(
    { entry, part }: { readonly entry: BatchEntry; readonly part: Part },
    key: Key,
  ): Promise<{ readonly place: number; readonly row: RowFingerprint }[]> {
    const { rows } = await this.rowsOf(entry, key);
    const places = new Set(placesOf(part));
    return rows.flatMap((row, place) => (places.has(place) ? [{ place, row }] : []));
  }

  /** Whether all records of a batch have one well and one company. */
  async areOfOneWell(entry: BatchEntry): Promise<boolean> {
    if (this.#plan.rules.columns.some(({ path }) => path.at(-1) === 'company_id')) return false;
    const { rows } = await this.rowsOf(entry, []);
    return new Set(rows.map(({ well }) => well)).size === 1;
  }

  /**
   * The key by which each row of a batch can be confused with another: well and index, or all values if the dataset has
   * no index.
   */
  async marksOf(entry: BatchEntry): Promise<readonly string[]> {
    const [key] = keysFor(this.#plan.type, null);
    const { rows } = await this.rowsOf(entry, key);
    return rows.map((row) => (key.length > 0 ? row.key : row.fingerprint));
  }

  /**
   * Reads once the records with the keys of these rows. The check rows are queried together with each group: a row
   * missing from another read proves nothing.
   * @returns the records, and whether every read passed the check
   * @throws AppError of the reads; bad_answer if there are too many records
   */
  async find(
    key: Key,
    rows: readonly RowFingerprint[],
    check: FreshnessCheck,
  ): Promise<{ foundRecords: FoundRecord[]; isFresh: boolean }> {
    const wanted = new Set([...rows, ...check.rows].map((row) => row.key));
    const step = rowsPerQuery(key, rows);
    const foundRecords = new Map<string, FoundRecord>();
    let isFresh = true;
    for (let at = 0; at < rows.length; at += step) {
      const query = queryFor(key, [...rows.slice(at, at + step), ...check.rows]);
      const seen = await this.#readAll(query, key);
      isFresh &&= check.isShown(seen);
      for (const foundRecord of seen)
        if (wanted.has(foundRecord.key)) foundRecords.set(foundRecord.id, foundRecord);
    }
    return { foundRecords: [...foundRecords.values()], isFresh };
  }

  /** All pages of a query. The last page is one without new records; a short page isn't necessarily the last. */
  async #readAll(query: JsonObject, key: Key): Promise<FoundRecord[]> {
    const paths = { paths: this.#paths, key };
    const all = new Map<string, FoundRecord>();
    const fields = fieldsOf({ ...paths, index: null });
    const last = key.at(-1)?.join('.');
    const sort: JsonObject = last === undefined ? { _id: 1 } : { [last]: 1, _id: 1 };
    let limit = firstPageSize(this.#plan.rules);
    for (let skip = 0; ;) {
      const page = await findInPages(
        this.#data,
        this.#plan.address,
        { query, sort, limit, skip, fields, includeCount: true },
        this.#options,
      );
      const before = all.size;
      for (const foundRecord of await this.#thread.calls.fingerprintPage({ ...paths, text: page.text }))
        all.set(foundRecord.id, foundRecord);
      limit = nextPageSize(page.text.length, page.count);
      skip += page.count;
      if (Math.max(all.size, page.total ?? 0) > maxRecords)
        throw new AppError('bad_answer', {
          service: 'data',
          problem: `more than ${maxRecords} existing records match the range of the rows`,
        });
      if (page.count === 0 || all.size === before || (page.total !== null && skip >= page.total))
        return [...all.values()];
    }
  }
}
