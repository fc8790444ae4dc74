import type { AppError } from '../../shared/errors/errors.ts';
import { formatCount } from '../format/numbers.ts';
import { counted } from './counted.ts';

export const record = {
  heading: 'Record',
  region: 'Record detail',
  number: (row: number) => `Row ${formatCount(row)}`,
  close: 'Close record',
  time: (time: string, zone: string) => `${time} (${zone})`,
  loading: 'Loading record…',
  tree: 'Record fields',
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
  label: 'Time zone',
  utc: 'UTC',
  local: (zone: string) => `Local (${zone})`,
  localShort: 'Local',
  well: (zone: string) => `Well (${zone})`,
  wellShort: 'Well',
  /** The zone of the wells was chosen, and there is none. */
  notWell: 'UTC (well zone unknown)',
  none: 'Well (no time zone set)',
  strange: (zone: string) => `Well (unknown time zone “${zone}”)`,
  several: 'Wells’ time zones (several)',
  unknown: 'Well (unknown)',
  wells: (zone: string, [first = '', ...otherWells]: readonly string[]) =>
    otherWells.length === 0
      ? `${zone}: ${first}`
      : `${zone}: ${first} and ${formatCount(otherWells.length)} more`,
  other: 'Other time zone…',
  pick: 'Show times in',
  zone: 'Time zone',
  nothing: 'No matching time zone. Time zones are named after places, such as America/Chicago.',
  raw: 'Raw',
};

/** Rows of a result that are not all of it. */
export interface RowsPart {
  readonly selected: boolean;
  readonly count: number;
  readonly gaps: number;
}

const withGaps = (gaps: number): string => (gaps === 0 ? '' : ` with ${counted(gaps, 'gap', 'gaps')}`);

const partText = ({ selected, count, gaps }: RowsPart): string =>
  selected
    ? counted(count, 'selected row', 'selected rows')
    : `${counted(count, 'loaded row', 'loaded rows')}${withGaps(gaps)}`;

