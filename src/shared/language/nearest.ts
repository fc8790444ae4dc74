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

/** The known word that somebody most likely meant, upper and lower case apart; undefined when none is near. */
export function nearest(said: string, known: Iterable<string>): string | undefined {
  if (said.length > 40) return undefined;
  const lower = said.toLowerCase();
  let best: string | undefined;
  let least = Math.min(2, Math.floor(said.length / 3)) + 1;
  for (const word of known) {
    const far = distance(lower, word.toLowerCase());
    if (far < least) [best, least] = [word, far];
  }
  return best;
}
