import type { FileWarning } from '../../shared/upload/upload.ts';
import type { WarningCode } from '../../shared/upload/warnings.ts';
import { visibleLine } from '../../shared/errors/visible-text.ts';
import { formatCount } from '../format/numbers.ts';
import { counted } from './counted.ts';

/** What the words of a warning are made of. */
type Warned = Pick<FileWarning, 'column' | 'cell' | 'count'>;

const times = (count: number): string => `${formatCount(count)} ${count === 1 ? 'time' : 'times'}`;
const fallOnMidnight = (count: number): string =>
  count === 1 ? 'its row falls on midnight' : `all ${formatCount(count)} rows fall on midnight`;
const column = (warned: Warned): string => `Column “${visibleLine(warned.column ?? '')}”`;

/** The words of the lines of a file as they stand in it,. */
export const raw = {
  choice: 'Start of the file as',
  table: 'Table',
  lines: 'Raw lines',
  label: (file: string) => `First lines of ${file} as they stand in it`,
  line: 'Line',
  taken: 'Taken for',
  text: 'Text',
  kinds: {
    row: '',
    header: 'header',
    units: 'units',
    comment: 'comment',
    blank: 'blank',
    left_out: 'left out',
    foot: 'no data',
  },
  signs: {
    'U+0009': 'tab',
    'U+0020': 'blank',
    'U+00A0': 'no-break space',
    'U+FEFF': 'byte order mark',
    'U+200B': 'zero width space',
    'U+00AD': 'soft hyphen',
    'U+0000': 'NUL',
  } as Readonly<Record<string, string>>,
  endings: { LF: 'LF', CRLF: 'CR LF', CR: 'CR' },
  cut: ' … the line goes on',
};

/** What a warning counts. */
export function inUnits(code: WarningCode, count: number): string {
  if (code === 'preamble' || code === 'comment_lines' || code === 'mixed_newlines')
    return counted(count, 'line', 'lines');
  return code === 'several_wells' ? counted(count, 'well', 'wells') : rowsOf(count);
}

const rowsOf = (count: number): string => (count === 1 ? '1 row' : `${formatCount(count)} rows`);
const valuesOf = (count: number): string => (count === 1 ? '1 value is' : `${formatCount(count)} values are`);

/** The words of which values are null and which are exceptions of their column,. */
export const values = {
  nulls: 'Treat as null',
  nullsNote:
    'Separated by commas, for example -999.25. Blank cells and words such as NULL, NaN and N/A are null in every column.',
  keptAsText: 'Kept as text:',
  exceptions: 'Exceptions in a column',
  exceptionShare: (share: number, isDefault: boolean) =>
    share === 0
      ? 'None: one makes it text'
      : `Under ${Number((share * 100).toFixed(2))} %${isDefault ? ' (default)' : ''}`,
  blanksAround: 'Leading and trailing blanks',
  trim: { remove: 'Remove', keep: 'Keep' },
  exceptionsNote:
    'A column keeps its type while fewer of its values differ from it. Rows with such values are rejected.',
};

