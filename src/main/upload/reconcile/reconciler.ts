import { AppError, toAppError } from '../../../shared/errors.ts';
import { datasetShapes } from '../../../shared/datasets.ts';
import type { Clock } from '../../http/clock.ts';
import type { DataService } from '../../services/services.ts';
import type { CsvThread } from '../csv-client.ts';
import { comparisonOf } from '../existing/comparison.ts';
import type { BatchEntry, UploadEntry } from '../sending/entries.ts';
import type { AckedPart } from '../sending/acked-parts.ts';
import type { UnknownPart } from '../sending/batch-state.ts';
import type { UploadLedger } from '../sending/ledger.ts';
import { refusedMessage } from '../sending/outcome.ts';
import { placesOf, plainPart } from '../sending/parts.ts';
import type { UploadPlan } from '../sending/plan.ts';
import { packIds, unpackIds } from './id-runs.ts';
import { keysFor } from './keys.ts';
import { matchRows } from './match.ts';
import type { Match } from './match.ts';
import type { Missing, Steps } from './next-steps.ts';
import type { PrintedRows, PrintPaths, RowPrint, Sighting } from './prints.ts';
import { proofOf } from './proof.ts';
import type { Proof } from './proof.ts';
import { readKeys } from './read-keys.ts';

/** How often is read at most until two reads agree, and until a batch that was acked is seen. */
const mostReads = 4;
/** Rows of the batch acked later that each read must show. */
const witnessRows = 5;

export interface ReconcilerOptions {
  readonly plan: UploadPlan;
  readonly thread: CsvThread;
  readonly ledger: UploadLedger;
  readonly data: Pick<DataService, 'find'>;
  readonly note: (entry: UploadEntry, flush: boolean) => Promise<void>;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly onWait: (ms: number | null) => void;
  /** Says what becomes of rows that are not stored. */
  readonly decide: (suspect: UnknownPart, missing: readonly Missing[]) => Steps;
}

type Key = PrintPaths['key'];

interface Suspect {
  readonly unknown: UnknownPart;
  readonly rows: readonly { readonly place: number; readonly print: RowPrint }[];
  readonly answeredIds: ReadonlySet<string>;
}

/** One look at the dataset. */
interface Look {
  readonly suspect: Suspect;
  readonly match: Match;
  readonly shown: boolean;
}

/** Rows of a batch that was acked later, which a read must show. */
interface Witness {
  readonly acked: AckedPart | null;
  readonly rows: readonly RowPrint[];
  readonly isShown: (sightings: readonly Sighting[]) => boolean;
}

const sameMatch = (a: Match, b: Match): boolean =>
  a.stored.size === b.stored.size && [...a.stored].every(([place, id]) => b.stored.get(place) === id);

/**
 * Finds out by reading which rows of unknown parts stand in the dataset (see the design's "Reconciling"). Nothing may be
 * under way while it works: then every record that is not accounted for belongs to an unknown part, or to somebody else.
 */
export class Reconciler {
  readonly #options: ReconcilerOptions;
  readonly #paths: PrintPaths['paths'];
  readonly #scope: readonly string[];
  #proof: { readonly on: AckedPart; readonly key: Key | null } | null = null;

  constructor(options: ReconcilerOptions) {
    this.#options = options;
    const { rules, type } = options.plan;
    this.#paths = comparisonOf(rules, type).paths;
    this.#scope = (type === null ? 'asset_id' : datasetShapes[type].scopeField).split('.');
  }

  /** Makes a batch again and prints it. @throws AppError file_changed */
  async print(entry: BatchEntry, key: Key): Promise<PrintedRows> {
    const { from: byte, line, row, rows, skipped, sha256 } = entry;
    const { thread, plan } = this.#options;
    const printed = await thread.call('printRows', {
      batch: { byte, line, row, rows, skipped },
      paths: this.#paths,
      key,
      scope: this.#scope,
    });
    if (printed.sha256 !== sha256) throw new AppError('file_changed', { file: plan.fileName });
    return printed;
  }

