/** Limits of a response, in bytes, on the wire and decompressed. */
export const maxResponseBytes = {
  /** Tokens, counts, single resources, insert results, and errors. */
  small: 4 * 1024 * 1024,
  /** Dataset definitions, and a page of a platform list. */
  list: 64 * 1024 * 1024,
  /** A page of records; V8 can't hold a longer one as a string. */
  records: 512 * 1024 * 1024,
} as const;

/** Limits of the phases of a request, in milliseconds; used for every request, including those for tokens. */
export interface Timeouts {
  /** Until the request can be written: name, proxy, TCP, and TLS together. */
  readonly connectMs: number;
  /** From the request to the first byte of the response. */
  readonly headersMs: number;
  /** Between two chunks of the body: a slow link may continue, a dead one may not. */
  readonly idleMs: number;
  /** Fewer bytes of the body in each `idleMs` than these end the request: one byte at a time isn't progress. */
  readonly minBytes?: number;
  /** The whole request, which also ends a response that never finishes. */
  readonly totalMs: number;
}

export const defaultTimeouts: Timeouts = {
  connectMs: 10_000,
  headersMs: 60_000,
  idleMs: 30_000,
  minBytes: 1000,
  totalMs: 900_000,
};

/**
 * The timeouts with another limit for the first byte; a body may not be silent for longer.
 * @param headersMs milliseconds; undefined keeps the default
 */
export function withResponseTimeout(timeouts: Timeouts, headersMs: number | undefined): Timeouts {
  if (headersMs === undefined) return timeouts;
  const idleMs = Math.min(timeouts.idleMs, headersMs);
  const minBytes = Math.ceil(((timeouts.minBytes ?? 0) * idleMs) / timeouts.idleMs);
  return { ...timeouts, headersMs, idleMs, minBytes, totalMs: Math.max(timeouts.totalMs, headersMs * 2) };
}
