import type { WarningCode, ProblemCode } from '../../shared/upload/warnings.ts';
import type { RowPlaces } from '../../shared/upload/formats.ts';
import { formatCount } from '../format/numbers.ts';
import { counted } from './counted.ts';
import { firstInWords } from '../../shared/lists.ts';
import { visibleLine } from '../../shared/errors/errors.ts';
import {
  edges,
  inColumns,
  inUnits,
  raw,
  warnings,
  columnTimes,
  values,
  placeText,
  source,
} from './upload-file.ts';

const fixes = {
  heading: 'Fix rejected rows',
  text: 'Change the marked cells, then send the fixed rows. Wellbench sends each row once, in a separate upload.',
  loading: 'Loading rejected rows…',
  none: 'No rejected rows are left to fix here. The file of rejected rows above contains all of them.',
  inFile:
    'These rows can’t be fixed here. Download the file of rejected rows above, correct it, and upload it.',
  send: (count: number) =>
    count === 0 ? 'Send fixed rows' : `Send ${counted(count, 'fixed row', 'fixed rows')}`,
  sending: 'Checking and sending…',
  sent: (count: number) => `Sending ${counted(count, 'fixed row', 'fixed rows')}.`,
  wrong: (count: number) => `${rows(count)} still ${count === 1 ? 'has' : 'have'} errors. Nothing was sent.`,
  table: 'Rejected rows',
  line: 'Line',
  reason: 'Reason',
  cell: (column: string, line: number) => `${column}, line ${formatCount(line)}`,
  unclear: 'ambiguous',
  fixInFile: 'Fix it in the file of rejected rows.',
  allColumns: (count: number) => `All ${counted(count, 'column', 'columns')}`,
  more: (count: number) => `Show more (${rows(count)} left)`,
  cut: 'These are the first rejected rows. The file of rejected rows contains all of them.',
  followUp: (count: number) => `${rows(count)} fixed:`,
  openFollowUp: (file: string) => `Open the upload of ${file}`,
  open: 'Open',
};

export const wells = {
  heading: 'Wells in the file',
  looking: 'Matching wells in the file…',
  notLooked:
    'Wells aren’t matched yet. Wellbench matches them when the upload starts and rejects rows of unknown wells.',
  look: 'Match wells',
  left: (open: number, all: number) =>
    `${formatCount(open)} of ${counted(all, 'well', 'wells')} not recognized. Select a match; rows without one are rejected.`,
  allKnown: (count: number) => {
    if (count === 1) return 'The well is recognized.';
    return count === 2 ? 'Both wells are recognized.' : `All ${formatCount(count)} wells are recognized.`;
  },
  matchFor: (name: string) => `Match for “${name}”`,
  found: {
    one: '',
    settled: '',
    none: 'No matching well',
    several: 'Several matches',
    damaged: 'Digits lost in a spreadsheet',
    unchecked: 'Not looked up: over 200 names',
  },
  proposed: {
    header: (name: string) => `Use ${name}, named in the file`,
    fileName: (name: string) => `Use ${name}, in the file name`,
    selection: (name: string) => `Use ${name}, selected`,
  },
  use: (name: string, note: string | null) => `Use ${name}${note === null ? '' : ` (${note})`}`,
  showAll: (count: number) => `Show all ${formatCount(count)}`,
  asset: (assetId: number) => `asset ${assetId}`,
  named: (name: string, assetId: number) => `${name} (asset ${assetId})`,
  otherThanConstant: (well: string, count: number) =>
    `All rows would be stored under ${well}, but the file names ${count === 1 ? 'another well' : `${formatCount(count)} other wells`}. Select which to use:`,
  otherThanSelected: (well: string, count: number) =>
    `${well} is selected, but the file names ${count === 1 ? 'another well' : `${formatCount(count)} other wells`}. Select which to use:`,
  fileWells: 'Use the wells in the file',
  oneWell: (well: string) => `Store all rows under ${well}`,
  unknown: 'no matching well',
  namedIn: (column: string | null, line: number, kind?: RowPlaces['kind'], isConverted = false) => {
    if (column !== null) return `“${column}”, ${placeText(line, kind)}`;
    return isConverted ? 'in the file header' : `before the header, ${placeText(line)}`;
  },
  more: (count: number) => `and ${formatCount(count)} more`,
  notCompared: 'The file names wells that may differ from the well of all rows. Match wells to continue.',
};

