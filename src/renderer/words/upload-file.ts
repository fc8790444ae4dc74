import type { FileWarning } from '../../shared/upload/upload.ts';
import type { RowPlaces, FileFormat, FileTable } from '../../shared/upload/formats.ts';
import type { WarningCode } from '../../shared/upload/warnings.ts';
import { visibleLine } from '../../shared/errors/errors.ts';
import { formatCount } from '../format/numbers.ts';
import { counted } from './counted.ts';

type Warned = Pick<FileWarning, 'column' | 'cell' | 'cells' | 'count'>;

const times = (count: number): string => (count === 1 ? '1 time is' : `${formatCount(count)} times are`);
const fallOnMidnight = (count: number): string =>
  count === 1 ? 'its row is at midnight' : `all ${formatCount(count)} rows are at midnight`;
const column = (warned: Warned): string => `Column “${visibleLine(warned.column ?? '')}”`;

/** Strings of the raw-lines view. */
export const raw = {
  choice: 'Preview as',
  table: 'Table',
  lines: 'Raw lines',
  label: (file: string) => `First lines of ${file}`,
  line: 'Line',
  taken: 'Used as',
  text: 'Text',
  kinds: {
    row: '',
    header: 'header',
    units: 'units',
    comment: 'comment',
    blank: 'blank',
    left_out: 'skipped',
    foot: 'footer',
  },
  signs: {
    'U+0009': 'tab',
    'U+0020': 'space',
    'U+00A0': 'no-break space',
    'U+FEFF': 'byte order mark',
    'U+200B': 'zero width space',
    'U+00AD': 'soft hyphen',
    'U+0000': 'NUL',
  } as Readonly<Record<string, string>>,
  endings: { LF: 'LF', CRLF: 'CR LF', CR: 'CR' },
  cut: ' … (line continues)',
};

/** Strings for the edges of columns in text. */
export const edges = {
  label: 'Column edges',
  note: 'Drag edges. Click to add one, double-click to remove it.',
  add: 'Add edge',
  reset: 'Reset to detected',
  edge: (number: number) => `Edge after column ${formatCount(number)}`,
  at: (position: number) => `after ${counted(position, 'character', 'characters')}`,
};

export function inUnits(code: WarningCode, count: number): string {
  if (code === 'preamble' || code === 'comment_lines' || code === 'mixed_newlines' || code === 'page_headers')
    return counted(count, 'line', 'lines');
  if (code === 'records_encrypted') return counted(count, 'record', 'records');
  if (code === 'records_damaged') return counted(count, 'place', 'places');
  if (code === 'several_tables' || code === 'hidden_table' || code === 'several_wells') return '';
  return rowsOf(count);
}

const rowsOf = (count: number): string => (count === 1 ? '1 row' : `${formatCount(count)} rows`);
const valuesOf = (count: number): string => (count === 1 ? '1 value is' : `${formatCount(count)} values are`);

/** Strings for null values and type exceptions. */
export const values = {
  nulls: 'Treat as null',
  nullsProposed: (tokens: readonly string[]) =>
    `Treated as null, because no other value is close: ${tokens.join(' and ')}.`,
  nullsNote:
    'Separate with commas, or paste a column, for example -999.25. Blank cells are always null, and NULL, NaN, and N/A by default.',
  keptAsText: 'Kept as text:',
  exceptions: 'Type exceptions',
  exceptionShare: (share: number, isDefault: boolean) =>
    share === 0
      ? 'None (one exception makes the column text)'
      : `Under ${Number((share * 100).toFixed(2))}%${isDefault ? ' (default)' : ''}`,
  blanksAround: 'Leading and trailing spaces',
  trim: { remove: 'Remove', keep: 'Keep' },
  exceptionsNote:
    'If fewer values than this have another type, the column keeps its type, and their rows are rejected.',
};

