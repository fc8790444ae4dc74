/** How many letters differ, two that changed places counted once. */
function distance(a: string, b: string): number {
  let older: number[] = [];
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const change = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      const swapped =
        a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1] ? (older[j - 2] ?? Infinity) + 1 : Infinity;
      next.push(Math.min(change, swapped, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    older = row;
    row = next;
  }
  return row.at(-1) ?? 0;
}

/** The known word closest to a mistyped one of up to 40 characters, ignoring case; undefined if none is close. */
export function nearestWord(word: string, candidates: Iterable<string>): string | undefined {
  if (word.length > 40) return undefined;
  const lower = word.toLowerCase();
  let best: string | undefined;
  let smallest = Math.min(2, Math.floor(word.length / 3)) + 1;
  for (const word of candidates) {
    if (Math.abs(word.length - lower.length) >= smallest) continue;
    const currentDistance = distance(lower, word.toLowerCase());
    if (currentDistance < smallest) [best, smallest] = [word, currentDistance];
  }
  return best;
}
