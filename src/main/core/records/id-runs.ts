import * as z from 'zod';

/** Consecutive ids: the first, and how many. Most services assign consecutive ids, so a batch has few runs. */
export const idRuns = z.array(z.tuple([z.string(), z.int().min(1)]));
export type IdRuns = z.infer<typeof idRuns>;

const hex = /^[0-9a-f]{1,64}$/;
/** Only the last digits are compared as numbers, because they fit a double. */
const maxNumberDigits = 12;

interface Split {
  readonly head: string;
  readonly tail: number;
  readonly digits: number;
}

function split(id: string): Split | null {
  if (!hex.test(id)) return null;
  const digits = Math.min(maxNumberDigits, id.length);
  return { head: id.slice(0, id.length - digits), tail: Number.parseInt(id.slice(-digits), 16), digits };
}

/** Whether an id is the given distance after the first of a run. */
const isBehind = (id: Split | null, first: Split | null, by: number): boolean =>
  id !== null && id.head === first?.head && id.digits === first.digits && id.tail === first.tail + by;

/** Packs ids in order of arrival, without loss. */
export function packIds(ids: readonly string[]): IdRuns {
  const runs: IdRuns = [];
  let start: Split | null = null;
  for (const id of ids) {
    const run = runs.at(-1);
    const next = split(id);
    if (run && isBehind(next, start, run[1])) run[1]++;
    else {
      runs.push([id, 1]);
      start = next;
    }
  }
  return runs;
}

/** The inverse of {@link packIds}. */
export function unpackIds(runs: IdRuns): string[] {
  return runs.flatMap(([first, count]) => {
    const start = split(first);
    if (count === 1 || !start) return [first];
    return Array.from(
      { length: count },
      (_, n) => start.head + (start.tail + n).toString(16).padStart(start.digits, '0'),
    );
  });
}

/** Number of ids. */
export const countIds = (runs: IdRuns): number => runs.reduce((sum, [, count]) => sum + count, 0);

/** Ids that are accounted for: a run takes as much memory as one id, however long it is. */
export class KnownIds {
  readonly #single = new Set<string>();
  readonly #runs = new Map<string, { tail: number; count: number }[]>();
  #sorted = true;

  add(runs: IdRuns): void {
    for (const [first, count] of runs) {
      const start = split(first);
      if (count === 1 || !start) {
        this.#single.add(first);
        continue;
      }
      const name = `${start.digits} ${start.head}`;
      const list = this.#runs.get(name) ?? [];
      list.push({ tail: start.tail, count });
      this.#runs.set(name, list);
      this.#sorted = false;
    }
  }

  has(id: string): boolean {
    if (this.#single.has(id)) return true;
    const parts = split(id);
    if (!parts) return false;
    this.#sort();
    const list = this.#runs.get(`${parts.digits} ${parts.head}`) ?? [];
    let low = 0;
    let high = list.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((list[middle]?.tail ?? 0) <= parts.tail) low = middle + 1;
      else high = middle;
    }
    const run = list[low - 1];
    return run !== undefined && parts.tail < run.tail + run.count;
  }

  *runs(): Generator<IdRuns[number]> {
    for (const id of this.#single) yield [id, 1];
    for (const [name, list] of this.#runs) {
      const [digits = '', head = ''] = name.split(' ');
      for (const { tail, count } of list)
        yield [head + tail.toString(16).padStart(Number(digits), '0'), count];
    }
  }

  #sort(): void {
    if (this.#sorted) return;
    for (const list of this.#runs.values()) list.sort((a, b) => a.tail - b.tail);
    this.#sorted = true;
  }
}
