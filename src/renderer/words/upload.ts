import type { WarningCode } from '../../shared/upload/warnings.ts';
import { formatCount } from '../format/numbers.ts';
import { counted } from './counted.ts';
import { correct, standing } from './upload-check.ts';
import { columnTimes, inColumns, inUnits, raw, values, warnings } from './upload-file.ts';
import { wells } from './upload-wells.ts';

const rows = (count: number): string => counted(count, 'row', 'rows');

/** The words of uploads. */
export const upload = {
  button: 'Upload',
  openInto: (dataset: string) => `Upload into ${dataset}`,
  tab: (file: string | null) => (file === null ? 'Upload' : `Upload ${file}`),
  region: (file: string | null) => (file === null ? 'Upload' : `Upload of ${file}`),
  onConnection: (connection: string) => `over the connection “${connection}”`,
  readOnly: (connection: string) =>
    `The connection “${connection}” is read-only: nothing can be uploaded by it. Connect with one that may write, by the menu at the top left.`,
  drop: {
    here: 'Drop the CSV file to upload it',
    many: (count: number) => `Drop the ${formatCount(count)} files: an upload opens for each`,
    noConnection: 'Open a connection first, then drop the file',
    readOnly: 'This connection is read-only: nothing can be uploaded by it',
    text: 'Nothing is sent before you have seen what goes where.',
  },
  choose: {
    heading: 'Choose a CSV file, or drop it anywhere on this window',
    text: 'It is read and shown first. Nothing is sent before you say so.',
    button: 'Choose a file',
    another: 'Choose another file',
    handing: (file: string) => `Taking over ${file}…`,
    gone: (file: string) =>
      `${file} is no longer at hand, because Wellbench was restarted or the file was moved. Choose it again: its mapping is kept.`,
  },
  into: 'into',
  uploadInto: 'Upload into',
  dataset: 'Dataset',
  datasetHint: 'Choose a dataset',
  datasetsLoading: 'The datasets are being loaded.',
  stepsLabel: 'Steps of the upload',
  steps: { file: 'File', columns: 'Columns', check: 'Check', send: 'Send', ledger: 'Ledger' },
  stepAt: (at: number, name: string) => `Step ${at} of 5: ${name}`,
  next: (step: string) => `Next: ${step}`,
  back: 'Back',
  notYet: {
    reading: 'Wait until the file has been read.',
    unreadable: 'Choose another file to go on.',
    dataset: 'Choose a dataset to go on.',
    fields: (count: number) => `${counted(count, 'required field is', 'required fields are')} missing.`,
    wells: 'Select which wells are meant to go on.',
    problems: 'Correct what is marked to go on.',
  },
  file: {
    reading: 'How it is read',
    encoding: 'Encoding',
    delimiter: 'Delimiter',
    jsonLines: 'None, each line is a JSON object',
    header: 'Header',
    units: 'Units',
    foot: 'Footer rows',
    rows: 'Rows',
    lines: 'Line ends',
    rowsAndColumns: (count: number, columns: number) =>
      `${rows(count)}, ${counted(columns, 'column', 'columns')}`,
    detected: (value: string) => `${value} (detected)`,
    asDetected: 'As detected',
    noHeader: 'No header',
    noUnits: 'No unit row',
    line: (line: number) => `Line ${formatCount(line)}`,
    footNone: 'None',
    delimiters: { ',': 'Comma', ';': 'Semicolon', '\t': 'Tab', '|': 'Vertical bar' } as Readonly<
      Record<string, string>
    >,
    newlines: { LF: 'LF', CRLF: 'CR LF', CR: 'CR', mixed: 'mixed', none: 'none' },
    warnings: 'Worth knowing',
    noWarnings: 'Nothing odd was found in the file.',
    readingAll: 'Reading all rows…',
    readingStart: 'Reading the file…',
    notRead: 'Reading was given up. The file has to be read whole before it can be uploaded.',
    readAgain: 'Read the file',
  },
  columns: {
    origin: (file: string) =>
      `These are rejected rows of ${file}: what was chosen for that upload is restored.`,
    fields: 'What the dataset needs',
    filled: 'All required fields are filled.',
    missing: (names: string) => `Missing: ${names}. Choose a column or give one value for all rows.`,
    heading: 'Columns of the file',
    filledByNamed: (field: string) => `${field} is filled by`,
    nothing: 'Nothing',
    choose: 'Choose…',
    oneValue: 'One value for all rows',
    likely: (column: string) => `Use “${column}”`,
    dateWithTime: (date: string, time: string) => `Use “${date}” with “${time}”`,
    onMidnight: (column: string) => `“${column}” has no time of day: all rows fall on midnight.`,
    fromColumn: (column: string) => `column “${column}”`,
    wellHint: 'Asset id or well',
    looking: 'Looking…',
    noWellFits: 'No well fits. A number is taken as an asset id.',
    valueForBlanks: (field: string) => `Value of ${field} where the column is blank`,
    valueFor: (field: string) => `Value of ${field} for all rows`,
    assumed: (value: string) => `Nothing: ${value} is taken`,
    states: {
      filled: 'filled',
      missing: 'missing',
      optional: 'optional',
    },
    column: 'Column',
    holds: 'Holds',
    firstValues: 'First values',
    goesTo: 'Goes to',
    becomes: 'Becomes',
    types: {
      integer: 'whole numbers',
      number: 'numbers',
      string: 'text',
      boolean: 'true or false',
      time: 'times',
      empty: 'nothing',
    },
    blanks: (count: number) => `${formatCount(count)} blank`,
    change: (column: string) => `Where “${column}” goes`,
    leftOut: 'left out',
    joinedTo: (column: string) => `with “${column}”`,
    leaveOut: 'Leave out',
    target: 'Goes to',
    targetNote: 'A field of the record, or a path such as data.rop',
    readAs: 'Read as',
    kinds: {
      auto: 'What the column holds',
      number: 'Number',
      integer: 'Whole number',
      string: 'Text',
      boolean: 'True or false',
      time: 'Time',
    },
    ...columnTimes,
    wellsBy: 'Wells by',
    by: { id: 'Asset id', name: 'Name', api_number: 'API number' },
    byName: 'Names and API numbers are looked up. Those that nobody knows stand under “Wells in the file”.',
    inFile: 'In the file',
    inRecord: 'In the record',
    noValue: 'no value',
    reset: 'As by its name',
    ...values,
    matching: 'Working out what goes where…',
  },
  wells,
  check: {
    heading: (count: number, dataset: string) => `${rows(count)} for ${dataset}`,
    everyRow: 'In every row',
    leftOut: 'Left out',
    times: 'Times',
    timeColumn: (column: string, format: string, zone: string | null) =>
      `“${column}” as ${format}${zone === null ? '' : `, where no zone is named ${zone}`}`,
    nothingLeftOut: 'no column',
    groups: {
      blocking: (count: number) => `Blocking (${formatCount(count)})`,
      suspicious: (count: number) => `Suspicious (${formatCount(count)})`,
      information: (count: number) => `Information (${formatCount(count)})`,
    },
    check: 'Check all rows',
    checkAgain: 'Check again',
    checkText:
      'The rows were not checked. Checking reads and converts every row, compares it with what is stored, and sends nothing.',
    checking: 'Checking all rows…',
    preparing: 'Preparing…',
    good: (count: number) => (count === 1 ? 'The row can be sent.' : `All ${rows(count)} can be sent.`),
    stored: (stored: number, fresh: number) =>
      `${formatCount(stored)} already stored, ${formatCount(fresh)} new.`,
    suspicious: (good: number, findings: number) =>
      `${rows(good)} can be sent, but ${findings === 1 ? 'one finding is' : `${formatCount(findings)} findings are`} suspicious. Correct or confirm what is listed below.`,
    selectionDiffers: (well: string, selected: string) =>
      `All rows are stored under ${well}, but ${selected} is selected.`,
    bad: (good: number, bad: number) =>
      `${rows(good)} can be sent, ${formatCount(bad)} would be rejected. Correct the columns, or send the others: rejected rows come back as a file.`,
    stopped: 'The check was stopped before its end.',
    send: (count: number) => `Send ${rows(count)}`,
    sendOthers: (good: number, bad: number) => `Send ${rows(good)}, leave out ${formatCount(bad)}`,
  },
  templates: {
    heading: 'Templates',
    offer: 'You have mapped a file with this header before:',
    use: (name: string) => `Use “${name}”`,
    apply: 'Use',
    otherHeader: 'Other header',
    loading: 'Loading the templates…',
    none: 'No templates yet. One is offered as soon as a file with the same header comes.',
    name: 'Keep this mapping as',
    note: 'Columns, values for all rows and texts for no value; not the one well of all rows.',
    keep: 'Keep',
    rename: (name: string) => `Name of the template “${name}”`,
    remove: (name: string) => `Remove the template “${name}”`,
  },
  alike: {
    heading: (count: number) =>
      `${counted(count, 'other open file has', 'other open files have')} the same header`,
    text: 'They can be sent with this mapping, into the same dataset, one after another. Each keeps its own ledger. If one is stopped, those behind it are not sent.',
    send: (count: number) => `Send all ${formatCount(count)} files`,
    waits: (behind: string) =>
      `This file waits its turn behind ${behind}. Keep this window open: reload or close it, and the file has to be picked again.`,
    takeOut: 'Do not send it',
  },
  correct,

  standing,

  send: {
    heading: (dataset: string) => `Sending to ${dataset}`,
    waiting: 'Waiting for the job…',
    text: 'You may close this tab: the upload goes on, and stands among the jobs below.',
    nextTry: (seconds: number) => `Next try in ${formatCount(seconds)} s.`,
    retry: (seconds: number) =>
      `The service did not take the last rows. Next try in ${formatCount(seconds)} s.`,
  },
  ledger: {
    headings: {
      done: 'Uploaded',
      rejected: (count: number) => `Uploaded, ${rows(count)} rejected`,
      incomplete: 'Sent as far as possible',
      cancelled: 'Cancelled',
      failed: 'Stopped by an error',
      interrupted: 'Interrupted',
    },
    goesOn: 'What was sent stays sent. Resume sends the rows that are still to do, and none twice.',
    nothingLeft:
      'Nothing is left to send. Look at the dataset to see whether the unknown rows are there; resume closes the books.',
    label: 'Ledger',
    parts: { accepted: 'Accepted', rejected: 'Rejected', unknown: 'Unknown', pending: 'Still to do' },
    notes: {
      accepted: 'stored by the service',
      rejected: 'not stored; the reasons are listed below',
      unknown: 'sent, but whether they were stored can’t be told; they are not sent again',
      pending: 'not sent yet',
    },
    /** What is said instead while rows are sent, and where a resume would go on. */
    notesWhile: {
      sending: {
        unknown:
          'sent, but it is not known yet whether they were stored; the dataset is read before any is sent again',
        pending: 'on their way, or not sent yet',
      },
      stopped: {
        unknown:
          'sent, but it is not known whether they were stored; Resume reads the dataset before it sends any again',
      },
    },
    skipped: (count: number) => `${formatCount(count)} of them stood there before`,
    total: 'Rows in the file',
    problems: 'Why rows were rejected',
    wouldBeProblems: 'Why rows would be rejected',
    column: 'Column',
    wholeRow: 'the whole row',
    what: 'First example',
    count: 'Rows',
    lines: 'First lines',
    showLine: (line: number) => `Show line ${formatCount(line)}`,
    correct: 'Correct',
    warnings: 'Notes',
    lookAt: 'Look at it',
    resume: 'Resume',
    another: 'Upload another file',
    noResult: 'Nothing was sent.',
  },
  preview: {
    region: 'First rows of the file',
    grid: (file: string) => `First rows of ${file}`,
    line: 'Line',
    lineTip: 'The line of the file',
    leftOut: 'left out',
    joinedTo: (column: string) => `with “${column}”`,
    none: 'The file has no rows of data.',
    going: (line: number) => `Going to line ${formatCount(line)}…`,
    at: (line: number) => `Line ${formatCount(line)} and the rows around it`,
    leave: 'Back to the first rows',
    noValue: (cell: string) => `${cell}: stands for no value`,
  },

  raw,

  warnings,

  inLine: (line: number) => `line ${formatCount(line)}`,
  /** How many rows, lines or wells a warning is about, and the first line of them; empty where there are none. */
  inColumns,
  foundIn: (code: WarningCode, count: number, line: number | null) =>
    [
      ...(count === 0 ? [] : [inUnits(code, count)]),
      ...(line === null ? [] : [`line ${formatCount(line)}`]),
    ].join(', '),
};