/** The words of what is worth knowing of a file, where the window has the means to settle it. */
export const warnings = {
  takeAsNull: (cell: string) => `Take “${cell}” as no value`,
  showLine: (line: number) => `Show line ${formatCount(line)}`,
  options: {
    encoding: 'Choose the encoding',
    delimiter: 'Choose the delimiter',
    headerRow: 'Choose the line of the header',
  },
  column: (name: string) => `Go to “${name}”`,
  asText: (name: string) => `Read “${name}” as text`,
  wells: 'Go to the wells of the file',
  fields: 'Choose it in the step “Columns”',
  leaveOutBlanks: 'Leave these rows out',
  showRecords: 'Show the records there',
  /** Why nothing can be pressed, or what to do in the file. */
  inFile: {
    time_twice: 'To tell them apart, write these times with their offset in the file.',
    mixed_newlines: 'Nothing needs to be done.',
    max_rejected: 'Correct the rejected rows in their file and upload that.',
    other: 'Another version of Wellbench found it; check the file again with this one.',
  } as Readonly<Partial<Record<WarningCode, string>>>,
  selectedWell: 'Store all rows under the selected well',
  chooseReading: (name: string) => `Choose how “${name}” is read`,
  combine: (name: string, clock: string) => `Combine “${name}” with “${clock}”`,
  leaveOutFoot: (count: number) => `Leave out the last ${count === 1 ? 'row' : formatCount(count)}`,
  countFooter: 'Count as rows',
  keepAsText: (cell: string) => `Keep “${cell}” as text`,
  headerAt: (line: number) => `Use line ${formatCount(line)} for column names`,
  noHeader: 'Use it as data',
  readIn: (encoding: string) => `Read as ${encoding}`,
  restoreZeros: (digits: number) => `Put the zeros back, to ${formatCount(digits)} digits`,
  zerosRestored: (digits: number) => `It is sent as text of ${formatCount(digits)} digits.`,
  of: {
    existing_unread: () =>
      'The dataset can’t be read, so rows that are stored already can’t be found. Insert all rows, or ask your administrator for permission to read.',
    serial_dates: (warned) =>
      `${column(warned)} has numbers such as ${warned.cell ?? ''}, which a spreadsheet shows as dates. Where it goes, in the step “Columns”, choose “Days of a spreadsheet” if they are.`,
    lost_zeros: (warned) =>
      `${column(warned)}: ${warned.cell ?? ''} has one digit or more too few; a spreadsheet has dropped the zeros before it.`,
    sentinel_values: (warned) =>
      `${column(warned)} has ${warned.cell ?? ''}, which often stands for no value.`,
    ambiguous_dates: (warned) =>
      `${column(warned)} has dates such as ${warned.cell ?? ''}. How they are read is chosen in the step “Columns”.`,
    mixed_dates: (warned) =>
      `${column(warned)} has dates written in several ways; it is read as text unless one way is chosen in the step “Columns”. Rows written otherwise are rejected then.`,
    zone_missing: (warned) =>
      `${column(warned)} has times without a time zone. Select it in the step “Columns” if they are not UTC.`,
    zone_assumed: (warned) =>
      `${column(warned)} has times without a time zone; they are read as UTC. Select their zone if they are not.`,
    time_as_text: (warned) =>
      `${column(warned)}: ${times(warned.count)} without a time zone stored as text. Read the column as times with a zone to store UTC.`,
    times_at_midnight: (warned) =>
      `${column(warned)} has dates without a time of day: ${fallOnMidnight(warned.count)}.`,
    time_of_day_unused: (warned) =>
      `${column(warned)} has dates without a time of day: ${fallOnMidnight(warned.count)}. Column “${warned.cell ?? ''}” has times of day.`,
    lost_characters: (warned) =>
      `${column(warned)}: ${valuesOf(warned.count)} damaged: \uFFFD stands where a character was lost before the file was saved. Get the file again from its source.`,
    blanks_removed: (warned) =>
      `${column(warned)}: leading and trailing blanks are removed from ${counted(warned.count, 'value', 'values')}.`,
    null_words: (warned) => `${column(warned)}: “${warned.cell ?? ''}” is null in ${rowsOf(warned.count)}.`,
    type_exceptions: (warned) =>
      `${column(warned)}: ${valuesOf(warned.count)} of another type, such as “${warned.cell ?? ''}”.`,
    header_assumed: () => 'The first row is used as the header, but it could be data.',
    encoding_guessed: (warned) =>
      `The file is not UTF-8. It is read as ${warned.cell ?? ''}, which may be wrong: compare its letters.`,
    footer_rows: ({ count }) =>
      `The last ${count === 1 ? 'row is a footer and is' : `${formatCount(count)} rows are a footer and are`} left out.`,
    foot_rows: ({ count }) =>
      `The last ${count === 1 ? 'row' : `${formatCount(count)} rows`} may be a footer, not data.`,
  } as Readonly<Partial<Record<WarningCode, (warned: Warned) => string>>>,
};

/** One line for what was found in several columns: what follows their number. */
export const inColumns = {
  columns: (count: number) => counted(count, 'column', 'columns'),
  of: {
    null_words: ({ cell = '' }) => `“${cell}” is null.`,
    sentinel_values: ({ cell = '' }) => `${cell} is among the values, which often stands for no value.`,
    decimal_comma: () => 'read with a comma as the decimal sign.',
    thousands: () => 'read with commas between thousands.',
    blanks_removed: () => 'leading and trailing blanks are removed.',
    zone_missing: () => 'times without a time zone.',
    time_as_text: () => 'times without a time zone are stored as text.',
    times_at_midnight: () => 'dates without a time of day.',
    lost_characters: () => 'values with \uFFFD, where a character was lost before the file was saved.',
    empty_name: () => 'without a name.',
    duplicate_names: () => 'named like another column.',
    type_exceptions: () => 'values of another type.',
    mixed_types: () => 'numbers with other text among them, read as text.',
  } as Readonly<Partial<Record<WarningCode, (warned: Warned) => string>>>,
};

/** The words of how the times of a column are read. */
export const columnTimes = {
  format: 'Format of the times',
  formatNote: 'Letters such as dd.MM.yyyy HH:mm:ss',
  formats: {
    iso: 'ISO 8601',
    unix_ms: 'Unix time in milliseconds',
    unix_s: 'Unix time in seconds',
    excel_1900: 'Days of a spreadsheet',
    excel_1904: 'Days of a spreadsheet, counted from 1904',
  },
  zone: 'Time zone, where none is named',
  zoneOfWell: (well: string) => `Time zone of ${well}`,
  wells: (count: number) => counted(count, 'well', 'wells'),
  timeOfDay: 'Time of day from',
  noTimeOfDay: 'No other column',
  meant: (cell: string) => `Which time is “${cell}”`,
  meantOne: (time: string, format: string) => `${time} (${format})`,
  chooseMeant: (cell: string) => `“${cell}” can be read in several ways. Choose which is meant.`,
  chooseFormat: (cell: string) => `Select the format of “${cell}”.`,
  inZone: (zone: string) => `In ${zone}`,
  sent: 'Sent, in UTC',
  twice: 'The clocks showed this time twice: it is taken for the first.',
};
