import type { AppError } from '../../../shared/errors/errors.ts';
import type { JobQuestion } from '../../../shared/jobs/jobs.ts';
import type { UnknownPart } from '../ledger/batch.ts';
import { refusedMessage } from '../ledger/answer.ts';
import type { Rejection } from '../ledger/entries.ts';
import type { AckedPart } from '../ledger/ledger.ts';
import type { RowFingerprint } from '../preparing/prints.ts';
import type { Match } from './match.ts';

/*
 * What is decided about rows on their way through the states of `ledger/row-states.ts`: how many are sent and held back,
 * when unknown ones are reconciled, what reads must show before a row counts as stored or missing, and what is done with
 * missing ones. Nothing here sends, reads or writes.
 */

/** What is known of rows that are sent again. */
export interface Resend {
  /** How often they were lost, one time after another, without being stored. */
  readonly times: number;
  /** The rows of one well, of a batch that was refused for a lack of permission. */
  readonly regroup: Regroup | null;
}

/** All groups of a batch that was regrouped by well, and whether rows of any of them were stored. */
interface Regroup {
  isAnyStored: boolean;
}

// Sending

/** The first rows of a job go alone: what is acked early is what reading is proven on. */
const probeRows = 10;
/**
 * So many rows are held back to the end: a lost batch can only be resent when a later one was acked, and to split a
 * refused batch of 1,000 down to its bad row takes ten of them. They are kept from the first part that has some to
 * spare, and made up for from later ones: the last part may be a single row, or be lost together with those before it.
 */
const heldBackRows = 12;

/** How many of the first rows of a job's first part are sent before anything was acked. */
export function rowsOfProbe(records: number): number {
  if (records === 1) return 1;
  return records > 2 * probeRows ? probeRows : 1;
}

/** What decides how many rows of a part are held back. */
interface HoldBack {
  readonly records: number;
  readonly resend: Resend | undefined;
  /** Rows that are held back already. */
  readonly heldBack: number;
  /** Whether rows are left that were never sent, but for those held back. */
  readonly hasUnsent: boolean;
  /** Whether rows are left that wait to be sent again. */
  readonly hasMissing: boolean;
}

/** How many rows of a part are held back: a large one always spares some, a small one at the end alone. */
export function rowsToHoldBack({ records, resend, heldBack, hasUnsent, hasMissing }: HoldBack): number {
  const isAtEnd = !hasUnsent && heldBack === 0;
  // A group with refused rows: rows that are acked are what is held back for, and these may be refused again.
  const mayBeRefused = resend !== undefined && resend.times === 0;
  const spares = mayBeRefused ? isAtEnd && !hasMissing : isAtEnd || records >= 2 * heldBackRows;
  return spares ? Math.min(heldBackRows - heldBack, records >> 1) : 0;
}

/** How many parts are reconciled at a time. */
export const reconciledParts = 16;
/** So many losses in a row: something is wrong with all of it, so they are reconciled before more is sent. */
export const maxLosses = { beforeFirstAck: 3, later: 8 } as const;
/** So many single rows are sent, one after another, to have one acked after batches that were refused. */
const maxFreshnessRows = 20;

/**
 * Whether a single row goes next, to be acked after batches that were refused: only that shows that reads of them are
 * new. Without it a stretch of bad rows would end the job.
 * @param sent how many went so without one being acked
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

/** Whether a part became unknown after everything that was acked had been sent: nothing can show that a read is new. */
export const isAfterAcked = (unknown: readonly UnknownPart[], acked: AckedPart | null): boolean =>
  unknown.some((part) => !isBeforeAcked(part, acked));

/** Whether a batch was sent, and acked, after the part became unknown: a read that shows it shows what is missing. */
const isBeforeAcked = ({ since }: UnknownPart, acked: AckedPart | null): boolean =>
  acked !== null && acked.sentAt > since;

