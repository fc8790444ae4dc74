/** The formats that Wellbench reads, by the names that summaries and plans have. */
export const fileFormats = [
  'csv',
  'ndjson',
  'json',
  'xlsx',
  'xls',
  'las',
  'witsml',
  'parquet',
  'text',
  'wits0',
] as const;
export type FileFormat = (typeof fileFormats)[number];

/** The formats that are converted before they are read; CSV and NDJSON are read as they are. */
export type SourceFormat = Exclude<FileFormat, 'csv' | 'ndjson'>;
