import { AppError } from '../../../../shared/errors/errors.ts';
import type { JobQuestion } from '../../../../shared/jobs/jobs.ts';
import type { UnknownPart } from '../ledger/batch.ts';
import type { Rejection } from '../ledger/entries.ts';
import type { AckedPart } from '../ledger/ledger.ts';
import type { RowFingerprint } from '../../../core/mapping/mapping.ts';
import type { Match } from './match.ts';
import { problem } from '../../../core/records/targets.ts';

/*
 * What is decided about rows on their way through the states of `ledger/row-states.ts`: how many are sent and held back,
 * when unknown ones are reconciled, what reads must show before a row counts as stored or missing, and what is done with
 * missing ones. Nothing here sends, reads or writes.
 */

/** The history of rows that are sent again. */
export interface Resend {
  /** Number of consecutive losses without being stored. */
  readonly times: number;
  /** The rows of one well, from a batch that was rejected for a missing permission. */
  readonly regroup: Regroup | null;
}

/** All groups of a batch that was regrouped by well, and whether rows of any of them were stored. */
interface Regroup {
  isAnyStored: boolean;
}

// Sending

/** Number of rows in the first request of a job: rows that are acked early prove that reading works. */
const probeRows = 10;
/**
 * Number of rows that are held back until the end: a lost batch can be resent only after a later one was acked, and
 * splitting a rejected batch of 1,000 down to its bad row takes ten of them. They are taken from the first part that is
 * large enough, and topped up from later ones, because the last part can be a single row or be lost too.
 */
const heldBackRows = 12;

/** Number of rows of a job's first part that are sent before anything was acked. */
export function rowsOfProbe(records: number): number {
  if (records === 1) return 1;
  return records > 2 * probeRows ? probeRows : 1;
}

/** What determines the number of rows of a part that are held back. */
interface HoldBack {
  readonly records: number;
  readonly resend: Resend | undefined;
  /** Number of rows that are already held back. */
  readonly heldBack: number;
  /** Whether there are rows that were never sent, other than those held back. */
  readonly hasUnsent: boolean;
  /** Whether there are rows to be sent again. */
  readonly hasMissing: boolean;
}

/** Number of rows of a part to hold back: always some of a large one, of a small one only at the end. */
export function rowsToHoldBack({ records, resend, heldBack, hasUnsent, hasMissing }: HoldBack): number {
  const isAtEnd = !hasUnsent && heldBack === 0;
  // A group with rejected rows isn't held back: acked rows are needed, and these may be rejected again.
  const mayBeRefused = resend !== undefined && resend.times === 0;
  const spares = mayBeRefused ? isAtEnd && !hasMissing : isAtEnd || records >= 2 * heldBackRows;
  return spares ? Math.min(heldBackRows - heldBack, records >> 1) : 0;
}

/** Number of parts that are reconciled at a time. */
export const reconciledParts = 16;
/** Number of consecutive losses after which parts are reconciled before more is sent. */
export const maxLosses = { beforeFirstAck: 3, later: 8 } as const;
/** Maximum number of single rows that are sent, one after another, to get one acked after rejected batches. */
const maxFreshnessRows = 20;

/**
 * Whether to send a single row next, to get one acked after rejected batches: only that proves that reads of them are
 * fresh. Without it a range of bad rows would end the job.
 * @param sent number of such rows without one being acked
 */
export function needsFreshnessRow(
  unknown: readonly UnknownPart[],
  acked: AckedPart | null,
  sent: number,
): boolean {
  const areRefused = unknown.every(({ status }) => status === 400 || status === 422);
  return areRefused && isAfterAcked(unknown, acked) && sent < maxFreshnessRows;
}

// Reconciling

/**
 * Whether a part became unknown after everything that was acked had been sent: nothing can prove that a read is fresh.
 */
export const isAfterAcked = (unknown: readonly UnknownPart[], acked: AckedPart | null): boolean =>
  unknown.some((part) => !isBeforeAcked(part, acked));

/**
 * Whether a batch was sent, and acked, after the part became unknown: a read that shows it also shows what is missing.
 */
const isBeforeAcked = ({ since }: UnknownPart, acked: AckedPart | null): boolean =>
  acked !== null && acked.sentAt > since;

/** The result of one read for an unknown part. */
export interface PartRead {
  readonly unknown: UnknownPart;
  readonly match: Match;
  /** Whether the read is as fresh as the last acked batch. */
  readonly isFresh: boolean;
}

/**
 * Whether all rows of the part are settled, or all that its response named while it counted the others as not stored,
 * or none.
 */
export type Verdict = 'settled' | 'settled_by_answer' | 'open';

const isSameMatch = (a: Match, b: Match): boolean =>
  a.stored.size === b.stored.size && [...a.stored].every(([place, id]) => b.stored.get(place) === id);

/**
 * Judges a part. A row that is found is stored. A row is certainly missing only if two reads agree that show a batch
 * acked later, or if the response itself counted the missing ones.
 * @param before the previous read
 * @param acked the last acked batch; null: none, or the comparison isn't proven
 */
export function judgePart(
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
export function isWorthReading(
  { unknown, match }: PartRead,
  reads: number,
  acked: AckedPart | null,
): boolean {
  const mayBeLate = unknown.status === null || unknown.status >= 500;
  return !match.isAmbiguous && (isBeforeAcked(unknown, acked) || (reads === 0 && mayBeLate));
}

// Missing rows

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
interface MissingPart extends Pick<UnknownPart, 'status' | 'cause' | 'part'> {
  readonly rows: readonly MissingRow[];
  readonly resend: Resend | undefined;
  /** Null: an earlier run lost it, or the service answered 200 without the result of each row. */
  readonly error: AppError | null;
}

/** What to do with missing rows. */
export interface NextSteps {
  readonly rejected: readonly Rejection[];
  /** Groups to send again, by their indexes. */
  readonly again: readonly { readonly places: readonly number[]; readonly resend: Resend }[];
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

const sendGroups = (groups: readonly (readonly MissingRow[])[], resend: Resend): NextSteps => ({
  ...nothing,
  again: groups.map((group) => ({ places: group.map(({ place }) => place), resend })),
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
    return part.status === 403 ? regroupByWell(part) : planResend(part);
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
    return sendGroups(groups, { times: 0, regroup: null });
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

/** One well without permission causes the rejection of a whole batch: each well is sent separately. */
function regroupByWell({ resend, cause, error, rows }: MissingPart): NextSteps {
  if (resend?.regroup?.isAnyStored) return { ...nothing, rejected: rejectRows(rows, cause) };
  const wells = [...Map.groupBy(rows, ({ row: { well } }) => well).values()];
  // The error of an earlier run isn't known any more: the rows are sent once more for it.
  if (wells.length === 1 && error) return { ...nothing, stop: error };
  return sendGroups(wells, { times: 0, regroup: { isAnyStored: false } });
}

function planResend({ resend = { times: 0, regroup: null }, cause, error, rows }: MissingPart): NextSteps {
  if (resend.times >= maxResends)
    return { ...nothing, stop: error ?? new AppError('bad_answer', { service: 'data', problem: cause }) };
  return sendGroups([rows], { ...resend, times: resend.times + 1 });
}
