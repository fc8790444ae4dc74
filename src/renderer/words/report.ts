import { formatCount } from '../format/numbers.ts';
import { counted } from './counted.ts';

/** A report is a page of the queries in a folder. */
export const reportWords = {
  region: (folder: string) => `Report ${folder}`,
  title: (folder: string, wells: string) => (wells === '' ? folder : `${folder}: ${wells}`),
  open: 'Open as report',
  openNamed: (folder: string) => `Open as report: ${folder}`,
  /** Other words that find it, which aren’t shown. */
  also: 'morning daily report pdf html page print hand over',
  page: 'Page of the report',
  refresh: 'Refresh',
  saveHtml: 'Save as HTML',
  print: 'Print or save as PDF',
  note: 'Note',
  noteHint: 'Appears below the title.',
  loading: 'Loading the report…',
  empty: (folder: string) =>
    `No queries in “${folder}” yet. Queries that you save in this folder become parts of the report, sorted by name.`,
  progress: (done: number, all: number) =>
    done === all
      ? `${counted(all, 'part', 'parts')} read`
      : `Read ${formatCount(done)} of ${counted(all, 'part', 'parts')}…`,
  saved: (name: string) => `Saved ${name}.`,
  waiting: 'Waiting…',
  reading: (rows: number) =>
    rows === 0 ? 'Reading…' : `Reading: ${counted(rows, 'record', 'records')} so far…`,
  failed: (message: string) => `Couldn’t read this part. ${message}`,
  noRecords: 'No matching records.',
  sql: 'From the SQL tables on this computer, not reloaded for these wells and this range',
  picture: (fields: string) => `Plot of ${fields}`,
  noPlot: (fields: string) =>
    `The plot of this query no longer fits its records: ${fields} is missing. Open the query, select other fields, and save it.`,
  withoutFields: (fields: string) => `Not in these records: ${fields}.`,
  unitsMissing:
    'Couldn’t read all fields of this dataset. Where a unit is missing, values and calculated columns are as stored.',
  noNumbers: 'No values to plot.',
  table: (name: string) => `Table of ${name}`,
  /** @param isLimited whether more match than the query asks for */
  rows: (shown: number, all: number, isLimited: boolean) =>
    `Showing the first ${formatCount(shown)} of ${counted(all, 'row', 'rows')}${isLimited ? ', the limit of the query. More may match.' : '.'}`,
  limited: (rows: number) => `The first ${formatCount(rows)} rows, the limit of the query. More may match.`,
  columns: (shown: number, all: number) =>
    `${formatCount(shown)} of ${formatCount(all)} columns. To select them, hide columns in the table or list fields in the query.`,
  moreNotes: (count: number) => `${counted(count, 'older note isn’t', 'older notes aren’t')} shown.`,
  source: (datasets: readonly string[], connection: string) =>
    `Source: ${datasets.join(', ')}, connection ${connection}`,
  made: (time: string) => `Created ${time}`,
};
