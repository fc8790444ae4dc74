/** The ids and key values of a page's records, as JSON text. */
export interface PageKeys {
  readonly count: number;
  id(record: number): string | null;
  value(record: number): string | null;
}
