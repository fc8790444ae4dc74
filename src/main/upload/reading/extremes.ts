/** The smallest or largest number of a column, as it stands in the file. */
export interface Extreme {
  readonly value: number;
  readonly text: string;
  readonly line: number;
}

/** How a cell stands to a text, in the order of code units: below, above or 0. */
export function comparedTo(text: string, bytes: Uint8Array, start: number, end: number): number {
  const length = Math.min(text.length, end - start);
  for (let at = 0; at < length; at++) {
    const difference = (bytes[start + at] ?? 0) - text.charCodeAt(at);
    if (difference !== 0) return difference;
  }
  return end - start - text.length;
}

/** The smaller of the smallest value so far and another. */
export const smaller = (known: Extreme | null, value: number, text: string, line: number): Extreme | null =>
  known === null || value < known.value ? { value, text, line } : known;
/** The larger of the largest value so far and another. */
export const larger = (known: Extreme | null, value: number, text: string, line: number): Extreme | null =>
  known === null || value > known.value ? { value, text, line } : known;
