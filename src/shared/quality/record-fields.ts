/** Fields that name a record or where it is stored, and have no quality of their own. */
export const bookkeepingFields: ReadonlySet<string> = new Set([
  '_id',
  'provider',
  'collection',
  'company_id',
  'metadata.company_id',
  'version',
]);

/** The name of a series: its well, and its log if wells have several. */
export const seriesName = (well: string, log: string): string => (log === '' ? well : `${well} ${log}`);
