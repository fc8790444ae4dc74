import { AppError } from '../../../../shared/errors/errors.ts';
import {
  isObject,
  parseJson,
  stringifyJson,
  valueAt,
  type JsonObject,
  type JsonValue,
} from '../../../../shared/json.ts';
import { fingerprint, pageRecords } from '../existing/fingerprint.ts';
import type { ExistingRecords } from '../existing/existing-records.ts';
import type { Prepared, PrepareRequest } from './prepare.ts';

type Path = readonly string[];

/** The paths of a record that are compared, and those that are queried by value. */
export interface FingerprintPaths {
  readonly paths: readonly Path[];
  readonly key: readonly Path[];
}

export interface FingerprintRowsRequest extends FingerprintPaths {
  readonly batch: Omit<PrepareRequest, 'body' | 'bytes'>;
  /** The path of the well in a record. */
  readonly scope: Path;
}

/** The fingerprints of a record of the file. */
export interface RowFingerprint {
  readonly line: number;
  /** Of all fields that were sent. */
  readonly print: string;
  /** Of the key alone. */
  readonly key: string;
  /** The values of the key; undefined where the record has none. */
  readonly values: readonly (JsonValue | undefined)[];
  /** Its well as text. */
  readonly well: string;
}

export interface FingerprintedRows {
  readonly sha256: string;
  readonly rows: RowFingerprint[];
  /** The sent field with the most distinct values that every record has; null: no field can be queried. */
  readonly telling: string[] | null;
}

const isDistinctive = (value: JsonValue | undefined): boolean =>
  typeof value === 'string' || (typeof value === 'number' && Number.isSafeInteger(value));

/** Fractions are excluded: services round them, and a query by value doesn't find a rounded one. */
function distinctivePath(records: readonly JsonObject[], paths: readonly Path[]): string[] | null {
  let best: { path: Path; distinct: number } | null = null;
  for (const path of paths) {
    const values = records.map((record) => valueAt(record, path));
    if (!values.every(isDistinctive)) continue;
    const distinct = new Set(values).size;
    if (!best || distinct > best.distinct) best = { path, distinct };
  }
  return best ? [...best.path] : null;
}

/**
 * Prepares a batch again and computes the fingerprints of its records. For worker threads. @throws AppError
 * file_changed
 */
export function fingerprintRows(
  prepare: (request: PrepareRequest) => Prepared,
  { batch, paths, key, scope }: FingerprintRowsRequest,
): FingerprintedRows {
  const { body, lines, sha256 } = prepare({ ...batch, body: true });
  const parsed = body ? parseJson(Buffer.from(body).toString()) : [];
  const records = Array.isArray(parsed) ? parsed.filter(isObject) : [];
  return {
    sha256,
    telling: distinctivePath(records, paths),
    rows: records.map((record, at) => ({
      line: lines[at] ?? 0,
      print: fingerprint(record, paths),
      key: fingerprint(record, key),
      values: key.map((path) => valueAt(record, path)),
      well: stringifyJson(valueAt(record, scope) ?? null),
    })),
  };
}

/** A record of the dataset. */
export interface FoundRecord {
  readonly id: string;
  readonly print: string;
  readonly key: string;
  /** Whether it existed before anything was sent. */
  readonly before: boolean;
}

/** Fingerprints of the records of a page, as the service sent it. For worker threads. @throws AppError bad_answer */
export function fingerprintPage(
  { text, paths, key }: FingerprintPaths & { readonly text: string },
  existing: Pick<ExistingRecords, 'hasId'> | null,
): FoundRecord[] {
  const wrong = (problem: string): AppError => new AppError('bad_answer', { service: 'data', problem });
  return Array.from(pageRecords(text), (record) => {
    const id = isObject(record) ? record['_id'] : undefined;
    if (!isObject(record) || typeof id !== 'string') throw wrong('a record has no _id');
    return {
      id,
      print: fingerprint(record, paths),
      key: fingerprint(record, key),
      before: existing?.hasId(id) ?? false,
    };
  });
}
