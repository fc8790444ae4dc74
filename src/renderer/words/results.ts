import type { AppError } from '../../shared/errors/errors.ts';
import { formatCount } from '../format/numbers.ts';
import { counted } from './counted.ts';

/** The words of one record. */
export const record = {
  heading: 'Record',
  region: 'Record detail',
  number: (row: number) => `Row ${formatCount(row)}`,
  close: 'Close the record',
  loading: 'Fetching the record…',
  tree: 'Fields of the record',
  copyPath: 'Copy path',
  copyValue: 'Copy value',
  copyRecord: 'Copy record',
  filter: 'Filter by this value',
};

const formatNames = {
  tsv: 'TSV (for spreadsheets)',
  csv: 'CSV',
  json: 'JSON',
  markdown: 'Markdown',
} as const;

const zones = {
  label: 'Times',
  utc: 'UTC',
  local: (zone: string) => `Local: ${zone}`,
  localShort: 'Local',
  well: (zone: string) => `Well’s: ${zone}`,
  wellShort: 'Well’s',
  /** The zone of the wells was chosen, and there is none. */
  notWell: 'UTC, not well’s',
  none: 'Well’s: the platform tells none',
  strange: (said: string) => `Well’s: “${said}” is no zone known here`,
  several: 'Wells’: they lie in several zones',
  unknown: 'Well’s: not known',
  wells: (zone: string, [first = '', ...others]: readonly string[]) =>
    others.length === 0 ? `${zone}: ${first}` : `${zone}: ${first} and ${formatCount(others.length)} more`,
  other: 'Another zone…',
  pick: 'Show times in',
  zone: 'Zone',
  nothing: 'No zone is called so. Zones are called by their place, such as America/Chicago.',
  raw: 'As sent',
};

/** Rows of an answer that are not all of it. */
export interface RowsPart {
  readonly selected: boolean;
  readonly count: number;
  /** How many stretches of rows are missing between them. */
  readonly gaps: number;
}

const withGaps = (gaps: number): string => (gaps === 0 ? '' : ` with ${counted(gaps, 'gap', 'gaps')}`);

const partText = ({ selected, count, gaps }: RowsPart): string =>
  selected
    ? counted(count, 'selected row', 'selected rows')
    : `${counted(count, 'loaded row', 'loaded rows')}${withGaps(gaps)}`;