export const results = {
  region: 'Results',
  maximize: 'Maximize results',
  restore: 'Restore query',
  view: 'View',
  views: { table: 'Table', plot: 'Plot', both: 'Both', quality: 'Quality' },
  loadingGrid: 'Loading grid…',
  running: (dataset: string) => `Querying ${dataset}…`,
  records: (count: number) => counted(count, 'record', 'records'),
  recordsSoFar: (count: number) => `${formatCount(count)}+ records`,
  showAll: 'Show all matching',
  loadingCell: 'Loading row…',
  failedCell: '⚠',
  failedTip: (error: AppError) => `Couldn’t load this row. ${error.message}`,
  sentinelTip: (value: string) => `${value}: null value (not measured)`,
  limited: 'limit reached',
  /** @param part such as “at most 1,000 records” */
  computedFrom: (part: string) => `from ${part}`,
  idle: 'Run the query to see results.',
  earlier: {
    loaded: 'The query has changed. These results are from an earlier query.',
    failed: 'The query has changed. This error is from an earlier query.',
  },
  /** Of results that stay when a run fails or is canceled. */
  kept: (time: string) => `The results below are from ${time} (local time).`,
  runAgain: 'Run query',
  cancelled: 'Canceled.',
  none: 'No matching records. Widen the query or select other wells.',
  noneInRange: 'No matching records in this range.',
  rawUnit: 'ms',
  storedUnit: 'as stored',
  storedTip: (value: string, unit: string) => `Stored as ${value} ${unit}`,
  zones,
  calculatedMark: 'ƒ',
  calculatedTip: (expression: string, note: string | null) =>
    `Calculated: ${expression}${note === null ? '' : `. ${note}`}`,
  calculatedEmpty: (name: string, reason: string) => `The calculated column ${name} has no values. ${reason}`,
  outOfReach: 'It needs more earlier rows than are loaded. Load all rows, sorted by time or depth.',
  merged: {
    wells:
      'No column identifies the well, so all rows count as one well. Add the asset ID to the fields of the query.',
    logs: 'No column identifies the log, so all logs of a well count as one. Add log_identifier to the fields of the query.',
  },
  textRange:
    'These times have offsets from UTC, and the service compares them as text. Records near the ends of the range can be missing or extra.',
  sortMark: { ascending: '↑', descending: '↓' },
  failedRows: 'Couldn’t load some of the visible rows.',
  copying: {
    label: 'Copy or save as',
    formats: {
      tsv: 'Copy as TSV (for spreadsheets)',
      csv: 'Copy as CSV',
      json: 'Copy as JSON',
      markdown: 'Copy as Markdown',
    },
    saveFormats: { csv: 'Save as CSV', ndjson: 'Save as NDJSON' },
    /** @param columns null: all */
    selected: (rows: number, columns: number | null) =>
      `${counted(rows, 'selected row', 'selected rows')}${columns === null ? '' : `, ${counted(columns, 'column', 'columns')}`}`,
    all: (rows: number) => `All ${counted(rows, 'row', 'rows')}`,
    /** @param of all that match, where that is known */
    loaded: (rows: number, of: number | null, gaps: number) =>
      `${counted(rows, 'loaded row', 'loaded rows')}${of === null ? '' : ` of ${formatCount(of)}`}${withGaps(gaps)}`,
    /** @param rows null: not counted */
    matching: (rows: number | null) =>
      rows === null ? 'All matching rows' : `All ${counted(rows, 'matching row', 'matching rows')}`,
    export: 'Export to file…',
    units: 'Units of copies',
    unitChoices: { stored: 'As stored', shown: 'As shown' },
  },
  partName: partText,
  saved: (rows: number, name: string) => `${counted(rows, 'row', 'rows')} saved as ${name}.`,
  notSaved: (reason: string) => `Couldn’t save the rows. ${reason}`,
  /** @param part which of the rows that match they are; null: all of them */
  copied: (rows: number, part: RowsPart | null) =>
    `Copied ${part && !part.selected ? partText(part) : counted(rows, 'row', 'rows')}.`,
  copiedCells: (cells: number) => `Copied ${counted(cells, 'cell', 'cells')}.`,
  /** @param unit of the only copied column; null: there are several */
  copiedStored: (unit: string | null) =>
    unit === null ? 'Numbers are in stored units.' : `Stored unit: ${unit}.`,
  /** @param unit of the only copied column; null: there are several */
  copiedShown: (unit: string | null) =>
    unit === null ? 'Numbers are in the units shown.' : `Shown unit: ${unit}.`,
  copiedText: 'Copied.',
  notCopied: (reason: string) => `Couldn’t copy the rows. ${reason}`,
  notFiltered: 'Couldn’t add this condition to the query. Enter it in the editor.',
  menu: {
    plot: 'Plot this field',
    label: 'Cell and column menu',
    cellHeading: 'Cell and row',
    record: 'Show record',
    copyCell: 'Copy cell',
    /** @param columns null: all */
    copyRows: (rows: number, columns: number | null, format: keyof typeof formatNames) =>
      `Copy ${rows === 1 ? 'row' : counted(rows, 'row', 'rows')}${columns === null ? '' : `, ${counted(columns, 'column', 'columns')},`} as ${formatNames[format]}`,
    copyColumn: 'Copy loaded values',
    copyPath: 'Copy path',
    filter: 'Filter by this value',
    ascending: 'Sort ascending (reruns query)',
    descending: 'Sort descending (reruns query)',
    summary: 'Summary',
    pin: 'Pin left',
    unpin: 'Unpin',
    hide: 'Hide',
    setField: 'Rename or set unit…',
    rename: 'Rename…',
    calculate: 'Add calculated column…',
    editCalculated: 'Edit calculated column…',
    removeCalculated: 'Remove calculated column',
    /** @param isStored it is the unit of the stored values */
    showIn: (unit: string, isStored: boolean) => `Show in ${unit}${isStored ? ' (as stored)' : ''}`,
  },
  columns: {
    heading: 'Columns',
    some: (hidden: number) => `Columns: ${formatCount(hidden)} hidden`,
    hidden: (hidden: number) => `−${formatCount(hidden)}`,
    search: 'Search columns',
    reset: 'Reset columns',
    export: 'Export these columns',
    distributions: 'Distributions under the headers',
  },
  find: {
    label: 'Find in loaded records',
    placeholder: 'Find',
    /** @param rows how many rows were searched, where those are not all; null: all */
    hits: (hits: number, rows: number | null) =>
      rows === null
        ? hits === 0
          ? 'No results'
          : `${formatCount(hits)} found`
        : `${hits === 0 ? 'No results' : formatCount(hits)} in ${counted(rows, 'loaded row', 'loaded rows')}`,
    /** @param at the selected match of those so far; 0: none */
    searching: (hits: number, at: number) =>
      hits === 0
        ? 'Searching…'
        : `Searching… ${at === 0 ? `${formatCount(hits)} found` : `${formatCount(at)} of ${formatCount(hits)}`}`,
    failed: 'The search failed.',
    loadAll: 'Load and search all',
    loading: (rows: number, all: number | null) =>
      `Loading ${all === null ? '' : `${formatCount(rows)} of `}${counted(all ?? rows, 'row', 'rows')}`,
    place: (at: number, hits: number, rows: number | null) =>
      `${formatCount(at)} of ${formatCount(hits)}${rows === null ? '' : ` in ${counted(rows, 'loaded row', 'loaded rows')}`}`,
    next: 'Next match',
    before: 'Previous match',
  },
  selection: {
    /** @param columns null: all */
    cells: (rows: number, columns: number | null) =>
      columns === null
        ? `${counted(rows, 'row', 'rows')} selected`
        : `${counted(rows * columns, 'cell', 'cells')} selected`,
    loaded: (rows: number) => `${counted(rows, 'row', 'rows')} loaded`,
    values: (count: number) => `Count ${formatCount(count)}`,
    numbers: (count: number) => `Numbers ${formatCount(count)}`,
    sum: (value: string) => `Sum ${value}`,
    mean: (value: string) => `Mean ${value}`,
    min: (value: string) => `Min ${value}`,
    max: (value: string) => `Max ${value}`,
  },
  summary: {
    region: 'Column summary',
    close: 'Close summary',
    loading: 'Calculating…',
    loaded: (records: number) => `In ${counted(records, 'loaded record', 'loaded records')}`,
    whole: 'In all matching records',
    askWhole: 'Calculate for all matches',
    records: 'Records',
    values: 'With value',
    numbers: 'Numbers',
    nulls: 'Null',
    absent: 'Missing',
    sentinels: 'Null values such as -999.25',
    distinct: 'Distinct',
    many: 'more than 100,000',
    min: 'Min',
    mean: 'Mean',
    max: 'Max',
    frequent: 'Most frequent values',
    histogram: (from: string, to: string) => `Histogram from ${from} to ${to}`,
  },
  /** What the rig did in all records. */
  onlyStates: (states: readonly string[]) => `${states.join(', ')} only`,
  distribution: {
    /** Below the lowest value. */
    to: (highest: string) => `– ${highest}`,
    /** @param distinct null: more than can be counted */
    distinct: (distinct: number | null) =>
      distinct === null ? 'More than 100,000 values' : counted(distinct, 'value', 'values'),
    none: 'No values',
    /** @param share from 0 to 1 */
    empty: (share: number) => `${share < 0.01 ? '<1' : formatCount(Math.floor(100 * share))}% empty`,
    rows: (rows: number) => `from ${counted(rows, 'loaded row', 'loaded rows')}`,
    covered: (rows: number, isAll: boolean) =>
      isAll
        ? `Distributions of all ${counted(rows, 'row', 'rows')}`
        : `Distributions of ${counted(rows, 'loaded row', 'loaded rows')}`,
  },
  well: 'Well',
  wellTip: 'Name of the well with this asset ID. The record contains only the ID.',
  unknownWell: 'No listed well has this asset ID',
  nullCell: 'null',
  items: (count: number) => `[${counted(count, 'item', 'items')}]`,
  absentTip: 'Missing: the record doesn’t contain this field',
  nullTip: 'null',
  value: '(value)',
  grid: (dataset: string) => `Records of ${dataset}`,
};

export const calculatedWords = {
  add: 'Add calculated column',
  edit: (name: string) => `Edit calculated column ${name}`,
  expression: 'Expression',
  example: 'wob * rpm / rop',
  name: 'Name',
  unnamed: (number: number) => (number === 1 ? 'calculated' : `calculated ${number}`),
  taken: 'This result already contains a column with this name. Enter another name.',
  unit: 'Unit',
  noUnit: 'none, or unknown',
  unitNote: (unit: string | null) =>
    unit === null
      ? 'The unit can’t be derived from the columns. Enter it if you know it.'
      : `${unit}, derived from the columns. Enter another unit to replace it.`,
  place: (before: string, wrong: string, after: string) => `${before}⟦${wrong}⟧${after}`,
  save: 'Save column',
  addColumn: 'Add column',
  remove: 'Remove column',
  partial: 'Rows at the edge of the loaded part have no value until earlier rows are loaded.',
  full: (most: number) => `A result can have up to ${most} calculated columns. Remove one first.`,
};
