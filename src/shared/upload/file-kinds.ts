/** Kinds of files for dialogs, with the extensions that they usually have. The content decides what a file is. */
export const fileKinds = [
  { name: 'CSV and other text tables', extensions: ['csv', 'tsv', 'psv', 'txt', 'dev', 'prn', 'asc'] },
  { name: 'Excel workbooks', extensions: ['xlsx', 'xlsm', 'xls'] },
  { name: 'LAS files', extensions: ['las'] },
  { name: 'DLIS and LIS files', extensions: ['dlis', 'lis'] },
  { name: 'WITSML logs', extensions: ['xml', 'witsml'] },
  { name: 'WITS files', extensions: ['wits', 'wits0'] },
  { name: 'JSON files', extensions: ['json', 'geojson', 'ndjson', 'jsonl'] },
  { name: 'Parquet files', extensions: ['parquet'] },
  { name: 'Compressed files', extensions: ['gz', 'zip'] },
] as const;

export const fileExtensions: readonly string[] = fileKinds.flatMap(({ extensions }) => [...extensions]);