/** The words of results. */
export const results = {
  region: 'Answer',
  view: 'View',
  views: { table: 'Table', plot: 'Plot', both: 'Both' },
  loadingGrid: 'Loading the grid…',
  running: (dataset: string) => `Asking ${dataset}…`,
  records: (count: number) => counted(count, 'record', 'records'),
  recordsSoFar: (count: number) => `${formatCount(count)} records or more`,
  showAll: 'Show all that match',
  coming: 'This row is being fetched.',
  failedCell: '⚠',
  failedTip: (error: AppError) => `This row could not be fetched. ${error.message}`,
  sentinelTip: (value: string) => `${value}: nothing was measured`,
  limited: 'limit reached',
  idle: 'Run the query to see its records here.',
  earlier: {
    full: 'The query has changed. These are the results of an earlier query.',
    failed: 'The query has changed. This is the error of an earlier query.',
  },
  runAgain: 'Run the query',
  cancelled: 'Cancelled. The request was stopped.',
  none: 'No record matches. Widen the query, choose other wells, or count without conditions.',
  rawUnit: 'ms',
  zones,
  sortMark: { ascending: '↑', descending: '↓' },
  failedRows: 'Some rows in view could not be fetched.',
  copying: {
    label: 'Copy or save as',
    formats: {
      tsv: 'Copy as TSV (for spreadsheets)',
      csv: 'Copy as CSV',
      json: 'Copy as JSON',
      markdown: 'Copy as Markdown',
    },
    saveFormats: { csv: 'Save as CSV', ndjson: 'Save as NDJSON' },
    selected: (rows: number) => counted(rows, 'selected row', 'selected rows'),
    all: (rows: number) => `All ${counted(rows, 'row', 'rows')}`,
    /** @param of all that match, where that is known */
    loaded: (rows: number, of: number | null, gaps: number) =>
      `${counted(rows, 'loaded row', 'loaded rows')}${of === null ? '' : ` of ${formatCount(of)}`}${withGaps(gaps)}`,
    matching: 'All rows that match',
    export: 'Export to a file…',
  },
  partName: partText,
  saved: (rows: number, name: string) => `${counted(rows, 'row', 'rows')} saved as ${name}.`,
  notSaved: (why: string) => `Nothing was saved. ${why}`,
  /** @param part which of the rows that match they are; null: all of them */
  copied: (rows: number, part: RowsPart | null) =>
    `Copied ${part && !part.selected ? partText(part) : counted(rows, 'row', 'rows')}.`,
  copiedText: 'Copied.',
  notCopied: (why: string) => `Nothing was copied. ${why}`,
  notFiltered: 'The query could not take this condition. Type it in yourself.',
  menu: {
    plot: 'Plot this field',
    label: 'Cell and column',
    cellHeading: 'Cell and row',
    copyCell: 'Copy cell',
    copyRows: (rows: number, format: keyof typeof formatNames) =>
      `Copy ${rows === 1 ? 'row' : counted(rows, 'row', 'rows')} as ${formatNames[format]}`,
    copyColumn: 'Copy the loaded values',
    copyPath: 'Copy path',
    filter: 'Filter by this value',
    ascending: 'Sort ascending, and ask again',
    descending: 'Sort descending, and ask again',
    summary: 'Summary',
    pin: 'Pin at the left',
    unpin: 'Unpin',
    hide: 'Hide',
  },
  columns: {
    heading: 'Columns',
    some: (hidden: number) => `Columns: ${formatCount(hidden)} hidden`,
    hidden: (hidden: number) => `−${formatCount(hidden)}`,
    search: 'Search columns',
    reset: 'As at first',
    export: 'Export these columns',
  },
  find: {
    label: 'Find in the loaded records',
    placeholder: 'Find',
    /** @param rows how many rows were searched, where those are not all; null: all */
    hits: (hits: number, rows: number | null) =>
      rows === null
        ? hits === 0
          ? 'not found'
          : `${formatCount(hits)} found`
        : `${hits === 0 ? 'not' : formatCount(hits)} in the ${counted(rows, 'loaded row', 'loaded rows')}`,
    loadAll: 'Load and search all',
    loading: (rows: number, all: number | null) =>
      `Loading ${formatCount(rows)}${all === null ? '' : ` of ${formatCount(all)}`} rows`,
    place: (at: number, hits: number) => `${formatCount(at)} of ${formatCount(hits)}`,
    next: 'Next place',
    before: 'Place before',
  },
  summary: {
    region: 'Column summary',
    close: 'Close the summary',
    loading: 'Summing up…',
    loaded: (records: number) => `In ${counted(records, 'loaded record', 'loaded records')}`,
    whole: 'In all that match',
    askWhole: 'Ask the service',
    records: 'Records',
    values: 'With a value',
    numbers: 'Numbers',
    nulls: 'null',
    absent: 'Absent',
    sentinels: 'Null values such as -999.25',
    distinct: 'Different',
    many: 'more than 100,000',
    min: 'Least',
    mean: 'Mean',
    max: 'Greatest',
    frequent: 'Most frequent values',
    histogram: (from: string, to: string) => `Histogram from ${from} to ${to}`,
  },
  nullCell: 'null',
  items: (count: number) => `[${counted(count, 'item', 'items')}]`,
  absentTip: 'absent: the record has no such field',
  nullTip: 'null',
  value: '(value)',
  grid: (dataset: string) => `Records of ${dataset}`,
};