/** Strings for warnings about a file that the window can resolve. */
export const warnings = {
  takeAsNull: (cell: string) => `Treat “${cell}” as null`,
  showLine: (line: number, kind?: RowPlaces['kind']) => `Show ${placeText(line, kind)}`,
  options: {
    encoding: 'Select encoding',
    delimiter: 'Select delimiter',
    headerRow: 'Select header line',
    shortRows: 'Select action for short rows',
    hashLines: 'Select how lines with # are read',
    apostrophes: 'Select action for apostrophes',
    arrays: 'Select how arrays are read',
    table: 'Select table',
  },
  column: (name: string) => `Go to “${name}”`,
  asText: (name: string) => `Read “${name}” as text`,
  skip: (name: string) => `Skip “${name}”`,
  wells: 'Go to wells in the file',
  fields: 'Map it in Columns',
  leaveOutBlanks: 'Skip these rows',
  showRecords: 'Show existing records',
  /** Why nothing can be pressed, or what to do in the file. */
  inFile: {
    mixed_newlines: 'No action needed.',
    empty_columns: 'No action needed.',
    single_record: 'Save the rows as a list of objects in the file.',
    header_differs: 'Check the header of the file against its data.',
    rejects_unclear:
      'Add the file of rejected rows under its original name from the folder in which its upload wrote it, or set the units and formats of its columns.',
    records_damaged: 'Get the file again from its source.',
    records_encrypted: 'Ask the producer of the file for an unencrypted one.',
    other: 'Reported by another version of Wellbench. Validate the file again.',
  } as Readonly<Partial<Record<WarningCode, string>>>,
  selectedWell: 'Store all rows under the selected well',
  chooseReading: (name: string) => `Select the format of “${name}”`,
  combine: (name: string, clock: string) => `Combine “${name}” with “${clock}”`,
  leaveOutFoot: (count: number) => `Skip the last ${count === 1 ? 'row' : `${formatCount(count)} rows`}`,
  countFooter: 'Keep as data',
  keepAsText: (cell: string) => `Keep “${cell}” as ${Number.isFinite(Number(cell)) ? 'a number' : 'text'}`,
  headerAt: (line: number) => `Use line ${formatCount(line)} for column names`,
  noHeader: 'Use as data',
  readIn: (encoding: string) => `Read as ${encoding}`,
  restoreZeros: (digits: number) => `Restore leading zeros (${formatCount(digits)} digits)`,
  zerosRestored: (digits: number) => `Sent as ${formatCount(digits)}-digit text.`,
  of: {
    existing_unread: () =>
      'Wellbench can’t read the dataset, so it can’t find existing records. Insert all rows, or ask your administrator for read permission.',
    serial_dates: (warned) =>
      `${column(warned)} contains numbers such as ${warned.cell ?? ''}, which may be spreadsheet dates. If so, select “Spreadsheet serial date” in Columns.`,
    lost_zeros: (warned) =>
      `${column(warned)}: ${warned.cell ?? ''} is too short. A spreadsheet has removed leading zeros.`,
    sentinel_values: (warned) => `${column(warned)} contains ${warned.cell ?? ''}, which often means null.`,
    ambiguous_dates: (warned) =>
      `${column(warned)} contains dates such as ${warned.cell ?? ''} that can be read in several ways. Select the format in Columns.`,
    mixed_dates: (warned) =>
      `${column(warned)} contains several date formats and is read as text. To read dates, select one format in Columns; rows in other formats are then rejected.`,
    implausible_times: (warned) =>
      `${column(warned)} contains ${warned.cell ?? 'values'}, not a time from 1950 to next year. Correct the file, or select the format in Columns.`,
    zone_missing: (warned) =>
      `${column(warned)} contains times without a time zone. If they aren’t UTC, select the time zone in Columns.`,
    zone_assumed: (warned) =>
      `${column(warned)} contains times without a time zone, read as UTC. If they aren’t UTC, select the time zone.`,
    time_as_text: (warned) =>
      `${column(warned)}: ${times(warned.count)} stored as text, without a time zone. To store UTC, read the column as times and select a time zone.`,
    time_twice: (warned) =>
      `${warned.column === undefined ? '' : `${column(warned)}: `}${times(warned.count)} ambiguous because of a clock change, even by the order of rows. The first is used.`,
    times_by_order: (warned) =>
      `${column(warned)}: ${times(warned.count)} ambiguous because of a clock change. The order of rows decides.`,
    times_by_setting: (warned) =>
      `${column(warned)}: ${times(warned.count)} ambiguous because of a clock change. Your selection decides.`,
    times_at_midnight: (warned) =>
      `${column(warned)} contains dates without a time of day: ${fallOnMidnight(warned.count)}.`,
    time_of_day_unused: (warned) =>
      `${column(warned)} contains dates without a time of day: ${fallOnMidnight(warned.count)}. Column “${warned.cell ?? ''}” has times of day.`,
    lost_characters: (warned) =>
      `${column(warned)}: ${valuesOf(warned.count)} damaged: \uFFFD replaces a character that was lost before the file was saved. Get the file again from its source.`,
    blanks_removed: (warned) =>
      `${column(warned)}: leading and trailing spaces are removed from ${counted(warned.count, 'value', 'values')}.`,
    null_words: (warned) => `${column(warned)}: “${warned.cell ?? ''}” is treated as null.`,
    type_exceptions: (warned) =>
      `${column(warned)}: ${valuesOf(warned.count)} of another type, such as “${warned.cell ?? ''}”.`,
    header_unclear: ({ cells: [used = '', other] = [] }) =>
      other === undefined
        ? `The header fits the rows poorly: ${used}.`
        : `Two headers fit the rows almost equally well: ${used}, which is used, and ${other}.`,
    header_assumed: () => 'The first row is used as the header, but it could be data.',
    encoding_guessed: (warned) =>
      `The file isn’t UTF-8. It is read as ${warned.cell ?? ''}, which may be wrong. Check accented letters and symbols in the preview.`,
    footer_rows: ({ count }) =>
      `The last ${count === 1 ? 'row is a footer and is' : `${formatCount(count)} rows are footer rows and are`} skipped.`,
    foot_rows: ({ count }) =>
      `The last ${count === 1 ? 'row' : `${formatCount(count)} rows`} may be a footer, not data.`,
  } as Readonly<Partial<Record<WarningCode, (warned: Warned) => string>>>,
};

