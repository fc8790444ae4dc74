import { AppError } from '../../../shared/errors/errors.ts';

/** What a row that is to be sent can be, in the order in which the numbers of {@link RowState} count them. */
export const rowStates = ['prepared', 'sent', 'accepted', 'rejected', 'unknown', 'missing'] as const;
export type RowState = (typeof rowStates)[number];

/**
 * The whole life of a row, one line for each thing that can happen to it. A part of a batch goes through it together,
 * and each step is in the journal before the next is taken. Which step is taken, and when, is in `sending/policy.ts`.
 *
 *     prepared ──sent──▶ sent ──acked──▶ accepted
 *        ▲                │ ├──refused─▶ rejected
 *        └────returned────┘ └──lost────▶ unknown ──found──▶ accepted
 *                                           ├────refused──▶ rejected
 *                                           └────missed───▶ missing ──sent──▶ sent (resent)
 *
 * Rows of a batch begin as `prepared`. `accepted` and `rejected` are final: nothing leads out of them.
 */
const transitions = {
  /** On disk before the first byte leaves. `missing` rows are resent by it, in the same or in smaller groups. */
  sent: { prepared: 'sent', missing: 'sent' },
  /** Certainly not stored: not sent at all, 401, 413, 429, or 403 for a batch of one well. */
  returned: { sent: 'prepared' },
  /** The answer says that it is stored. */
  acked: { sent: 'accepted' },
  /** Refused by the service: in its answer, after reading, or because the row alone is too large (413). */
  refused: { sent: 'rejected', unknown: 'rejected', prepared: 'rejected' },
  /** No answer, or one that does not say what is stored; also what was under way when the process ended. */
  lost: { sent: 'unknown' },
  /** Reconciled: a record that nothing else accounts for has the values of the row. */
  found: { unknown: 'accepted' },
  /** Reconciled: two fresh reads agree that it is not stored, or the answer counted it as not stored. */
  missed: { unknown: 'missing' },
} as const satisfies Record<string, Partial<Record<RowState, RowState>>>;

export type RowEvent = keyof typeof transitions;

/**
 * The state after an event.
 * @throws AppError internal when the event can't happen in this state
 */
export function stateAfter(event: RowEvent, state: RowState): RowState {
  const next: Partial<Record<RowState, RowState>> = transitions[event];
  const after = next[state];
  if (!after) throw new AppError('internal', { problem: `a row that is ${state} can't be ${event}` });
  return after;
}
