/**
 * Tells a service that slows down under our own load from one question that is slow by itself. Looked at is the
 * quickest answer of each round: a heavy question slows itself, a queue at the service slows even the quickest.
 */
export interface LatencyWatch {
  /**
   * Takes in how long an answer took to begin.
   * @param ms from the request to the first byte of the answer
   * @param round how many answers make a round: as many as run at once
   * @returns true once for each round in which the service slowed down
   */
  slowed(ms: number, round: number): boolean;
}

/** Slowed down: so many times the usual, and so many milliseconds beyond it. Less is weather. */
const factor = 2.5;
const beyondMs = 100;
/** Rounds after which what was unusual is the new usual: links and questions change. */
const memory = 20;

export function watchLatency(): LatencyWatch {
  let usual = Number.POSITIVE_INFINITY;
  let quickest = Number.POSITIVE_INFINITY;
  let seen = 0;
  return {
    slowed(ms, round) {
      quickest = Math.min(quickest, ms);
      seen += 1;
      if (seen < round) return false;
      const now = quickest;
      seen = 0;
      quickest = Number.POSITIVE_INFINITY;
      const slow = now > usual * factor && now > usual + beyondMs;
      usual = now < usual ? now : usual + (now - usual) / memory;
      return slow;
    },
  };
}
