/** How long each part of a request may take, in milliseconds. One policy for every request, the token's too. */
export interface Timeouts {
  /** Until the request can be written: name, proxy, TCP and TLS together. */
  readonly connectMs: number;
  /** From the request to the first byte of the answer. */
  readonly headersMs: number;
  /** Between two pieces of the answer's body: a slow link may go on, a dead one may not. */
  readonly idleMs: number;
  /** The whole request, so that an answer that drips for ever ends too. */
  readonly totalMs: number;
}

export const defaultTimeouts: Timeouts = {
  connectMs: 10_000,
  headersMs: 60_000,
  idleMs: 30_000,
  totalMs: 900_000,
};

/** The policy with another time for the answer, as a person asked for. */
export function withAnswerTime(timeouts: Timeouts, headersMs: number | undefined): Timeouts {
  if (headersMs === undefined) return timeouts;
  return { ...timeouts, headersMs, totalMs: Math.max(timeouts.totalMs, headersMs * 2) };
}
