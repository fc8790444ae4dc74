import type { RowFingerprint, FoundRecord } from '../../../core/mapping/mapping.ts';

/** Rows of a part to look up, by their indexes, and the ids that a response had for some of them. */
export interface UnknownRows {
  readonly rows: readonly { readonly place: number; readonly row: RowFingerprint }[];
  readonly namedIds: ReadonlySet<string>;
}

/** The result of reading for the rows of an unknown part. */
export interface Match {
  /** The record found for each stored row, by the row's index. */
  readonly stored: ReadonlyMap<number, string>;
  /** The indexes of the other rows. */
  readonly missing: readonly number[];
  /** Number of ids in the response, and number of those found on a record with the values of a row. */
  readonly named: number;
  readonly namedFound: number;
  /** A record that isn't accounted for has the well and index of a missing row: it can be that row, changed. */
  readonly isAmbiguous: boolean;
}

/** Records that are not accounted for; each can be taken once. */
class Candidates {
  readonly #byFingerprint: Map<string, FoundRecord[]>;
  readonly #byId: Map<string, FoundRecord>;

  constructor(foundRecords: readonly FoundRecord[]) {
    this.#byId = new Map(foundRecords.map((foundRecord) => [foundRecord.id, foundRecord]));
    this.#byFingerprint = Map.groupBy(this.#byId.values(), ({ fingerprint }) => fingerprint);
  }

  /** Takes a record with these values that passes the test; null: there is none. */
  take(fingerprint: string, test: (id: string) => boolean): string | null {
    const same = this.#byFingerprint.get(fingerprint);
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
 * equal values. The rows of all parts are matched together, so that no record is taken twice.
 * @returns each part with its match
 */
export function matchRows<Part extends UnknownRows>(
  parts: readonly Part[],
  foundRecords: readonly FoundRecord[],
  isAccounted: (id: string) => boolean,
): { readonly part: Part; readonly match: Match }[] {
  const candidates = new Candidates(foundRecords.filter(({ id, before }) => !before && !isAccounted(id)));
  const allNamed = new Set(parts.flatMap(({ namedIds }) => [...namedIds]));
  const matches = parts.map((part) => ({ part, stored: new Map<number, string>(), namedFound: 0 }));
  const takeAll = (test: (id: string, named: ReadonlySet<string>) => boolean): void => {
    for (const { part, stored } of matches)
      for (const { place, row } of part.rows) {
        if (stored.has(place)) continue;
        const id = candidates.take(row.fingerprint, (candidate) => test(candidate, part.namedIds));
        if (id !== null) stored.set(place, id);
      }
  };
  // Ids in a response belong to its rows only.
  takeAll((id, named) => named.has(id));
  for (const match of matches) match.namedFound = match.stored.size;
  takeAll((id) => !allNamed.has(id));
  const keysLeft = candidates.keys;
  return matches.map(({ part, stored, namedFound }) => {
    const missing = part.rows.filter(({ place }) => !stored.has(place));
    const match = {
      stored,
      missing: missing.map(({ place }) => place),
      named: part.namedIds.size,
      namedFound,
      isAmbiguous: missing.some(({ row }) => keysLeft.has(row.key)),
    };
    return { part, match };
  });
}