  /**
   * Settles what can be settled of these parts.
   * @returns whether anything was settled
   * @throws AppError cancelled, not_authenticated, file_changed, disk_full; other failures of reading settle nothing
   */
  async run(unknown: readonly UnknownPart[]): Promise<boolean> {
    try {
      return await this.#run(unknown);
    } catch (thrown) {
      const error = toAppError(thrown);
      const isOfReading =
        error.is('forbidden') ||
        error.is('not_found') ||
        error.is('refused') ||
        error.is('bad_answer') ||
        error.is('service_failed') ||
        error.is('unreachable') ||
        error.is('timed_out') ||
        error.is('too_large') ||
        error.is('too_many_requests');
      if (!isOfReading) throw error;
      return false;
    }
  }

  async #run(unknown: readonly UnknownPart[]): Promise<boolean> {
    const proven = await this.#prove();
    const key = proven ?? (await this.#usualKey(unknown));
    const witness = await this.#witness(key);
    let open = await Promise.all(unknown.map((part) => this.#suspect(part, key)));
    let before: readonly Look[] = [];
    let settled = false;
    for (let read = 0; read < mostReads && open.length > 0; read++) {
      if (read > 0) await this.#wait();
      const looks = await this.#look(open, key, witness);
      const left: Look[] = [];
      for (const look of looks) {
        const earlier = before.find(({ suspect }) => suspect === look.suspect);
        if (await this.#settle(look, earlier, proven ? witness.acked : null)) settled = true;
        else left.push(look);
      }
      // What no further read can settle is not waited for.
      const hopeful = left.filter((look) => this.#isHopeful(look, read, proven, witness.acked));
      open = hopeful.map(({ suspect }) => suspect);
      before = hopeful;
    }
    return settled;
  }

  /**
   * Whether a further read can settle it. Without a batch acked later missing rows stay unknown, but a write that
   * commits late may still turn up: that is worth one read more. What was refused does not commit late.
   */
  #isHopeful(
    { suspect: { unknown }, match }: Look,
    read: number,
    proven: Key | null,
    acked: AckedPart | null,
  ): boolean {
    const isWitnessed = proven !== null && acked !== null && acked.left > unknown.since;
    const mayBeLate = unknown.status === null || unknown.status >= 500;
    return !match.doubtful && (isWitnessed || (read === 0 && mayBeLate));
  }

  async #suspect(unknown: UnknownPart, key: Key): Promise<Suspect> {
    const { rows } = await this.print(unknown.entry, key);
    return {
      unknown,
      answeredIds: new Set(unknown.answer ? unpackIds(unknown.answer.ids) : []),
      rows: placesOf(unknown.part).flatMap((place) => {
        const print = rows[place];
        return print ? [{ place, print }] : [];
      }),
    };
  }

  async #look(
    suspects: readonly Suspect[],
    key: Key,
    { isShown, rows: witnesses }: Witness,
  ): Promise<Look[]> {
    const all = suspects.flatMap(({ rows }) => rows.map(({ print }) => print));
    const { sightings, shown } = await this.#read(key, all, witnesses, isShown);
    const { knownIds } = this.#options.ledger;
    const matches = matchRows(suspects, sightings, (id) => knownIds.has(id));
    return suspects.flatMap((suspect, at) => {
      const match = matches[at];
      return match ? [{ suspect, match, shown }] : [];
    });
  }

  #read(
    key: Key,
    rows: readonly RowPrint[],
    witnesses: readonly RowPrint[],
    isShown: (sightings: readonly Sighting[]) => boolean,
  ): ReturnType<typeof readKeys> {
    const { plan, thread, data, signal } = this.#options;
    const reader = { plan, thread, data, options: { signal } };
    return readKeys(reader, { paths: this.#paths, key }, rows, witnesses, isShown);
  }

  /** Notes what has become of a part when that is certain; false: it is not. */
  async #settle(look: Look, earlier: Look | undefined, witness: AckedPart | null): Promise<boolean> {
    const { suspect, match } = look;
    const { unknown } = suspect;
    const { answer } = unknown;
    if (match.missing.length === 0) return this.#note(suspect, match, null);
    const told =
      answer &&
      match.recognised === suspect.answeredIds.size &&
      match.stored.size === match.recognised &&
      match.missing.length === answer.failed;
    if (told) return this.#note(suspect, match, answer.said);
    const isCertain =
      witness !== null &&
      witness.left > unknown.since &&
      !match.doubtful &&
      look.shown &&
      earlier?.shown === true &&
      sameMatch(look.match, earlier.match);
    return isCertain && this.#note(suspect, match, null);
  }

  /** @param said the words with which an answer refused the missing rows; null: they are to be decided about */
  async #note({ unknown, rows }: Suspect, match: Match, said: string | null): Promise<true> {
    const { decide, note } = this.#options;
    const lost = new Set(match.missing);
    const missing = rows.filter(({ place }) => lost.has(place));
    const steps: Steps =
      said === null
        ? decide(unknown, missing)
        : {
            rejected: missing.map(({ place: at, print: { line } }) => ({
              at,
              line,
              code: 'refused',
              message: refusedMessage(said),
            })),
            again: [],
            stop: null,
          };
    const out = new Set(steps.rejected.map(({ at }) => at));
    await note(
      {
        kind: 'settled',
        ...plainPart(unknown.part),
        stored: [...match.stored.keys()],
        ids: packIds([...match.stored.values()]),
        missing: match.missing.filter((place) => !out.has(place)),
        rejected: [...steps.rejected],
      },
      true,
    );
    return true;
  }