export const correct = {
  button: 'Correct…',
  label: (problem: string) => `Correct: ${problem}`,
  /** What to do in the file, where nothing can be corrected here. */
  inFile: {
    not_a_number: 'Correct these values in the file.',
    too_large_number: 'Correct these values in the file.',
    not_an_integer: 'Use whole numbers in the file.',
    not_a_boolean: 'Use true or false in the file.',
    not_a_time: 'Correct these times in the file.',
    time_in_gap: 'Add the UTC offset to these times in the file.',
    excel_damage: 'Export the column again as text.',
    asset_unknown: 'Correct the wells in the file.',
    not_an_asset_id: 'Use asset IDs in the file.',
    missing_value: 'Fill in these values in the file.',
    columns_disagree: 'Make the columns agree in the file.',
    rows_disagree: 'Make the rows of a record agree in the file.',
    no_group: 'Fill in the column that combines rows in the file.',
    empty_row: 'No action needed: empty rows are skipped.',
    too_many_cells: 'Quote values that contain the delimiter.',
    too_few_cells: 'Complete these rows in the file.',
    unclosed_quote: 'Close the quotation mark in the file.',
    bad_quotes: 'Double the quotation marks inside quoted values in the file.',
    bad_bytes: 'Save the file as UTF-8.',
    nul_bytes: 'Remove the NUL bytes from the file.',
    bad_json: 'Write one JSON object per line.',
    too_large: 'Shorten these rows in the file, or skip columns.',
    refused: 'Correct the values that the service rejected.',
  } as const satisfies Record<ProblemCode, string>,
  heading: (column: string) => `Correct “${column}”`,
  headingRows: 'Correct whole rows',
  text: 'Wellbench then validates all rows again. Rows that you don’t correct are rejected and saved to a file.',
  constant: (field: string) => `Default ${field} for rows without one`,
  take: 'Use this value',
};

export const existing = {
  heading: 'Existing records',
  waiting: 'Waiting for the wells in the file…',
  counting: 'Counting existing records…',
  count: 'Count existing records',
  found: (count: number) =>
    count === 0
      ? 'No existing records match the wells and range of this file.'
      : `${counted(count, 'existing record matches', 'existing records match')} the wells and range of this file.`,
  cannotRead: (dataset: string) =>
    `You don’t have permission to read ${dataset}, so Wellbench can’t skip existing records. Insert all rows, or ask your administrator for read permission.`,
  notCompared: (dataset: string) =>
    `You don’t have permission to read ${dataset}, so all rows are inserted without checking for existing records. If a response is lost, its rows stay unknown.`,
  blocked: 'To continue, select Insert all rows or get read permission for the dataset.',
  insertAll: { rows: 'Insert all rows', records: 'Insert all records' },
  choice: (areRecords: boolean) =>
    areRecords ? 'Records of the file that match existing records' : 'Rows that match existing records',
  skip: 'Skip: no duplicates, even if you upload a file again',
  insert: (areRecords: boolean) =>
    `${areRecords ? 'Insert all records' : 'Insert all rows'}: faster, but may create duplicates`,
};

type PlaceKind = RowPlaces['kind'];

const rows = (count: number): string => counted(count, 'row', 'rows');
/** What is counted: rows, or the records that they are combined into. */
const units = (count: number, areRecords: boolean): string =>
  areRecords ? counted(count, 'record', 'records') : rows(count);

