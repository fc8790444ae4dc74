import { datasetShapes, scopeFieldOf, type DatasetType } from '../../../../shared/datasets/datasets.ts';
import { AppError, toAppError } from '../../../../shared/errors/errors.ts';
import { instantNotations } from '../../../../shared/instants.ts';
import type { JobQuestion } from '../../../../shared/jobs/jobs.ts';
import { stringifyJson, type JsonObject, type JsonValue } from '../../../../shared/json.ts';
import { append, maxOf } from '../../../../shared/lists.ts';
import { comparisonOf, type CsvThread, type UploadPlan } from '../../../core/mapping/mapping.ts';
import { unpackIds } from '../../../core/records/id-runs.ts';
import { findInPages } from '../../../core/reading/reading.ts';
import { problem } from '../../../core/records/targets.ts';
import type { CallOptions, DataService } from '../../../core/wire/services/services.ts';
import {
  recordIndexes,
  type AckedPart,
  type BatchEntry,
  type PartOfBatch,
  type Rejection,
  type UnknownPart,
  type UploadLedger,
} from '../ledger.ts';
import { fieldsOf, firstPageSize, nextPageSize } from './existing.ts';

type Calls = CsvThread['calls'];
type FoundRecord = Awaited<ReturnType<Calls['fingerprintPage']>>[number];
/** The rows of a batch, prepared again. */
type FingerprintedRows = Awaited<ReturnType<Calls['fingerprintRows']>>;
type RowFingerprint = FingerprintedRows['rows'][number];
type Path = readonly string[];
/** The paths by which rows are queried together; an empty key means the whole dataset. */
type Key = readonly Path[];

/** Maximum number of values in a query. */
const valuesPerQuery = 300;
const maxRecords = 200_000;

/**
 * The keys by which to query rows, the narrowest first. A filter by text may not match stored dates, so time series
 * have a second one.
 * @param distinctPath the path with the most distinct values; null: none
 */