/** What one read showed of an unknown part. */
export interface PartRead {
  readonly unknown: UnknownPart;
  readonly match: Match;
  /** Whether the read is as new as the batch acked last. */
  readonly isFresh: boolean;
}

/** All rows of the part are settled; or those that its answer named, and it counted the others as not stored; or none. */
export type Verdict = 'settled' | 'settled_by_answer' | 'open';

const isSameMatch = (a: Match, b: Match): boolean =>
  a.stored.size === b.stored.size && [...a.stored].every(([place, id]) => b.stored.get(place) === id);

/**
 * Judges a part. A row that is found is stored; that one is missing is certain only when two reads agree that show a
 * batch acked later, or when the answer itself counted the missing ones.
 * @param before the read before this one
 * @param acked the batch acked last; null: there is none, or the comparison is not proven
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
 * Whether a further read can settle it. Without a batch acked later missing rows stay unknown, but a write that
 * commits late may still turn up: that is worth one read more. What was refused does not commit late.
 * @param reads how many reads came before this one
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

/** Rows that are sent alone, because a group with them was refused, are at most so many in a run of a job. */
export const maxSingles = 100;
/** Beyond them, groups of this size are refused as a whole. */
const smallGroup = 10;
/** So many rows that were refused alone for one reason are worth asking about: the next thousand may be too. */
export const questionAfter = 20;
/** Rows that were lost so often, one time after another, are not sent again in the same run. */
const maxResends = 5;

export interface MissingRow {
  readonly place: number;
  readonly print: RowFingerprint;
}

/** Missing rows, and why their part became unknown. */
interface MissingPart extends Pick<UnknownPart, 'status' | 'cause' | 'part'> {
  readonly rows: readonly MissingRow[];
  readonly resend: Resend | undefined;
  readonly error: AppError | null;
}

/** What is to be done with missing rows. */
export interface NextSteps {
  readonly rejected: readonly Rejection[];
  /** Groups to send again, by their places. */
  readonly again: readonly { readonly places: readonly number[]; readonly resend: Resend }[];
  /** Why the job is to stop; its rows are pending. */
  readonly stop: AppError | null;
}

const nothing: NextSteps = { rejected: [], again: [], stop: null };

/** Rejects rows with the words of the service. */
export const rejectRows = (rows: readonly MissingRow[], message: string): Rejection[] =>
  rows.map(({ place, print: { line } }) => ({
    at: place,
    line,
    code: 'refused',
    message: refusedMessage(message),
  }));

const sendGroups = (groups: readonly (readonly MissingRow[])[], resend: Resend): NextSteps => ({
  ...nothing,
  again: groups.map((group) => ({ places: group.map(({ place }) => place), resend })),
});

/** Reasons that differ only in their numbers, as those of a line or a value, are one. */
const reasonOf = (cause: string): string => cause.replaceAll(/\d+/g, '#');

/** Decides about missing rows of one run; it counts what its limits are about. */
export class MissingPolicy {
  #singles = 0;
  readonly #refused = new Map<string, number>();
  #question: JobQuestion | null = null;

  /** What there is to ask the person, once for each reason; null: nothing. */
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

  /** Halves a refused group again and again, until a bad row stands alone. */
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

/** One foreign well has a whole batch refused: each well is sent for itself. */
function regroupByWell({ resend, cause, error, rows }: MissingPart): NextSteps {
  if (resend?.regroup?.isAnyStored) return { ...nothing, rejected: rejectRows(rows, cause) };
  const wells = [...Map.groupBy(rows, ({ print: { well } }) => well).values()];
  if (wells.length === 1) return { ...nothing, stop: error };
  return sendGroups(wells, { times: 0, regroup: { isAnyStored: false } });
}

function planResend({ resend = { times: 0, regroup: null }, error, rows }: MissingPart): NextSteps {
  if (resend.times >= maxResends) return { ...nothing, stop: error };
  return sendGroups([rows], { ...resend, times: resend.times + 1 });
}
