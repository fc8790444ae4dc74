import { toAppError, type AppError } from '../../../../shared/errors/errors.ts';
import { stringifyJson } from '../../../../shared/json.ts';
import { append } from '../../../../shared/lists.ts';
import type { DatasetType } from '../../../../shared/datasets/datasets.ts';
import type { UnknownPart } from '../ledger/batch.ts';
import type { AckedPart, UploadLedger } from '../ledger/ledger.ts';
import { unpackIds, type RowFingerprint, type FoundRecord } from '../../../core/mapping/mapping.ts';
import { isWorthReading, judgePart, type MissingRow, type PartRead, type Verdict } from './policy.ts';
import { matchRows, type Match, type UnknownRows } from './match.ts';
import { keysFor, type FreshnessCheck, type Key, type RowSearch } from './row-search.ts';

/** Maximum number of reads until two agree, and until a read shows an acked batch. */
const maxReads = 4;
/** Number of rows of the last acked batch that each read must show. */
const freshnessRows = 5;

/** The result of reconciling an unknown part. */
export interface Settlement {
  readonly unknown: UnknownPart;
  readonly match: Match;
  readonly missing: readonly MissingRow[];
  readonly verdict: Exclude<Verdict, 'open'>;
}

/** At least one. */
type UnknownParts = readonly [UnknownPart, ...UnknownPart[]];

interface Part extends UnknownRows {
  readonly unknown: UnknownPart;
}

/** Errors of reading itself: they settle nothing. */
const isOfReading = (error: AppError): boolean =>
  error.is('forbidden') ||
  error.is('not_found') ||
  error.is('refused') ||
  error.is('bad_answer') ||
  error.is('service_failed') ||
  error.is('unreachable') ||
  error.is('timed_out') ||
  error.is('too_large') ||
  error.is('too_many_requests');

/** Stored rows that were compared with the dataset, and how many of them another upload stored too. */
export interface StoredTwice {
  readonly compared: number;
  readonly twice: number;
  /** The well and the time or depth of one of those, as the filter of a query. */
  readonly filter: string;
}

/** Maximum number of rows of a part that are compared: those of two parts fit into one query. */
const comparedRows = 15;

/** Rows of a part, evenly spread. */
function sampleOf<T>(rows: readonly T[]): readonly T[] {
  const step = rows.length / comparedRows;
  return step <= 1 ? rows : rows.filter((_, at) => Math.floor(at / step) !== Math.floor((at - 1) / step));
}

/**
 * Compares rows of a complete upload, of its largest and of its last part, with the dataset, by one query. A record with the values
 * of a row that was neither there before nor stored by this upload is that of another upload of the same rows meanwhile.
 * @returns null: nothing can be said
 * @throws AppError as reconciling
 */
export async function findStoredTwice(
  search: RowSearch,
  ledger: UploadLedger,
  type: DatasetType | null,
): Promise<StoredTwice | null> {
  const [key] = keysFor(type, null);
  const { lastStored, maxStored, isAccounted, knownIds } = ledger;
  if (!isAccounted || !lastStored || !maxStored || key.length === 0 || ledger.read().unknown > 0) return null;
  const rows: RowFingerprint[] = [];
  for (const stored of new Set([maxStored, lastStored])) {
    const partRows = await search.rowsOfPart(stored, key);
    append(rows, sampleOf(partRows.map(({ row }) => row)));
  }
  const { foundRecords } = await search.find(key, rows, { rows: [], isShown: () => true });
  const foreignRecords = foundRecords.filter(({ id, before }) => !before && !knownIds.has(id));
  const fingerprints = new Set(foreignRecords.map(({ fingerprint }) => fingerprint));
  const repeatedRows = rows.filter(({ fingerprint }) => fingerprints.has(fingerprint));
  const example = repeatedRows[0]?.values.flatMap((value, at) =>
    value === undefined ? [] : [`${JSON.stringify(key[at]?.join('.'))}: ${stringifyJson(value)}`],
  );
  return { compared: rows.length, twice: repeatedRows.length, filter: `{ ${(example ?? []).join(', ')} }` };
}

/**
 * Determines by reading which rows of unknown parts are stored. No request may be in flight meanwhile: then every
 * record that is not accounted for belongs to an unknown part, or to somebody else.
 */
export class Reconciler {
  readonly #search: RowSearch;
  readonly #ledger: UploadLedger;
  readonly #type: DatasetType | null;
  readonly #waitForNextRead: () => Promise<void>;
  /** Keys that are not seen may be found later, when reads no longer lag behind. */
  #proof: { readonly of: AckedPart; readonly key: Key | null; readonly notSeen: readonly Key[] } | null =
    null;

  constructor(
    search: RowSearch,
    ledger: UploadLedger,
    type: DatasetType | null,
    waitForNextRead: () => Promise<void>,
  ) {
    this.#search = search;
    this.#ledger = ledger;
    this.#type = type;
    this.#waitForNextRead = waitForNextRead;
  }

  /**
   * Yields what can be settled of these parts; each must be entered in the ledger before the next is requested.
   * @throws AppError cancelled, not_authenticated, file_changed, disk_full; other errors of reading settle nothing
   */
  async *settle(unknown: UnknownParts): AsyncGenerator<Settlement> {
    try {
      yield* this.#settle(unknown);
    } catch (thrown) {
      const error = toAppError(thrown);
      if (!isOfReading(error)) throw error;
    }
  }