/** One line for a warning about several columns: the text after their number. */
export const inColumns = {
  columns: (count: number) => counted(count, 'column', 'columns'),
  of: {
    null_words: ({ cell = '' }) => `“${cell}” is treated as null.`,
    sentinel_values: ({ cell = '' }) => `${cell} often means null.`,
    decimal_comma: () => 'read with a decimal comma.',
    thousands: () => 'read with thousands separators.',
    blanks_removed: () => 'leading and trailing spaces are removed.',
    zone_missing: () => 'times without a time zone.',
    time_as_text: () => 'times without a time zone are stored as text.',
    times_at_midnight: () => 'dates without a time of day.',
    lost_characters: () => 'values with \uFFFD, a character lost before the file was saved.',
    empty_name: () => 'no name.',
    duplicate_names: () => 'same name as another column.',
    unit_missing: () => 'no unit in the file. Values are stored unchanged, in the units of their fields.',
    unit_of_new_field: () => 'new fields, which get the unit of the file.',
    // Some of these columns may be converted.
    field_unit_unknown: () => 'the unit of the field isn’t known.',
    unit_mismatch: () => 'not converted to the unit of the field. Values are stored unchanged.',
    unit_kept: () => 'conversion is off. Values are stored unchanged.',
    type_exceptions: () => 'values of another type.',
    mixed_types: () => 'numbers mixed with text, read as text.',
  } as Readonly<Partial<Record<WarningCode, (warned: Warned) => string>>>,
};