  async #usualKey(unknown: readonly UnknownPart[]): Promise<Key> {
    const { type } = this.#options.plan;
    const first = unknown[0];
    const telling = first ? (await this.print(first.entry, [])).telling : null;
    return keysFor(type, telling)[0] ?? [];
  }

  /**
   * Proves the comparison on the most rows that were acked at once: read back, every row must be recognised by value
   * and by its inserted id. A read that lags behind gets more time.
   * @returns the key by which rows are found; null: the comparison can't be proven, and nothing is ever sent again
   */
  async #prove(): Promise<Key | null> {
    const { ledger, plan } = this.#options;
    const on = ledger.acked.largest;
    if (!on || !ledger.isAccounted) return null;
    if (this.#proof?.on === on) return this.#proof.key;
    const { telling } = await this.print(on.entry, []);
    let keys = keysFor(plan.type, telling);
    let proven: Key | null = null;
    for (let read = 0; read < mostReads && !proven && keys.length > 0; read++) {
      if (read > 0) await this.#wait();
      const absent: Key[] = [];
      for (const key of keys) {
        const proof = await this.#proveBy(key, on);
        if (proof === 'proven') proven ??= key;
        if (proof === 'absent') absent.push(key);
        if (proven) break;
      }
      keys = absent;
    }
    this.#proof = { on, key: proven };
    return proven;
  }

  async #proveBy(key: Key, on: AckedPart): Promise<Proof> {
    const { rows } = await this.print(on.entry, key);
    const asked = on.places.flatMap((place) => rows[place] ?? []);
    const { sightings } = await this.#read(key, asked, [], () => true);
    return proofOf(on, rows, sightings);
  }

  /** The batch acked last: rows of it that each read must show. */
  async #witness(key: Key): Promise<Witness> {
    const acked = this.#options.ledger.acked.last;
    if (!acked) return { acked, rows: [], isShown: () => false };
    const ids = new Set(acked.ids);
    const printed = await this.print(acked.entry, key);
    const rows = acked.places.slice(0, witnessRows).flatMap((place) => printed.rows[place] ?? []);
    const isShown = (sightings: readonly Sighting[]): boolean => {
      const own = new Set(sightings.filter(({ id }) => ids.has(id)).map(({ print }) => print));
      return rows.every(({ print }) => own.has(print));
    };
    return { acked, rows, isShown };
  }

  async #wait(): Promise<void> {
    const { clock, plan, signal, onWait } = this.#options;
    const ms = plan.settleSeconds * 1000;
    if (signal.aborted) throw new AppError('cancelled', {});
    onWait(ms);
    try {
      await clock.wait(ms, signal);
    } finally {
      onWait(null);
    }
  }
}