  async *#settle(unknown: UnknownParts): AsyncGenerator<Settlement> {
    const proven = await this.#provenKey();
    const key = proven ?? (await this.#usualKey(unknown[0]));
    const check = await this.#freshnessCheck(key);
    // Rows can only be missing if recognizing them is proven.
    const acked = proven ? this.#ledger.lastAcked : null;
    let open = await Promise.all(unknown.map((part) => this.#partOf(part, key)));
    let before: readonly PartRead[] = [];
    for (let reads = 0; reads < maxReads && open.length > 0; reads++) {
      if (reads > 0) await this.#waitForNextRead();
      const left: PartRead[] = [];
      for (const { read, rows } of await this.#read(open, key, check)) {
        const earlier = before.find((earlierPart) => earlierPart.unknown === read.unknown);
        const verdict = judgePart(read, earlier, acked);
        if (verdict === 'open') {
          left.push(read);
          continue;
        }
        const places = new Set(read.match.missing);
        yield { ...read, verdict, missing: rows.filter(({ place }) => places.has(place)) };
      }
      before = left.filter((read) => isWorthReading(read, reads, acked));
      const worthReading = new Set(before.map((read) => read.unknown));
      open = open.filter((part) => worthReading.has(part.unknown));
    }
  }

  async #partOf(unknown: UnknownPart, key: Key): Promise<Part> {
    return {
      unknown,
      namedIds: new Set(unknown.answer ? unpackIds(unknown.answer.ids) : []),
      rows: await this.#search.rowsOfPart(unknown, key),
    };
  }

  async #read(
    parts: readonly Part[],
    key: Key,
    check: FreshnessCheck,
  ): Promise<{ readonly read: PartRead; readonly rows: Part['rows'] }[]> {
    const allRows = parts.flatMap(({ rows }) => rows.map(({ row }) => row));
    const { foundRecords, isFresh } = await this.#search.find(key, allRows, check);
    const matches = matchRows(parts, foundRecords, (id) => this.#ledger.knownIds.has(id));
    return matches.map(({ part: { unknown, rows }, match }) => ({ read: { unknown, match, isFresh }, rows }));
  }

  /** Some rows of the last acked batch: a read that shows them is at least as fresh as that batch. */
  async #freshnessCheck(key: Key): Promise<FreshnessCheck> {
    const acked = this.#ledger.lastAcked;
    if (!acked) return { rows: [], isShown: () => false };
    const ids = new Set(unpackIds(acked.ids));
    const partRows = await this.#search.rowsOfPart(acked, key);
    const rows = partRows.slice(0, freshnessRows).map(({ row }) => row);
    return {
      rows,
      isShown(foundRecords) {
        const fingerprints = new Set(
          foundRecords.filter(({ id }) => ids.has(id)).map(({ fingerprint }) => fingerprint),
        );
        return rows.every(({ fingerprint }) => fingerprints.has(fingerprint));
      },
    };
  }

  async #usualKey({ entry }: UnknownPart): Promise<Key> {
    const { maxDistinctField } = await this.#search.rowsOf(entry, []);
    return keysFor(this.#type, maxDistinctField)[0];
  }

  /**
   * Proves that rows are recognized, before a row counts as missing: the largest group of rows that was acked at once
   * is read back, each by value and by its inserted id. A read that lags behind gets more time, and one more read
   * without waiting each time that parts are reconciled later.
   * @returns the key by which rows are found; null: the comparison can't be proven, and nothing is ever resent
   */
  async #provenKey(): Promise<Key | null> {
    const { maxAcked: acked, isAccounted } = this.#ledger;
    if (!acked || !isAccounted) return null;
    const earlier = this.#proof?.of === acked ? this.#proof : null;
    if (earlier?.key) return earlier.key;
    const { maxDistinctField } = await this.#search.rowsOf(acked.entry, []);
    let keys: readonly Key[] = earlier?.notSeen ?? keysFor(this.#type, maxDistinctField);
    let proven: Key | null = null;
    for (let reads = earlier ? maxReads - 1 : 0; reads < maxReads && !proven && keys.length > 0; reads++) {
      if (reads > 0 && !earlier) await this.#waitForNextRead();
      const notSeen: Key[] = [];
      for (const key of keys) {
        const proof = await this.#proofBy(key, acked);
        if (proof === 'not_seen') notSeen.push(key);
        if (proof !== 'proven') continue;
        proven = key;
        break;
      }
      keys = notSeen;
    }
    this.#proof = { of: acked, key: proven, notSeen: keys };
    return proven;
  }

  async #proofBy(key: Key, acked: AckedPart): Promise<Proof> {
    const partRows = await this.#search.rowsOfPart(acked, key);
    const rows = partRows.map(({ row }) => row);
    const { foundRecords } = await this.#search.find(key, rows, { rows: [], isShown: () => true });
    return proofOf(acked, rows, foundRecords);
  }
}

/**
 * `not_seen`: some ids are missing, perhaps because the read lags behind; `differs`: all ids are there, with other
 * values.
 */
type Proof = 'proven' | 'differs' | 'not_seen';

function proofOf(
  { ids, part }: AckedPart,
  rows: readonly RowFingerprint[],
  foundRecords: readonly FoundRecord[],
): Proof {
  const ownIds = new Set(unpackIds(ids));
  const seen = new Map(
    foundRecords.filter(({ id }) => ownIds.has(id)).map(({ id, fingerprint }) => [id, fingerprint]),
  );
  if (ownIds.size !== part.records || seen.size < ownIds.size) return 'not_seen';
  const stored = [...seen.values()].sort();
  const sentFingerprints = rows.map(({ fingerprint }) => fingerprint).sort();
  return sentFingerprints.length === stored.length &&
    sentFingerprints.every((fingerprint, at) => fingerprint === stored[at])
    ? 'proven'
    : 'differs';
}