export const columns = {
  origin: (file: string) => `These are rejected rows of ${file}. The mapping of that upload is restored.`,
  lastMapping: (file: string) => `Using the mapping of ${file}, because the header is the same.`,
  templateMapping: (name: string) => `Using the template ${name}, because the header is the same.`,
  undoEarlierMapping: 'Undo',
  otherUnits: {
    heading: 'Units in this file differ from the mapping:',
    differs: (column: string, now: string, before: string, isConverted: boolean) =>
      `“${column}” is in ${now}, not ${before}. ${isConverted ? 'Its values are converted from the unit of this file.' : 'Its values aren’t converted. Check the unit of its field.'}`,
    missing: (column: string, before: string) =>
      `“${column}” has no unit in this file. Its values are converted from ${before}, as in the mapping. Check that this is right.`,
  },
  /** The field with the asset id of a record. */
  well: 'Well',
  fields: 'Required fields',
  filled: 'All required fields are mapped.',
  missing: (names: string) => `Missing: ${names}. Select a column or enter one value for all rows.`,
  heading: 'Columns in the file',
  recordFor: 'Records',
  perRow: 'One record per row',
  perFile: 'One record for the whole file',
  perValue: (column: string) => `One record for each value of “${column}”`,
  into: 'List of rows in the record',
  intoNote: 'Columns of numbers and columns whose text differs within a record go to this list.',
  folded: (rowCount: number, records: number) =>
    `${rows(rowCount)} ${rowCount === 1 ? 'makes' : 'make'} ${counted(records, 'record', 'records')}.`,
  firstRecord: 'First record',
  moreItems: (count: number) => `… ${formatCount(count)} more`,
  firstHasErrors: 'The first record has errors. Validation lists them.',
  filledByNamed: (field: string) => `Source of ${field}`,
  nothing: 'None',
  choose: 'Select…',
  oneValue: 'One value for all rows',
  withoutWell: 'Store records without a well',
  likely: (column: string) => `Use “${column}”`,
  dateWithTime: (date: string, time: string) => `Use “${date}” with “${time}”`,
  onMidnight: (column: string) => `“${column}” has no time of day: all rows are at midnight.`,
  fromColumn: (column: string) => `column “${column}”`,
  wellHint: 'Well name or asset ID',
  noWellFits: 'No matching wells. A number is used as an asset ID.',
  valueForBlanks: (field: string) => `${field} where the column is blank`,
  valueFor: (field: string) => `${field} for all rows`,
  assumed: (value: string) => `Default: ${value}`,
  states: { filled: 'mapped', missing: 'missing', optional: 'optional' },
  headers: { column: 'Column', type: 'Type', target: 'Target field' },
  firstValues: 'First values',
  formatHeader: 'Format',
  unit: 'Unit',
  noUnit: 'none',
  noUnitInField: (fieldUnit: string) => `none (field: ${fieldUnit})`,
  inField: (fieldUnit: string) => `(field: ${fieldUnit})`,
  becomes: 'Preview',
  details: 'Details',
  search: 'Find columns',
  show: 'Columns to show',
  filters: { all: 'All columns', unmapped: 'Only unmapped', problems: 'Only with problems' },
  shown: (shown: number, all: number) =>
    shown === all
      ? counted(all, 'column', 'columns')
      : `${formatCount(shown)} of ${counted(all, 'column', 'columns')}`,
  noneShown: 'No matching columns',
  firstRows: 'First rows',
  include: (column: string) => `Upload “${column}”`,
  includeShown: 'Upload all columns shown',
  targetOf: (column: string) => `Target field of “${column}”`,
  typeOf: (column: string) => `Type of “${column}”`,
  unitOf: (column: string) => `Unit of “${column}”`,
  formatOf: (column: string) => `Time format of “${column}”`,
  wellsByOf: (column: string) => `Match wells of “${column}” by`,
  detectedNote: 'detected',
  types: {
    integer: 'whole numbers',
    number: 'numbers',
    string: 'text',
    boolean: 'true or false',
    time: 'times',
    empty: 'empty',
  },
  blanks: (count: number) => `${formatCount(count)} blank`,
  change: (column: string) => `Mapping of “${column}”`,
  skipped: 'skipped',
  wellNameSkipped: 'skipped: name of the well',
  joinedTo: (column: string) => `with “${column}”`,
  leaveOut: 'Skip column',
  target: 'Target field',
  targetNote: 'A record field or a path such as data.rop',
  readAs: 'Read as',
  kinds: {
    auto: 'Detected type',
    number: 'Number',
    integer: 'Whole number',
    string: 'Text',
    boolean: 'True or false',
    time: 'Time',
  },
  ...columnTimes,
  wellsBy: 'Match wells by',
  by: { id: 'Asset ID', name: 'Name', api_number: 'API number' },
  byName: 'Wellbench looks up names and API numbers. Unrecognized ones appear under “Wells in the file”.',
  inFile: 'In the file',
  inRecord: 'In the record',
  noValue: 'null',
  reset: 'Reset to suggestion',
  ...values,
  proposals: {
    heading: 'Suggested fields',
    reason: (reason: string, percent: number) => `${reason}, ${percent}% sure`,
    converts: (unit: string, fieldUnit: string) => `Values are converted from ${unit} to ${fieldUnit}.`,
    noFieldUnit: (unit: string) => `The unit of the field is unknown: values stay in ${unit}.`,
    suggestion: (field: string) => `${field.replace(/^data\./, '')}?`,
    use: (field: string, column: string) => `Use ${field} for “${column}”`,
    emptySkipped: (count: number) => `${counted(count, 'empty column', 'empty columns')} skipped`,
  },
  convert: (unit: string, fieldUnit: string) => `Convert ${unit} to ${fieldUnit}`,
  storeAsIs: 'Store as is',
  asIs: (unit: string) => `${unit}, as is`,
  conversion: (unit: string, fieldUnit: string) => `${unit} → ${fieldUnit}`,
  matching: 'Mapping columns…',
};

