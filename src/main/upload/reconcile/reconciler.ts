import { toAppError } from '../../../shared/errors/errors.ts';
import type { AppError } from '../../../shared/errors/errors.ts';
import type { UnknownPart } from '../ledger/batch-state.ts';
import type { UploadEntry } from '../ledger/entries.ts';
import type { UploadLedger } from '../ledger/ledger.ts';
import { refusedMessage } from '../ledger/outcome.ts';
import { placesOf, plainPart } from '../ledger/parts.ts';
import type { UploadPlan } from '../model/plan.ts';
import type { BatchReading, Key } from './batch-reading.ts';
import { packIds, unpackIds } from '../model/id-runs.ts';
import { keysFor } from './keys.ts';
import { matchRows } from './match.ts';
import type { Match } from './match.ts';
import type { Missing, Steps } from './next-steps.ts';
import { Proving } from './proving.ts';
import { isHopeful, verdictOn } from './verdict.ts';
import type { Look, Suspect } from './verdict.ts';
import { witnessOf } from './witness.ts';
import type { Witness } from './witness.ts';

/** How often is read at most until two reads agree, and until a batch that was acked is seen. */
const mostReads = 4;

export interface ReconcilerOptions {
  readonly plan: Pick<UploadPlan, 'type'>;
  readonly reading: BatchReading;
  readonly ledger: UploadLedger;
  readonly note: (entry: UploadEntry, flush: boolean) => Promise<void>;
  /** Says what becomes of rows that are not stored. */
  readonly decide: (suspect: UnknownPart, missing: readonly Missing[]) => Steps;
}

/** Failures of reading itself: they tell nothing of the rows, and settle nothing. */
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

/**
 * Finds out by reading which rows of unknown parts stand in the dataset (see the design's "Reconciling"). Nothing may be
 * under way while it works: then every record that is not accounted for belongs to an unknown part, or to somebody else.
 */
export class Reconciler {
  readonly #options: ReconcilerOptions;
  readonly #proving: Proving;

  constructor(options: ReconcilerOptions) {
    this.#options = options;
    this.#proving = new Proving(options.reading, options.ledger, options.plan.type);
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
      if (!isOfReading(error)) throw error;
      return false;
    }
  }

  async #run(unknown: readonly UnknownPart[]): Promise<boolean> {
    const { reading, ledger } = this.#options;
    const proven = await this.#proving.prove();
    const key = proven ?? (await this.#usualKey(unknown));
    const witness = await witnessOf(ledger.acked.last, key, reading);
    // What is not proven to be recognised can't be missed.
    const acked = proven ? witness.acked : null;
    let open = await Promise.all(unknown.map((part) => this.#suspect(part, key)));
    let before: readonly Look[] = [];
    let settled = false;
    for (let read = 0; read < mostReads && open.length > 0; read++) {
      if (read > 0) await reading.wait();
      const left: Look[] = [];
      for (const look of await this.#look(open, key, witness)) {
        const earlier = before.find(({ suspect }) => suspect === look.suspect);
        const verdict = verdictOn(look, earlier, acked);
        if (verdict === 'open') left.push(look);
        else {
          const said = verdict === 'told' ? (look.suspect.unknown.answer?.said ?? null) : null;
          await this.#note(look.suspect, look.match, said);
          settled = true;
        }
      }
      // What no further read can settle is not waited for.
      before = left.filter((look) => isHopeful(look, read, acked));
      open = before.map(({ suspect }) => suspect);
    }
    return settled;
  }

  async #suspect(unknown: UnknownPart, key: Key): Promise<Suspect> {
    const { rows } = await this.#options.reading.print(unknown.entry, key);
    return {
      unknown,
      answeredIds: new Set(unknown.answer ? unpackIds(unknown.answer.ids) : []),
      rows: placesOf(unknown.part).flatMap((place) => {
        const print = rows[place];
        return print ? [{ place, print }] : [];
      }),
    };
  }

  async #look(suspects: readonly Suspect[], key: Key, witness: Witness): Promise<Look[]> {
    const { reading, ledger } = this.#options;
    const all = suspects.flatMap(({ rows }) => rows.map(({ print }) => print));
    const { sightings, shown } = await reading.find(key, all, witness);
    const matches = matchRows(suspects, sightings, (id) => ledger.knownIds.has(id));
    return suspects.flatMap((suspect, at) => {
      const match = matches[at];
      return match ? [{ suspect, match, shown }] : [];
    });
  }

  /** @param said the words with which an answer refused the missing rows; null: they are to be decided about */
  async #note({ unknown, rows }: Suspect, match: Match, said: string | null): Promise<void> {
    const { decide, note } = this.#options;
    const lost = new Set(match.missing);
    const missing = rows.filter(({ place }) => lost.has(place));
    const { rejected } = said === null ? decide(unknown, missing) : refusedBy(said, missing);
    const out = new Set(rejected.map(({ at }) => at));
    await note(
      {
        kind: 'settled',
        ...plainPart(unknown.part),
        stored: [...match.stored.keys()],
        ids: packIds([...match.stored.values()]),
        missing: match.missing.filter((place) => !out.has(place)),
        rejected: [...rejected],
      },
      true,
    );
  }

  async #usualKey(unknown: readonly UnknownPart[]): Promise<Key> {
    const { plan, reading } = this.#options;
    const first = unknown[0];
    const telling = first ? (await reading.print(first.entry, [])).telling : null;
    return keysFor(plan.type, telling)[0] ?? [];
  }
}

const refusedBy = (said: string, missing: readonly Missing[]): Pick<Steps, 'rejected'> => ({
  rejected: missing.map(({ place: at, print: { line } }) => ({
    at,
    line,
    code: 'refused',
    message: refusedMessage(said),
  })),
});
