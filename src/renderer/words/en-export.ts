/** The words of exports in English. */
export const exporting = {
  heading: 'Export everything that matches',
  texts: {
    find: 'All records of the query, not only those shown. Limit and skip do not count.',
    whole: 'The whole answer, in its own order.',
  },
  format: 'Format',
  formats: { csv: 'CSV', ndjson: 'NDJSON', json: 'JSON', parquet: 'Parquet' },
  fileName: 'File name',
  fileNameMissing: 'Give the file a name.',
  times: 'Times',
  raw: 'As the service gives them',
  utc: 'ISO 8601, UTC',
  local: (zone: string) => `ISO 8601, ${zone}`,
  start: 'Start export',
  starting: 'Starting…',
};
