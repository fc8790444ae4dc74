import { AppError } from '../../../../shared/errors/errors.ts';

/** The states of a row that is to be sent. */
export type RowState = 'prepared' | 'sent' | 'accepted' | 'rejected' | 'unknown' | 'missing';

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
  /** On disk before the first byte is sent. `missing` rows are resent by it, in the same or in smaller groups. */
  sent: { prepared: 'sent', missing: 'sent' },
  /** Certainly not stored: not sent at all, 401, 413, 429, or 403 for a batch of one well. */
  returned: { sent: 'prepared' },
  /** The response says that it is stored. */
  acked: { sent: 'accepted' },
  /** Rejected by the service: in its response, after reading, or because the row alone is too large (413). */
  refused: { sent: 'rejected', unknown: 'rejected', prepared: 'rejected' },
  /** No response, or one that doesn't say what is stored; also rows in flight when the process ended. */
  lost: { sent: 'unknown' },
  /** Reconciled: a record that is not accounted for has the values of the row. */
  found: { unknown: 'accepted' },
  /** Reconciled: two fresh reads show that it isn't stored, or the response counted it as not stored. */
  missed: { unknown: 'missing' },
} as const satisfies Record<string, Partial<Record<RowState, RowState>>>;

export type RowEvent = keyof typeof transitions;

/** The state after an event. @throws AppError internal if the event is impossible in this state */
export function stateAfter(event: RowEvent, state: RowState): RowState {
  const next: Partial<Record<RowState, RowState>> = transitions[event];
  const after = next[state];
  if (!after) throw new AppError('internal', { problem: `a row that is ${state} can't be ${event}` });
  return after;
}
