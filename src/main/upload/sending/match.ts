import type { RowFingerprint, FoundRecord } from '../preparing/prints.ts';

/** Rows of a part whose fate is looked up, by their places, and the ids that an answer named for some of them. */
export interface UnknownRows {
  readonly rows: readonly { readonly place: number; readonly print: RowFingerprint }[];
  readonly namedIds: ReadonlySet<string>;
}

/** What reading says of the rows of an unknown part. */
export interface Match {
  /** The record that settles each row that stands there, by the row's place. */
  readonly stored: ReadonlyMap<number, string>;
  /** The places of the others. */
  readonly missing: readonly number[];
  /** How many ids an answer named, and how many of them were found on a record with the values of a row. */
  readonly named: number;
  readonly namedFound: number;
  /** A record that nothing accounts for stands where a missing row belongs: it may be that row, changed. */
  readonly isAmbiguous: boolean;
}

/** Records that nothing accounts for; each can be taken once. */
class Candidates {
  readonly #byPrint: Map<string, FoundRecord[]>;
  readonly #byId: Map<string, FoundRecord>;

  constructor(foundRecords: readonly FoundRecord[]) {
    this.#byId = new Map(foundRecords.map((foundRecord) => [foundRecord.id, foundRecord]));
    this.#byPrint = Map.groupBy(this.#byId.values(), ({ print }) => print);
  }

  /** Takes a record with these values that the test lets through; null: there is none. */
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
 * Matches unknown rows with records of the dataset: each record that is not accounted for settles at most one row with
 * just its values. The rows of all parts are matched together, so that two of them never take one record.
 */
export function matchRows(
  parts: readonly UnknownRows[],
  foundRecords: readonly FoundRecord[],
  isAccounted: (id: string) => boolean,
): Match[] {
  const candidates = new Candidates(foundRecords.filter(({ id, before }) => !before && !isAccounted(id)));
  const allNamed = new Set(parts.flatMap(({ namedIds }) => [...namedIds]));
  const stored = parts.map(() => new Map<number, string>());
  const takeAll = (test: (id: string, named: ReadonlySet<string>) => boolean): void =>
    parts.forEach(({ rows, namedIds }, at) => {
      for (const { place, print } of rows) {
        if (stored[at]?.has(place)) continue;
        const id = candidates.take(print.print, (candidate) => test(candidate, namedIds));
        if (id !== null) stored[at]?.set(place, id);
      }
    });
  // What an answer named belongs to its rows and to no others.
  takeAll((id, named) => named.has(id));
  const namedFound = stored.map(({ size }) => size);
  takeAll((id) => !allNamed.has(id));
  const keysLeft = candidates.keys;
  return parts.map(({ rows, namedIds }, at) => {
    const own = stored[at] ?? new Map<number, string>();
    const missing = rows.filter(({ place }) => !own.has(place));
    return {
      stored: own,
      missing: missing.map(({ place }) => place),
      named: namedIds.size,
      namedFound: namedFound[at] ?? 0,
      isAmbiguous: missing.some(({ print }) => keysLeft.has(print.key)),
    };
  });
}