/** Loaded with the first upload tab. */
export const uploadWords = {
  button: 'Upload',
  openInto: (dataset: string) => `Upload into ${dataset}`,
  tab: (file: string | null) => (file === null ? 'Upload' : `Upload ${file}`),
  region: (file: string | null) => (file === null ? 'Upload' : `Upload of ${file}`),
  onConnection: (connection: string) => `using connection “${connection}”`,
  readOnly: (connection: string) =>
    `Connection “${connection}” is read-only. To upload, switch to a connection that allows writing.`,
  target: {
    assumed: (dataset: string) =>
      `${dataset} is the dataset of the tab that you came from. Confirm it, or select another one.`,
    confirm: (dataset: string) => `Upload into ${dataset}`,
  },
  fitting: {
    heading: 'These datasets contain fields for the channels of this file:',
    select: (dataset: string, fits: number, of: number) =>
      `Select ${dataset}: ${formatCount(fits)} of ${counted(of, 'channel', 'channels')}`,
    otherIndex: {
      time_file: (dataset: string) =>
        `This file is indexed by time, but ${dataset} by depth. Select a time dataset, or a file indexed by depth.`,
      depth_file: (dataset: string) =>
        `This file is indexed by depth, but ${dataset} by time. Select a depth dataset, or a file indexed by time.`,
    },
  },
  choose: {
    heading: 'Choose a file, or drop it anywhere in this window',
    text: 'CSV, Excel, LAS, DLIS, LIS, WITSML, WITS, Parquet, JSON, or a text table. You review the file before anything is sent.',
    button: 'Choose file',
    another: 'Choose another file',
    sample: 'Use the sample file',
    handing: (file: string) => `Copying ${file}…`,
    gone: (file: string) =>
      `Can’t find ${file}. Wellbench was restarted or the file was moved. Choose it again; its mapping is kept.`,
  },
  into: 'into',
  uploadInto: 'Upload into',
  dataset: 'Dataset',
  datasetHint: 'Select a dataset',
  datasetsLoading: 'Loading datasets…',
  stepsLabel: 'Upload steps',
  steps: { file: 'File', columns: 'Columns', check: 'Check', send: 'Send', ledger: 'Results' },
  stepAt: (at: number, name: string) => `Step ${at} of 5: ${name}`,
  next: (step: string) => `Next: ${step}`,
  back: 'Back',
  notYet: {
    reading: 'Wait until the file is read.',
    unreadable: 'Choose another file to continue.',
    dataset: 'Select a dataset to continue.',
    fields: (count: number) => `${counted(count, 'required field is', 'required fields are')} missing.`,
    wells: 'Select the wells to continue.',
    problems: 'Correct the marked fields to continue.',
  },
  file: {
    reading: 'File format',
    encoding: 'Encoding',
    delimiter: 'Delimiter',
    jsonLines: 'None (JSON Lines)',
    header: 'Header',
    units: 'Units',
    foot: 'Footer rows',
    rows: 'Rows',
    lines: 'Line endings',
    rowsAndColumns: (count: number, columns: number) =>
      `${rows(count)}, ${counted(columns, 'column', 'columns')}`,
    detected: (value: string) => `${value} (detected)`,
    asDetected: 'Detect',
    noHeader: 'No header',
    noUnits: 'No unit row',
    line: (line: number, kind: PlaceKind = 'line') => `${source.placeTitle(kind)} ${formatCount(line)}`,
    footNone: 'None',
    shortRows: 'Short rows',
    shortRowActions: { fill: 'Fill with blank cells', reject: 'Reject' },
    hashLines: 'Lines with #',
    hashLineKinds: { comments: 'Comments', rows: 'Rows' },
    apostrophes: 'Apostrophes before = + - @',
    apostropheActions: { remove: 'Remove (formula escapes)', keep: 'Keep' },
    arrays: 'Arrays',
    arrayKinds: { columns: 'A column for each element', list: 'A list' },
    delimiters: { ',': 'Comma', ';': 'Semicolon', '\t': 'Tab', '|': 'Vertical bar' } as Readonly<
      Record<string, string>
    >,
    newlines: { LF: 'LF', CRLF: 'CR LF', CR: 'CR', mixed: 'mixed', none: 'none' },
    warnings: 'Issues found',
    noWarnings: 'No issues found.',
    readingAll: 'Reading all rows…',
    readingStart: 'Reading the file…',
    notRead: 'Canceled. Wellbench must read the whole file before uploading it.',
    readAgain: 'Read file',
  },
  columns,
  wells,
  check: {
    heading: (count: number, dataset: string, areRecords = false) =>
      `${units(count, areRecords)} for ${dataset}`,
    everyRow: 'In every row',
    skippedColumns: 'Skipped columns',
    times: 'Times',
    units: 'Units',
    convertedColumn: (column: string, conversion: string) => `${column}: ${conversion}`,
    timeColumn: (column: string, format: string, zone: string | null) =>
      `“${column}” as ${format}${zone === null ? '' : `, default time zone ${zone}`}`,
    nothingLeftOut: 'none',
    groups: {
      blocking: (count: number) => `Blocking (${formatCount(count)})`,
      suspicious: (count: number) => `Suspicious (${formatCount(count)})`,
      information: (count: number) => `Information (${formatCount(count)})`,
    },
    check: 'Validate all rows',
    checkAgain: 'Validate again',
    checkText:
      'Rows aren’t validated yet. Validation converts every row and compares it with existing records. Nothing is sent.',
    checking: 'Validating all rows…',
    preparing: 'Preparing rows…',
    good: (count: number, areRecords = false) =>
      count === 1
        ? `The ${areRecords ? 'record' : 'row'} is valid.`
        : `All ${units(count, areRecords)} are valid.`,
    stored: (stored: number, fresh: number) =>
      `${formatCount(stored)} already stored, ${formatCount(fresh)} new.`,
    suspicious: (good: number, findings: number, areRecords = false) =>
      `${units(good, areRecords)} can be sent, but ${findings === 1 ? '1 finding is' : `${formatCount(findings)} findings are`} suspicious. Review ${findings === 1 ? 'it' : 'them'} below before you send.`,
    selectionDiffers: (well: string, selected: string) =>
      `All rows are stored under ${well}, but ${selected} is selected.`,
    bad: (good: number, bad: number, areRecords = false) =>
      `${units(good, areRecords)} can be sent, ${formatCount(bad)} would be rejected. Correct the columns, or send the valid rows; rejected rows are saved to a file.`,
    stopped: 'Validation was canceled. Validate again before you send the rows.',
    send: (count: number, areRecords = false) => `Send ${units(count, areRecords)}`,
    showEarlier: 'Show that upload',
    resumeEarlier: 'Resume that upload',
    /** By what happens to the rows that the earlier upload stored. */
    sendAgain: { skip: 'Upload again, skip stored rows', insert: 'Upload again, duplicate stored rows' },
    sendOthers: (good: number, bad: number, areRecords = false) =>
      `Send ${units(good, areRecords)}, skip ${formatCount(bad)}`,
  },
  templates: {
    heading: 'Templates',
    offer: 'Saved mappings for this header:',
    use: (name: string) => `Use “${name}”`,
    apply: 'Use',
    otherHeader: 'Other header',
    loading: 'Loading templates…',
    none: 'No templates yet. Save a mapping to reuse it for files with the same header.',
    name: 'Save mapping as',
    note: 'Saves columns, constant values, and null values, but not a well that applies to all rows.',
    keep: 'Save',
    rename: (name: string) => `Name of template “${name}”`,
    remove: (name: string) => `Remove template “${name}”`,
    wasRemoved: 'This template was removed in another window.',
  },
  alike: {
    heading: (count: number) =>
      `${counted(count, 'other open file contains', 'other open files contain')} the same columns, or most of them`,
    text: 'Send these files to the same dataset, one after another. Shared columns use this mapping, and each file goes to its own well. If one stops, the files after it aren’t sent.',
    rows: (count: number) => counted(count, 'row', 'rows'),
    wells: {
      rows: 'Wells of its rows',
      selection: (well: string) => `${well}, selected`,
      header: (well: string) => `${well}, named in the file`,
      fileName: (well: string) => `${well}, in the file name`,
      first: (well: string) => `${well}, like this file`,
      missing: 'No well. Open the file and select one.',
    },
    missingColumns: (names: readonly string[]) =>
      `Without ${firstInWords(
        names.map((name) => `“${visibleLine(name)}”`),
        5,
      )}`,
    furtherColumns: (names: readonly string[]) =>
      `Also contains ${firstInWords(
        names.map((name) => `“${visibleLine(name)}”`),
        5,
      )}, matched by name`,
    send: (count: number) => `Send all ${formatCount(count)} files`,
    waits: (behind: string) => `Queued after ${behind}. Keep this window open until the file is sent.`,
    tableOfFile: (file: string) => `Table of ${file}`,
    dequeue: 'Remove from queue',
  },
  correct,

  existing,

  send: {
    heading: (dataset: string) => `Sending to ${dataset}`,
    waiting: 'Waiting for the job…',
    text: 'You can close this tab. The upload continues and appears under Jobs.',
    nextTry: (seconds: number) => `Retrying in ${formatCount(seconds)} s.`,
    retry: (seconds: number) => `The last batch failed. Retrying in ${formatCount(seconds)} s.`,
  },
  fixes,
  ledger: {
    headings: {
      done: 'Uploaded',
      rejected: (count: number, areRecords = false, fixed = 0) =>
        `Uploaded, ${units(count, areRecords)} rejected${fixed > 0 ? `, ${formatCount(fixed)} fixed and stored` : ''}`,
      incomplete: 'Partially uploaded',
      cancelled: 'Canceled',
      failed: 'Stopped by an error',
      interrupted: 'Interrupted',
    },
    goesOn: 'Uploaded rows stay uploaded. Resume sends the remaining rows without duplicates.',
    nothingLeft: (unknown: number) =>
      unknown === 0
        ? 'No rows left to send. Resume finishes this upload.'
        : 'No other rows are left to send. Resume checks the dataset for the unknown rows again, then finishes this upload.',
    label: 'Results',
    parts: {
      inserted: 'Inserted',
      skipped: 'Skipped',
      rejected: 'Rejected',
      unknown: 'Unknown',
      pending: 'Not sent',
    },
    notes: {
      inserted: 'stored by the service',
      skipped: 'already in the dataset',
      rejected: 'not stored; see the reasons below',
      unknown: 'sent, but Wellbench can’t confirm that they were stored; never resent',
      pending: 'not sent yet',
    },
    /** The notes while rows are sent, and for a job that can resume. */
    notesWhile: {
      sending: {
        unknown: 'sent but not confirmed; Wellbench checks the dataset before resending',
        pending: 'sending or not sent yet',
      },
      stopped: { unknown: 'sent but not confirmed; Resume checks the dataset before resending' },
    },
    total: 'Rows in the file',
    totalRecords: (fileRows: number) => `Records of ${rows(fileRows)}`,
    problems: 'Why rows were rejected',
    wouldBeProblems: 'Why rows would be rejected',
    column: 'Column',
    wholeRow: 'whole row',
    what: 'First example',
    count: 'Rows',
    showLine: (line: number, kind?: PlaceKind) => `Show ${placeText(line, kind)}`,
    correct: 'Correct',
    warnings: 'Notes',
    lookAt: 'View records',
    resume: 'Resume',
    another: 'Upload another file',
    noResult: 'Nothing was sent.',
    discarded: 'This job and its results were discarded. Records that it stored are unchanged.',
  },
  preview: {
    grid: (file: string) => `First rows of ${file}`,
    skipped: 'skipped',
    joinedTo: (column: string) => `with “${column}”`,
    none: 'The file contains no data rows.',
    going: (line: number, kind?: PlaceKind) => `Going to ${placeText(line, kind)}…`,
    at: (line: number, kind?: PlaceKind) => `Rows around ${placeText(line, kind)}`,
    leave: 'Back to first rows',
    noValue: (cell: string) => `${cell}: null value`,
  },

  raw,
  edges,
  source,

  warnings,

  inLine: placeText,
  inColumns,
  /** How many rows or lines a warning is about, if it doesn't say so itself, and the first line of them. */
  foundIn: (code: WarningCode, count: number, line: number | null, kind?: PlaceKind) =>
    [count === 0 ? '' : inUnits(code, count), line === null ? '' : placeText(line, kind)]
      .filter((text) => text !== '')
      .join(', '),
};
