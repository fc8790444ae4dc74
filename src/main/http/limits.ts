/** How large an answer may be, in bytes, packed as well as unpacked. */
export const maxAnswerBytes = {
  /** Tokens, counts, single resources, receipts of inserts, and errors. */
  small: 4 * 1024 * 1024,
  /** Definitions of datasets, and a page of a platform list. */
  list: 64 * 1024 * 1024,
  /** A page of records; a longer one could not become one string. */
  records: 512 * 1024 * 1024,
} as const;

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
