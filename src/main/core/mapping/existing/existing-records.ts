import { basename } from 'node:path';
import { isObject, parseJson, valueAt, type JsonObject } from '../../../../shared/json.ts';
import { writeError } from '../../files/file-errors.ts';
import { KnownIds, packIds } from './id-runs.ts';
import { fingerprint, type TimesAs, pageRecords } from './fingerprint.ts';
import { datasetShapes } from '../../../../shared/datasets/shapes.ts';
import type { DatasetType } from '../../../../shared/datasets/datasets.ts';
import { isInList, type Rules } from '../plan.ts';
import { readFileSync, writeFileSync } from '../../../world/files.ts';

/** The paths of records that are compared, and those that identify well and index. */
export interface Comparison {
  /** All paths that the rows of the file fill. */
  readonly paths: readonly (readonly string[])[];
  /** Well and index; empty where the dataset has no index. */
  readonly key: readonly (readonly string[])[];
  /** The path by which pages are split; null: none. */
  readonly index: readonly string[] | null;
}

/** Whether a row is in the dataset: `there`, `new`, or it `differs` from a record of the same well and index. */
export type ExistingState = 'there' | 'differs' | 'new';

/** The result of adding a page of records. */
export interface PageRead {
  readonly records: number;
  /** Records that were not on an earlier page. */
  readonly newRecords: number;
  /** The last value of the index, and the number of records with it. */
  readonly last: number | null;
  readonly atLast: number;
}

/**
 * The records of a dataset from before the first row was sent, as a multiset of fingerprints: each record can match one
 * row of the file.
 */
export class ExistingRecords {
  readonly #comparison: Comparison;
  readonly #counts = new Map<string, number>();
  readonly #keys = new Set<string>();
  /** Ids of all existing records: none of these can be a row that this job sent. */
  readonly #ids = new KnownIds();
  /** Ids of the records with the last value of the index: they can be repeated on the next page. */
  #lastIds = new Set<string>();
  #last: number | null = null;
  #times: TimesAs = 'instants';

  constructor(comparison: Comparison) {
    this.#comparison = comparison;
  }

  get isEmpty(): boolean {
    return this.#counts.size === 0;
  }

  /**
   * Adds a page of records.
   * @param text JSON of the page, as the service sent it
   * @throws AppError `bad_answer` if it isn’t a list of records
   */
  addPage(text: string): PageRead {
    let records = 0;
    let newRecords = 0;
    const ids: string[] = [];
    for (const record of pageRecords(text)) {
      records++;
      if (!isObject(record) || this.#isRepeated(record)) continue;
      newRecords++;
      if (typeof record['_id'] === 'string') ids.push(record['_id']);
      this.#count(this.#fingerprint(record, this.#comparison.paths), 1);
      if (this.#comparison.key.length > 0) this.#keys.add(this.#fingerprint(record, this.#comparison.key));
    }
    this.#ids.add(packIds(ids));
    return { records, newRecords, last: this.#last, atLast: this.#lastIds.size };
  }

  /** Whether the record with this id existed before the upload. */
  hasId(id: string): boolean {
    return this.#ids.has(id);
  }

  /** Whether the record was on an earlier page. A record without an id counts as new. */
  #isRepeated(record: JsonObject): boolean {
    const { index } = this.#comparison;
    const id = record['_id'];
    const value = index ? valueAt(record, index) : null;
    if (typeof id !== 'string') return false;
    if (typeof value !== 'number') return this.#ids.has(id);
    if (value !== this.#last) {
      this.#last = value;
      this.#lastIds = new Set();
    }
    if (this.#lastIds.has(id)) return true;
    this.#lastIds.add(id);
    return false;
  }

  #fingerprint(record: JsonObject, paths: Comparison['paths']): string {
    return fingerprint(record, paths, this.#times);
  }

  #count(key: string, change: number): void {
    const count = (this.#counts.get(key) ?? 0) + change;
    if (count > 0) this.#counts.set(key, count);
    else this.#counts.delete(key);
  }

  /** Whether a row equals an existing record; each record matches one row only. @throws SyntaxError if it isn’t JSON */
  take(record: string): ExistingState {
    if (this.isEmpty) return 'new';
    const parsed = parseJson(record);
    if (!isObject(parsed)) return 'new';
    const key = this.#fingerprint(parsed, this.#comparison.paths);
    if (this.#counts.has(key)) {
      this.#count(key, -1);
      return 'there';
    }
    return this.#keys.size > 0 && this.#keys.has(this.#fingerprint(parsed, this.#comparison.key))
      ? 'differs'
      : 'new';
  }

  /** Writes the multiset to a file for a later run of the job. @throws AppError `disk_full`, `file_unwritable` */
  save(path: string): void {
    const lines = [...this.#counts].map(([key, count]) => `${key} ${count}`);
    const keys = [...this.#keys].map((key) => `key ${key}`);
    const ids = [...this.#ids.runs()].map(([first, count]) => `id ${encodeURIComponent(first)} ${count}`);
    try {
      writeFileSync(path, [`times ${this.#times}`, ...lines, ...keys, ...ids, ''].join('\n'), {
        mode: 0o600,
        flush: true,
      });
    } catch (cause) {
      throw writeError(cause, basename(path), 0);
    }
  }

  /** Reads the file that {@link save} wrote, also one of a version that compared times in text as text. */
  load(path: string): void {
    this.#times = 'text';
    for (const line of readFileSync(path, 'latin1').split('\n')) {
      const [first = '', second = '', third = ''] = line.split(' ');
      if (first === 'times') this.#times = second === 'instants' ? 'instants' : 'text';
      else if (first === 'key') this.#keys.add(second);
      else if (first === 'id') this.#ids.add([[decodeURIComponent(second), Number(third)]]);
      else if (first !== '') this.#count(first, Number(second));
    }
  }
}

const nameOf = (path: readonly string[]): string => path.join('.');

/** The fields of a record that are compared: those that the rules fill, because the service adds its own. */
export function comparisonOf({ columns, constants, fold }: Rules, type: DatasetType | null): Comparison {
  const filled = new Map(
    [...columns, ...constants]
      .map(({ path }) => (fold && isInList(path, fold) ? fold.into : path))
      .map((path) => [nameOf(path), path]),
  );
  const shape = type === null ? null : datasetShapes[type];
  const numericIndex =
    shape?.indexField === 'timestamp' || shape?.indexField === 'measured_depth' ? shape.indexField : null;
  const index = numericIndex !== null && filled.has(numericIndex) ? [numericIndex] : null;
  const key = index
    ? [[...(shape?.scopeField.split('.') ?? [])], index, ...(shape?.indexScope ? [[shape.indexScope]] : [])]
    : [];
  return { paths: [...filled.values()].sort((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1)), key, index };
}