export const columnTimes = {
  format: 'Time format',
  formatNote: 'A pattern such as dd.MM.yyyy HH:mm:ss',
  formats: {
    iso: 'ISO 8601',
    unix_ms: 'Unix time in milliseconds',
    unix_s: 'Unix time in seconds',
    unix_us: 'Unix time in microseconds',
    unix_ns: 'Unix time in nanoseconds',
    excel_1900: 'Spreadsheet serial date',
    excel_1904: 'Spreadsheet serial date (1904 system)',
  },
  zone: 'Default time zone',
  zoneOfWell: (well: string) => `Time zone of ${well}`,
  zoneOfFile: 'Time zone of the file',
  timeOfDay: 'Time of day from',
  noTimeOfDay: 'None',
  meant: (cell: string) => `Meaning of “${cell}”`,
  meantOne: (time: string, format: string) => `${time} (${format})`,
  chooseMeant: (cell: string) => `“${cell}” can be read in several ways. Select the correct time.`,
  chooseFormat: (cell: string) => `Select the format of “${cell}”.`,
  inZone: (zone: string) => `In ${zone}`,
  sent: 'Sent, in UTC',
  repeated: (pass: 'first' | 'second') => `This time occurred twice (clock change). The ${pass} is used.`,
  repeatedTimes: 'Times that occur twice (clock change)',
  repeatedReading: { order: 'By the order of rows', first: 'The first', second: 'The second' },
  repeatedCounts: (first: number, second: number, undecided: number) =>
    `By the order of rows, ${formatCount(first)} are the first and ${formatCount(second)} the second.${
      undecided === 0
        ? ''
        : ` For ${formatCount(undecided)}, the order is inconclusive, and the first is used.`
    }`,
};

export type PlaceKind = RowPlaces['kind'];

const formats: Readonly<Record<FileFormat, string>> = {
  csv: 'CSV or other delimited text',
  ndjson: 'JSON Lines',
  json: 'JSON',
  xlsx: 'Excel workbook',
  xls: 'Excel workbook (.xls)',
  las: 'LAS',
  witsml: 'WITSML log',
  parquet: 'Parquet',
  text: 'Text with aligned columns',
  wits0: 'WITS level 0',
  dlis: 'DLIS',
  lis: 'LIS',
};

const places: Readonly<Record<PlaceKind, { readonly one: string; readonly title: string }>> = {
  line: { one: 'line', title: 'Line' },
  row: { one: 'row', title: 'Row' },
  element: { one: 'element', title: 'Element' },
  frame: { one: 'frame', title: 'Frame' },
};

/** A place in a file: "line 40", "row 12". */
export const placeText = (place: number, kind: PlaceKind = 'line'): string =>
  `${places[kind].one} ${formatCount(place)}`;

/** Strings for formats of files, their tables, and their headers. */
export const source = {
  format: 'Format',
  formats,
  compressed: (format: string, compression: 'gzip' | 'zip') => `${format}, ${compression} compressed`,
  table: 'Table',
  tables: (count: number) => `${formatCount(count)} tables`,
  tableText: ({ name, rows, columns, isHidden }: FileTable) =>
    [
      visibleLine(name),
      ...(rows === null ? [] : [counted(rows, 'row', 'rows')]),
      counted(columns, 'column', 'columns'),
      ...(isHidden ? ['hidden'] : []),
    ].join(' · '),
  index: 'Index',
  indexText: (name: string, unit: string | null, kind: 'time' | 'depth' | 'vertical_depth' | 'other') =>
    `${name}${unit === null ? '' : ` [${unit}]`}${kind === 'other' ? '' : `, ${kind.replace('_', ' ')}`}`,
  header: 'File header',
  headerName: 'Name',
  headerValue: 'Value',
  headerDescription: 'Description',
  placeTitle: (kind: PlaceKind) => places[kind].title,
  placeTip: (kind: PlaceKind) => `${places[kind].title} in the file`,
  firstPlaces: (kind: PlaceKind) => `First ${places[kind].one}s`,
};
