/** A word of the query language: what it does, and how its value is usually written. */
export interface CatalogueEntry {
  readonly name: string;
  readonly says: string;
  /** Inserted after the name; `|` marks the caret. */
  readonly body: string;
}

type Row = readonly [name: string, says: string, body: string];

/** A catalogue by name; an inherited name is not in it. */
export function catalogueOf(rows: readonly Row[]): ReadonlyMap<string, CatalogueEntry> {
  return new Map(rows.map(([name, description, body]) => [name, { name, says: description, body }]));
}
