/** A word of the query language: what it does, and how its value is usually written. */
export interface CatalogueEntry {
  readonly name: string;
  /** One sentence. */
  readonly says: string;
  /** What is put behind the name; `|` is where typing goes on. */
  readonly body: string;
}

type Row = readonly [name: string, says: string, body: string];

/** A catalogue by name; an inherited name is not in it. */
export function catalogueOf(rows: readonly Row[]): ReadonlyMap<string, CatalogueEntry> {
  return new Map(rows.map(([name, says, body]) => [name, { name, says, body }]));
}
