import type { RowPrint, Sighting } from '../preparing/prints.ts';

/** Rows whose fate is asked for, by their places, and the ids that an answer gave for some of them. */
export interface Suspected {
  readonly rows: readonly { readonly place: number; readonly print: RowPrint }[];
  readonly answeredIds: ReadonlySet<string>;
}

/** What reading says of suspected rows. */
export interface Match {
  /** The record that settles each row that stands there, by the row's place. */
  readonly stored: ReadonlyMap<number, string>;
  /** The places of the others. */
  readonly missing: readonly number[];
  /** How many of the answered ids were found, on a record with the values of a row. */
  readonly recognised: number;
  /** A record that nobody accounts for stands where a missing row belongs: it may be that row, changed. */
  readonly doubtful: boolean;
}

class Pool {
  readonly #byPrint = new Map<string, Sighting[]>();
  readonly #byId = new Map<string, Sighting>();

  constructor(sightings: readonly Sighting[]) {
    for (const sighting of sightings) {
      if (this.#byId.has(sighting.id)) continue;
      this.#byId.set(sighting.id, sighting);
      const same = this.#byPrint.get(sighting.print);
      if (same) same.push(sighting);
      else this.#byPrint.set(sighting.print, [sighting]);
    }
  }

  /** Takes a record with these values out, if there is one that the test lets through. */
  take(print: string, test: (id: string) => boolean): string | null {
    const same = this.#byPrint.get(print);
    const at = same?.findIndex(({ id }) => test(id)) ?? -1;
    const taken = at < 0 ? undefined : same?.splice(at, 1)[0];
    if (!taken) return null;
    this.#byId.delete(taken.id);
    return taken.id;
  }

  get keys(): Set<string> {
    return new Set([...this.#byId.values()].map(({ key }) => key));
  }
}

/**
 * Finds out which rows stand in the dataset: each record that is not accounted for settles at most one row with just
 * its values. All rows in question are matched together, so that two of them never take one record.
 */
export function matchRows(
  suspects: readonly Suspected[],
  sightings: readonly Sighting[],
  isAccounted: (id: string) => boolean,
): Match[] {
  const pool = new Pool(sightings.filter(({ id, before }) => !before && !isAccounted(id)));
  const claimed = new Set(suspects.flatMap(({ answeredIds }) => [...answeredIds]));
  const stored = suspects.map(() => new Map<number, string>());
  const takeAll = (test: (id: string, own: ReadonlySet<string>) => boolean): void =>
    suspects.forEach(({ rows, answeredIds }, at) => {
      for (const { place, print } of rows) {
        if (stored[at]?.has(place)) continue;
        const id = pool.take(print.print, (found) => test(found, answeredIds));
        if (id !== null) stored[at]?.set(place, id);
      }
    });
  // What an answer named belongs to its rows and to no others.
  takeAll((id, own) => own.has(id));
  const recognised = stored.map(({ size }) => size);
  takeAll((id) => !claimed.has(id));
  const left = pool.keys;
  return suspects.map(({ rows }, at) => {
    const found = stored[at] ?? new Map<number, string>();
    const lost = rows.filter(({ place }) => !found.has(place));
    return {
      stored: found,
      missing: lost.map(({ place }) => place),
      recognised: recognised[at] ?? 0,
      doubtful: lost.some(({ print }) => left.has(print.key)),
    };
  });
}
