import { counted } from './counted.ts';

/** The words of exports. */
export const exporting = {
  heading: 'Export everything that matches',
  texts: {
    find: 'All records of the query, not only those shown. Limit and skip do not count.',
    answer: 'All records that match the query of the results below. Its limit and skip do not apply.',
    whole: 'The whole answer, in its own order.',
  },
  format: 'Format',
  formats: { csv: 'CSV', ndjson: 'NDJSON', json: 'JSON', parquet: 'Parquet' },
  csvStyle: 'CSV for',
  csvStyles: {
    own: 'As in the settings',
    plain: 'Programs: RFC 4180, every text as it is',
    excel: 'Excel: with a byte order mark; texts that begin like a formula are made harmless',
    decimalComma: 'Excel with decimal commas: semicolons between cells',
    tabs: 'Tabs between cells, LF at line ends',
  },
  only: (fields: readonly string[]) =>
    `Only ${counted(fields.length, 'field', 'fields')}: ${fields.join(', ')}.`,
  fileName: 'File name',
  fileNameMissing: 'Give the file a name.',
  times: 'Times',
  raw: 'As the service gives them',
  utc: 'ISO 8601, UTC',
  local: (zone: string) => `ISO 8601, ${zone}`,
  start: 'Start export',
  starting: 'Starting…',
};