function keysFor(type: DatasetType | null, distinctPath: Path | null): readonly [Key, ...Key[]] {
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
interface FreshnessCheck {
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
  async rowsOf(entry: BatchEntry, key: Key): Promise<FingerprintedRows> {
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
    { entry, part }: PartOfBatch,
    key: Key,
  ): Promise<{ readonly place: number; readonly row: RowFingerprint }[]> {
    const { rows } = await this.rowsOf(entry, key);
    const places = new Set(recordIndexes(part));
    return rows.flatMap((row, place) => (places.has(place) ? [{ place, row }] : []));
  }

  /** Whether all records of a batch have one well and one company. */
  async areOfOneWell(entry: BatchEntry): Promise<boolean> {
    if (this.#plan.rules.columns.some(({ path }) => path.at(-1) === 'company_id')) return false;
    const { rows } = await this.rowsOf(entry, []);
    return new Set(rows.map(({ well }) => well)).size === 1;
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

/** Rows of a part to look up, by their indexes, and the ids that a response had for some of them. */
interface UnknownRows {
  readonly rows: readonly { readonly place: number; readonly row: RowFingerprint }[];
  readonly namedIds: ReadonlySet<string>;
}

/** The result of reading for the rows of an unknown part. */
interface Match {
  /** The record found for each stored row, by the row's index. */
  readonly stored: ReadonlyMap<number, string>;
  /** The indexes of the other rows. */
  readonly missing: readonly number[];
  /** Number of ids in the response, and number of those found on a record with the values of a row. */
  readonly named: number;
  readonly namedFound: number;
  /** A record that isn't accounted for has the well and index of a missing row: it can be that row, changed. */
  readonly isAmbiguous: boolean;
}

/** Records that are not accounted for; each can be taken once. */
class Candidates {
  readonly #byFingerprint: Map<string, FoundRecord[]>;
  readonly #byId: Map<string, FoundRecord>;

  constructor(foundRecords: readonly FoundRecord[]) {
    this.#byId = new Map(foundRecords.map((foundRecord) => [foundRecord.id, foundRecord]));
    this.#byFingerprint = Map.groupBy(this.#byId.values(), ({ fingerprint }) => fingerprint);
  }

  /** Takes a record with these values that passes the test; null: there is none. */
  take(fingerprint: string, test: (id: string) => boolean): string | null {
    const same = this.#byFingerprint.get(fingerprint);
    const at = same?.findIndex(({ id }) => test(id)) ?? -1;
    const taken = at < 0 ? undefined : same?.splice(at, 1)[0];
    if (!taken) return null;
    this.#byId.delete(taken.id);
    return taken.id;
  }

  get keys(): Set<string> {
    return new Set([...this.#byId.values()].map(({ key }) => key));
  }
}

/**
 * Matches unknown rows with records of the dataset: each record that is not accounted for settles at most one row with
 * equal values. The rows of all parts are matched together, so that no record is taken twice.
 * @returns each part with its match
 */
function matchRows<Part extends UnknownRows>(
  parts: readonly Part[],
  foundRecords: readonly FoundRecord[],
  isAccounted: (id: string) => boolean,
): { readonly part: Part; readonly match: Match }[] {
  const candidates = new Candidates(foundRecords.filter(({ id, before }) => !before && !isAccounted(id)));
  const allNamed = new Set(parts.flatMap(({ namedIds }) => [...namedIds]));
  const matches = parts.map((part) => ({ part, stored: new Map<number, string>(), namedFound: 0 }));
  const takeAll = (test: (id: string, named: ReadonlySet<string>) => boolean): void => {
    for (const { part, stored } of matches)
      for (const { place, row } of part.rows) {
        if (stored.has(place)) continue;
        const id = candidates.take(row.fingerprint, (candidate) => test(candidate, part.namedIds));
        if (id !== null) stored.set(place, id);
      }
  };
  // Ids in a response belong to its rows only.
  takeAll((id, named) => named.has(id));
  for (const match of matches) match.namedFound = match.stored.size;
  takeAll((id) => !allNamed.has(id));
  const keysLeft = candidates.keys;
  return matches.map(({ part, stored, namedFound }) => {
    const missing = part.rows.filter(({ place }) => !stored.has(place));
    const match = {
      stored,
      missing: missing.map(({ place }) => place),
      named: part.namedIds.size,
      namedFound,
      isAmbiguous: missing.some(({ row }) => keysLeft.has(row.key)),
    };
    return { part, match };
  });
}

/**
 * Whether a batch was sent, and acked, after the part became unknown: a read that shows it also shows what is missing.
 */
export const isBeforeAcked = ({ since }: UnknownPart, acked: AckedPart | null): boolean =>
  acked !== null && acked.sentAt > since;

interface PartRead {
  readonly unknown: UnknownPart;
  readonly match: Match;
  /** Whether the read is as fresh as the last acked batch. */
  readonly isFresh: boolean;
}

/**
 * Whether all rows of the part are settled, or all that its response named while it counted the others as not stored,
 * or none.
 */
type Verdict = 'settled' | 'settled_by_answer' | 'open';

const isSameMatch = (a: Match, b: Match): boolean =>
  a.stored.size === b.stored.size && [...a.stored].every(([place, id]) => b.stored.get(place) === id);

/**
 * Judges a part. A row that is found is stored. A row is certainly missing only if two reads agree that show a batch
 * acked later, or if the response itself counted the missing ones.
 * @param before the previous read
 * @param acked the last acked batch; null: none, or the comparison isn't proven
 */
function judgePart(
  { unknown, match, isFresh }: PartRead,
  before: PartRead | undefined,
  acked: AckedPart | null,
): Verdict {
  const { answer } = unknown;
  if (match.missing.length === 0) return 'settled';
  const isCountedByAnswer =
    answer !== undefined &&
    match.namedFound === match.named &&
    match.stored.size === match.namedFound &&
    match.missing.length === answer.failed;
  if (isCountedByAnswer) return 'settled_by_answer';
  const agree = isFresh && before?.isFresh === true && isSameMatch(match, before.match);
  return isBeforeAcked(unknown, acked) && !match.isAmbiguous && agree ? 'settled' : 'open';
}

/**
 * Whether another read can settle it. Without a batch acked later, missing rows stay unknown, but a late write may
 * still appear, which is worth one more read. Rejected rows don't appear late.
 * @param reads number of earlier reads
 * @param acked as for {@link judgePart}
 */
function isWorthReading({ unknown, match }: PartRead, reads: number, acked: AckedPart | null): boolean {
  const mayBeLate = unknown.status === null || unknown.status >= 500;
  return !match.isAmbiguous && (isBeforeAcked(unknown, acked) || (reads === 0 && mayBeLate));
}

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

/** Maximum number of rows per run that are sent alone because their group was rejected. */
export const maxSingles = 100;
/** After that, groups of this size are rejected as a whole. */
const smallGroup = 10;
/**
 * Number of rows rejected alone for one reason after which Wellbench asks the user: the next thousand may be rejected
 * too.
 */
export const questionAfter = 20;
/** Rows with this many consecutive losses are not sent again in the same run. */
const maxResends = 5;

export interface MissingRow {
  readonly place: number;
  readonly row: RowFingerprint;
}

/** Missing rows, and why their part became unknown. */
interface MissingPart extends Pick<UnknownPart, 'status' | 'cause' | 'part' | 'losses'> {
  readonly rows: readonly MissingRow[];
  /** Null: an earlier run lost it, or the service answered 200 without the result of each row. */
  readonly error: AppError | null;
}

/** What to do with missing rows. */
export interface NextSteps {
  readonly rejected: readonly Rejection[];
  /** The indexes of the rows to send again, those of one request together. */
  readonly again: readonly (readonly number[])[];
  /** Why the job stops; its rows are pending. */
  readonly stop: AppError | null;
}

const nothing: NextSteps = { rejected: [], again: [], stop: null };

/** Rejects rows with the message of the service. */
export const rejectRows = (rows: readonly MissingRow[], message: string): Rejection[] =>
  rows.map(({ place, row: { line } }) => ({
    at: place,
    line,
    code: 'refused',
    message: problem('refused', null, message).message,
  }));

const sendGroups = (groups: readonly (readonly MissingRow[])[]): NextSteps => ({
  ...nothing,
  again: groups.map((group) => group.map(({ place }) => place)),
});

/** Reasons that differ only in numbers, such as a line or a value, are the same. */
const reasonOf = (cause: string): string => cause.replaceAll(/\d+/g, '#');

/** Decides about missing rows of one run, and counts toward its limits. */
export class MissingPolicy {
  #singles = 0;
  readonly #refused = new Map<string, number>();
  #question: JobQuestion | null = null;

  /** A question for the user, once for each reason; null: none. */
  takeQuestion(): JobQuestion | null {
    const question = this.#question;
    this.#question = null;
    return question;
  }

  decide(part: MissingPart): NextSteps {
    if (part.rows.length === 0) return nothing;
    if (part.status === 400 || part.status === 422) return this.#split(part);
    return part.status === 403 ? splitByWell(part) : planResend(part);
  }

  /** Halves a rejected group repeatedly, until a bad row is alone. */
  #split({ part, cause, rows }: MissingPart): NextSteps {
    if (part.records === 1) {
      this.#countRefused(rows.length, cause);
      return { ...nothing, rejected: rejectRows(rows, cause) };
    }
    if (this.#singles >= maxSingles && part.records <= smallGroup)
      return {
        ...nothing,
        rejected: rejectRows(rows, `one of ${part.records} rows that were sent together: ${cause}`),
      };
    const half = Math.ceil(rows.length / 2);
    const groups = [rows.slice(0, half), rows.slice(half)].filter(({ length }) => length > 0);
    this.#singles += groups.filter(({ length }) => length === 1).length;
    return sendGroups(groups);
  }

  #countRefused(rows: number, cause: string): void {
    const reason = reasonOf(cause);
    const before = this.#refused.get(reason) ?? 0;
    const count = before + rows;
    this.#refused.set(reason, count);
    if (before < questionAfter && count >= questionAfter)
      this.#question = { kind: 'many_refused', rows: count, reason: cause };
  }
}

/** One well without permission causes the rejection of a whole batch: the rows of each well are sent separately. */
function splitByWell({ cause, error, rows }: MissingPart): NextSteps {
  const wells = [...Map.groupBy(rows, ({ row: { well } }) => well).values()];
  // An earlier run may have lost them for another well.
  return wells.length === 1 && error ? { ...nothing, rejected: rejectRows(rows, cause) } : sendGroups(wells);
}

function planResend({ losses, cause, error, rows }: MissingPart): NextSteps {
  if (losses > maxResends)
    return { ...nothing, stop: error ?? new AppError('bad_answer', { service: 'data', problem: cause }) };
  return sendGroups([rows]);
}
