import type { AppError } from '../../../shared/errors/errors.ts';
import type { JobQuestion } from '../../../shared/jobs/jobs.ts';
import type { Rejection } from '../ledger/entries.ts';
import type { UnknownPart } from '../ledger/batch-state.ts';
import { refusedMessage } from '../ledger/outcome.ts';
import type { RowPrint } from '../preparing/prints.ts';
import type { Origin } from '../ledger/parts.ts';

/** Rows that are sent alone, because a group with them was refused, are at most so many in a run of a job. */
export const mostSingles = 100;
/** Beyond them, groups of this size are refused as a whole. */
const smallGroup = 10;
/** So many rows that were refused alone for one reason are worth asking about: the next thousand may be too. */
export const askedAfter = 20;
/** Rows that were lost so often, one time after another, are not sent again in the same run. */
const mostResends = 5;

export interface Missing {
  readonly place: number;
  readonly print: RowPrint;
}

/** What is to be done with rows that are known not to be stored. */
export interface Steps {
  readonly rejected: readonly Rejection[];
  /** Groups to send again, by their places. */
  readonly again: readonly { readonly places: readonly number[]; readonly origin: Origin }[];
  /** Why the job is to stop; its rows are pending. */
  readonly stop: AppError | null;
}

export interface Refusal extends Pick<UnknownPart, 'status' | 'cause' | 'part'> {
  readonly origin: Origin | undefined;
  readonly error: AppError | null;
}

/** Reasons that differ only in their numbers, as those of a line or a value, are one. */
const reasonOf = (cause: string): string => cause.replaceAll(/\d+/g, '#');

const fresh: Origin = { resends: 0, regroup: null };

/** Decides about the missing rows of one job after another; it counts what the caps are about. */
export class NextSteps {
  #singles = 0;
  readonly #refused = new Map<string, number>();
  #question: JobQuestion | null = null;

  /** What there is to ask the person, once for each reason; null: nothing. */
  takeQuestion(): JobQuestion | null {
    const question = this.#question;
    this.#question = null;
    return question;
  }

  decide(refusal: Refusal, missing: readonly Missing[]): Steps {
    const { status } = refusal;
    if (missing.length === 0) return { rejected: [], again: [], stop: null };
    if (status === 400 || status === 422) return this.#split(refusal, missing);
    return status === 403 ? regroup(refusal, missing) : sendAgain(refusal, missing);
  }

  /** A bad row stands alone in the end. */
  #split({ part, cause }: Refusal, missing: readonly Missing[]): Steps {
    if (part.records === 1) {
      this.#count(missing.length, cause);
      return reject(missing, cause);
    }
    const capped = this.#singles >= mostSingles;
    if (capped && part.records <= smallGroup)
      return reject(missing, `one of ${part.records} rows that were sent together: ${cause}`);
    const half = Math.ceil(missing.length / 2);
    const groups = [missing.slice(0, half), missing.slice(half)].filter(({ length }) => length > 0);
    this.#singles += groups.filter(({ length }) => length === 1).length;
    return sendGroups(groups, fresh);
  }

  #count(rows: number, cause: string): void {
    const reason = reasonOf(cause);
    const before = this.#refused.get(reason) ?? 0;
    const now = before + rows;
    this.#refused.set(reason, now);
    if (before < askedAfter && now >= askedAfter)
      this.#question = { kind: 'many_refused', rows: now, reason: cause };
  }
}

function reject(missing: readonly Missing[], said: string): Steps {
  const message = refusedMessage(said);
  return {
    rejected: missing.map(({ place, print: { line } }) => ({ at: place, line, code: 'refused', message })),
    again: [],
    stop: null,
  };
}

const sendGroups = (groups: readonly (readonly Missing[])[], origin: Origin): Steps => ({
  rejected: [],
  again: groups.map((group) => ({ places: group.map(({ place }) => place), origin })),
  stop: null,
});

/** One foreign well has a whole batch refused: each well is sent for itself. */
function regroup({ origin, cause, error }: Refusal, missing: readonly Missing[]): Steps {
  if (origin?.regroup?.stored) return reject(missing, cause);
  const wells = [...Map.groupBy(missing, ({ print: { well } }) => well).values()];
  if (wells.length === 1) return { rejected: [], again: [], stop: error };
  return sendGroups(wells, { resends: 0, regroup: { stored: false } });
}

function sendAgain({ origin = fresh, error }: Refusal, missing: readonly Missing[]): Steps {
  if (origin.resends >= mostResends) return { rejected: [], again: [], stop: error };
  return sendGroups([missing], { ...origin, resends: origin.resends + 1 });
}
