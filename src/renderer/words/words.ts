import { formatCount, formatDepth } from '../format/numbers.ts';
import { visibleLine } from '../../shared/errors/errors.ts';
import { datasets } from './datasets.ts';
import { exporting } from './export.ts';
import { jobs } from './jobs.ts';
import { quality } from './quality.ts';
import { query, stages, sql } from './query.ts';
import { record, results } from './results.ts';
import { settings } from './settings.ts';
import { counted, enterNumber } from './counted.ts';
import { wells } from './wells.ts';
import type { MeasureKind } from '../../shared/language/text/summary.ts';

const tabs = {
  label: 'Open tabs',
  loading: 'Loading…',
  close: (title: string) => `Close ${title}`,
  dataset: (dataset: string) => `About ${dataset}`,
  /** A query by its dataset, a number where there are several, and its wells. */
  query: (dataset: string, number: number, wells: readonly { readonly name: string }[]) =>
    [
      number === 1 ? dataset : `${dataset} ${number}`,
      ...(wells.length > 1 ? [counted(wells.length, 'well', 'wells')] : wells.map(({ name }) => name)),
    ].join(' · '),
  copy: (title: string) => `${title} (copy)`,
  side: 'Sidebar',
  new: 'New query',
  all: (count: number) => counted(count, 'open tab', 'open tabs'),
  menu: (title: string) => `Actions for ${title}`,
  /** By command, in the order of the menu of a tab. */
  actions: {
    tabRename: 'Rename…',
    tabDuplicate: 'Duplicate',
    tabLeft: 'Move left',
    tabRight: 'Move right',
    tabBeside: 'Split view',
    tabKeep: 'Keep open',
    tabClose: 'Close',
    tabOthers: 'Close others',
    tabAll: 'Close all',
    tabReopen: 'Reopen closed tab',
  },
  preview: (title: string) => `${title}, preview`,
  previewNote: (title: string) =>
    `${title}. Preview: the next dataset or well replaces it. Double-click to keep it.`,
  closing: {
    heading: (tabs: number) => `Close ${counted(tabs, 'tab', 'tabs')}?`,
    connectionHeading: (connection: string) => `Close ${connection}?`,
    unfinished: (tabs: number) =>
      tabs === 1
        ? 'The rows of this upload aren’t sent yet:'
        : `The rows of ${tabs} uploads aren’t sent yet:`,
    all: (tabs: number) => (tabs === 1 ? 'Close it' : `Close all ${tabs}`),
    finished: (kept: number) => `Keep ${counted(kept, 'upload', 'uploads')}`,
  },
  renameHeading: 'Rename tab',
  name: 'Name',
  nameNote: 'Leave empty to use the default name.',
  beside: (title: string) => `Split view: ${title}`,
  swap: 'Swap sides',
  alone: 'Close split view',
  rename: 'Rename',
  restoring: (title: string) => `Restoring ${title}…`,
  notBack: 'Couldn’t restore this tab. Its stored content is unchanged.',
  unreadable:
    'The stored content of this tab is damaged and was left unchanged. Close the tab if you don’t need it.',
  unknownKind: 'A newer version of Wellbench created this tab. Update Wellbench to open it.',
};

const kinds: Record<MeasureKind, string> = {
  mean: 'Mean',
  min: 'Min',
  max: 'Max',
  sum: 'Sum',
  median: 'Median',
  first: 'First',
  last: 'Last',
};

/** A step of time in words, such as 10 min. */
function timeStep(ms: number): string {
  const minutes = ms / 60_000;
  if (minutes < 60) return `${formatCount(minutes)} min`;
  return minutes < 1440 ? `${formatCount(minutes / 60)} h` : counted(minutes / 1440, 'UTC day', 'UTC days');
}

const summary = {
  mode: 'Summarize',
  region: 'Summary',
  of: 'of',
  by: 'by',
  kinds,
  kindOf: (path: string) => `Figure of ${path}`,
  field: (kind: string) => `Field of ${kind}`,
  records: 'Number of records',
  addMeasure: 'Add figure',
  removeMeasure: (text: string) => `Remove ${text}`,
  measure: (kind: MeasureKind, path: string) => `${kinds[kind]} of ${path}`,
  addGroup: 'Add group',
  removeGroup: (text: string) => `Remove group by ${text}`,
  well: 'Well',
  all: 'not grouped',
  steps: 'Steps',
  fields: 'Values of',
  otherFields: 'Other fields',
  every: (step: number, isDepth: boolean, unit: string | undefined) =>
    `every ${isDepth ? `${formatCount(step)}${unit === undefined ? '' : ` ${unit}`}` : timeStep(step)}`,
  showQuery: 'Show query',
  loading: 'Loading summary…',
  unreadable: 'The pipeline of this query isn’t a summary.',
  replace: 'Replace it with a summary',
  noFields: 'Loading fields…',
  note: 'Covers all matching records, without null values such as -999.25. A first or last value that is null is blank.',
  dayNote: 'Days begin at midnight UTC.',
  notCalculable: (names: readonly string[]) =>
    `Not summarized: ${names.join(', ')}. A summary uses only valid expressions without earlier rows. Export the columns, or use a SQL recipe.`,
  meanByWell: 'Mean by well',
  meanByWellAndLog: 'Mean by well and log',
  meanByWellAndStep: (step: number, isDepth: boolean) =>
    `${isDepth ? summary.meanByWellAndLog : summary.meanByWell}, ${summary.every(step, isDepth, undefined)}`,
  countByValue: 'Count by value',
  over: (records: number) => counted(records, 'record', 'records'),
};

const saved = {
  heading: 'Saved',
  search: 'Search saved queries',
  searchHint: 'Name or query',
  loading: 'Loading saved queries…',
  empty: (keys: string | undefined) =>
    keys === undefined
      ? 'No saved queries yet. Save a query with the star above its tab.'
      : `No saved queries yet. Press ${keys} in a query to save it.`,
  noMatch: 'No matching saved queries',
  count: (count: number) => counted(count, 'query', 'queries'),
  folder: 'Folder',
  name: 'Name',
  menu: (name: string) => `Actions for ${name}`,
  more: 'More actions',
  open: 'Open in new tab',
  edit: 'Rename or move…',
  exportOne: 'Export…',
  copyLink: 'Copy link',
  exportAll: 'Export all…',
  import: 'Import…',
  remove: 'Delete',
  removed: (count: number) => `${counted(count, 'query', 'queries')} deleted.`,
  save: 'Save',
  saveQuery: 'Save query',
  saveHeading: 'Save query',
  editHeading: 'Rename or move',
  folderHeading: 'Rename or move folder',
  folderNote: 'Separate nested folders with /. Leave empty for no folder.',
  folderHint: 'None',
  keepWells: (names: readonly string[], more: number) =>
    `Only for ${names.join(', ')}${more > 0 ? ` and ${String(more)} more` : ''}`,
  keepWellsNote:
    'Otherwise the query uses whichever wells are selected when it runs, even if another person opens its link.',
  replaces: 'A query with this name already exists. Save replaces it.',
  savedAs: (name: string) => `Saved as “${name}”.`,
  exported: (name: string) => `Exported as ${name}.`,
  fileName: 'queries.wellbench',
  linkCopied: (name: string) => `Copied a link to “${name}”. It opens in the installed app.`,
  linkTooLong: 'This query is too long for a link. Export it as a file instead.',
  linkNotCopied: 'Couldn’t copy the link. Export the query as a file instead.',
  wasRemoved: 'This query was removed in another window.',
  imported: (count: number) => `${counted(count, 'query', 'queries')} imported.`,
  nothingNew: 'All queries in the file are already saved.',
  conflicts: (count: number, first: string) =>
    count === 1
      ? `“${first}” already exists with different content.`
      : `${counted(count, 'query', 'queries')} such as “${first}” already exist with different content.`,
  keepBoth: 'Keep both',
  replace: 'Replace existing',
};

const opened = {
  region: 'Opened from a file or link',
  fromFile: (file: string, count: number) =>
    `${file} contains ${counted(count, 'saved query', 'saved queries')}.`,
  fromLink: 'This query comes from a link. Review it before running.',
  notRun: 'Nothing has been run yet.',
  open: 'Open in new tab',
  openNamed: (name: string) => `Open ${name} in new tab`,
  connectFirst: 'Open a connection to use it there.',
  notSent: (file: string) => `${file} is open. Nothing has been sent yet.`,
  connectToUpload: 'Open a connection to upload it.',
  upload: 'Upload',
  keep: 'Add to saved queries',
  close: 'Close',
  kinds: { find: 'Find', aggregate: 'Aggregate', pipeline: 'Pipeline', sql: 'SQL' },
  more: (count: number) => `and ${count} more`,
};

const mirrors = {
  heading: 'Mirrors',
  text: 'A mirror is a folder of Parquet files with the records of a dataset. An update adds new records and fixes any differences from the service. SQL, Python, Spark, and Power BI can read the folder.',
  list: 'Mirrors on this computer',
  loading: 'Loading mirrors…',
  none: 'No mirrors yet. Open a dataset and select Mirror to a folder.',
  openForm: 'Mirror to a folder…',
  formLabel: (address: string) => `Mirror ${address}`,
  wells: 'Wells',
  allWells: 'All wells',
  selectedWells: (count: number) => counted(count, 'selected well', 'selected wells'),
  files: 'Files',
  periods: { day: 'One for each well and day', month: 'One for each well and month' },
  overlap: 'Late records to include',
  overlaps: {
    '30m': 'Up to 30 minutes old',
    '2h': 'Up to 2 hours old',
    '12h': 'Up to 12 hours old',
    '1d': 'Up to 1 day old',
  },
  noTime:
    'These records have no time. Each update reads all of them, and rewrites the files of wells that changed.',
  folderName: 'Folder name',
  folderNote: 'In the folder “mirrors” of the data folder, on the computer that runs Wellbench.',
  folderMissing: 'Enter a folder name.',
  selectFolder: 'Select folder…',
  start: 'Start mirror',
  rows: (rows: number) => counted(rows, 'row', 'rows'),
  fileCount: (files: number) => counted(files, 'file', 'files'),
  last: (time: string) => `until ${time} UTC`,
  verified: 'matches the service',
  unverified: 'Not verified. Records may be missing, or may no longer exist in the service.',
  incomplete: 'First run not completed',
  updated: (ago: string) => `updated ${ago}`,
  update: 'Update now',
  updateNamed: (name: string) => `Update ${name} now`,
  open: 'Open in SQL',
  openNamed: (name: string) => `Open ${name} in SQL`,
  remove: 'Remove from list',
  removeNamed: (name: string) => `Remove ${name} from list`,
};

const seconds = (count: number): string =>
  count < 60
    ? `${formatCount(count)} s`
    : count === 60
      ? 'minute'
      : `${formatCount(Math.round(count / 60))} min`;

const live = {
  region: 'Live',
  /** By the title of a query of the same dataset and wells. */
  tab: (query: string) => `${query} · live`,
  follow: 'Follow live',
  starting: (dataset: string) => `Loading the newest records of ${dataset}…`,
  record: (number: number) => `Record ${formatCount(number)}`,
  none: 'No matching records yet. New records appear here.',
  noAnswer: 'Waiting for the service…',
  pace: 'Update interval',
  every: (count: number) => `every ${seconds(count)}`,
  pause: 'Pause',
  resume: 'Resume',
  status: { starting: 'starting', following: 'following', stopped: 'stopped' },
  paused: { person: 'paused', hidden: 'paused while hidden', offline: 'paused: offline' },
  isSilent: 'no response',
  silent: (time: string) => `no response for ${time}`,
  retry: 'Retry now',
  nextTry: (time: string) => `no response, retrying in ${time}`,
  stoppedWhy: (reason: string, startsAgain = false) =>
    startsAgain
      ? `Stopped updating. ${reason} To start again without the earlier records, select Resume.`
      : `Stopped updating. ${reason} To continue, select Resume.`,
  oneLog: 'Only records deeper than the deepest one are followed. Filter by one log of one well.',
  dropped: (most: number) => `showing the newest ${formatCount(most)}`,
  newest: (ago: string) => `newest record ${ago}`,
  upTo: (field: string, value: number) => `${field} up to ${formatDepth(value)}`,
  latest: 'Latest values',
  old: 'The newest record of this well has no value',
  well: 'Well',
  age: 'Newest record',
  state: 'State',
  ages: { fresh: 'current', late: 'late', silent: 'silent', unknown: 'time unknown' },
  noValue: 'no value',
  limits: {
    open: (channel: string) => `Limits of ${channel}`,
    min: (unit: string) => (unit === '' ? 'Below' : `Below (${unit})`),
    max: (unit: string) => (unit === '' ? 'Above' : `Above (${unit})`),
    text: 'Wellbench highlights a value outside its limits and alerts you once. The alarm ends when a newer value is within them. Tabs with limits keep loading in the background.',
    problem: () => enterNumber(', or leave the field empty.'),
    reversed: 'This limit must be above the other one.',
    set: 'Set limits',
    remove: 'Remove limits',
    sides: { above: 'above its limit', below: 'below its limit' },
    alarm: (well: string, channel: string, value: string, side: 'above' | 'below', limit: string) =>
      `${well}: ${channel} is ${value}, ${side} the limit of ${limit}.`,
    pastAlarm: (well: string, channel: string, value: string, side: 'above' | 'below', limit: string) =>
      `${well}: ${channel} was ${value} between two updates, ${side} the limit of ${limit}.`,
    more: (count: number) => `and ${counted(count, 'more alarm', 'more alarms')}`,
    title: 'Live limit',
  },
  answered: (ago: string) => `updated ${ago}`,
};

const home = {
  active: 'Active wells',
  activeNote: (wells: number) =>
    `${counted(wells, 'well', 'wells')}: pinned wells first, then by latest activity`,
  card: (well: string) => `Open ${well}`,
  follow: (well: string) => `Follow ${well} live`,
  live: 'Live',
  depth: 'Depth',
  rop: 'ROP',
  state: 'State',
  age: 'Newest record',
  reading: 'Loading…',
  loadingWells: 'Loading wells…',
  noRecord: 'No recent time-based record',
  notRecorded: 'not recorded',
  activeAgo: (ago: string) => `active ${ago}`,
  notAnswered: 'unknown: no response',
  updated: (ago: string) => `updated ${ago}`,
  offline: 'Offline. Showing the last values.',
  late: 'The data service hasn’t responded yet. Showing the last values.',
  noDatasets: 'No time dataset is listed, so depth, ROP, and state are unknown.',
  someDatasets: (read: number, all: number) => `Shows records of ${read} of ${all} time datasets.`,
  emptyHeading: 'Query a dataset',
  emptySteps: [
    'Select one or more wells on the left.',
    'Select Datasets, then a dataset. A query for these wells opens here.',
    'Run it, explore the records, and export all that match.',
  ],
  emptyUpload: 'To upload a file, select Upload above or drop the file on this window.',
};

export const history = {
  heading: 'History',
  search: 'Search history',
  searchHint: 'Query, dataset, or well',
  loading: 'Loading history…',
  empty: 'No queries yet. Every query that you run appears here.',
  noMatch: 'No matching runs',
  noText: { find: 'all records', aggregate: 'all records', pipeline: 'no stages', sql: 'no statement' },
  wells: (first: string, otherCount: number) =>
    otherCount === 0 ? first : `${first} +${formatCount(otherCount)}`,
  rows: (rows: number) => counted(rows, 'record', 'records'),
  outcomes: { done: 'done', failed: 'failed', cancelled: 'canceled' },
  shown: (shown: number, matching: number, all: number) =>
    shown < matching
      ? `newest ${formatCount(shown)} of ${formatCount(matching)} matches`
      : matching === all
        ? counted(all, 'run', 'runs')
        : `${formatCount(matching)} of ${counted(all, 'run', 'runs')}`,
  menu: (subject: string) => `Actions for ${subject}`,
  open: 'Open in new tab',
  again: 'Run again',
  remove: 'Remove',
  removeAll: 'Remove all',
  more: 'More actions',
  removed: (count: number) => `${counted(count, 'run', 'runs')} removed.`,
};

export const help = {
  open: 'Help',
  region: 'Help',
  contents: 'Contents',
  more: 'Troubleshoot',
  close: 'Close help',
  diagnostics: 'Copy diagnostics',
  diagnosticsCopied: 'Copied versions, settings, and recent log entries. No credentials included.',
  diagnosticsText: 'Diagnostics',
  search: 'Search help',
  noMatch: 'No results',
};

export const editing = {
  findings: 'Problems in this query',
  inOptions: 'Problems in the options',
  write: (value: string) => `Use ${value}`,
  clear: 'Clear',
  error: 'Error',
  warning: 'Warning',
  found: (errors: number, warnings: number) =>
    [
      errors > 0 ? counted(errors, 'error', 'errors') : '',
      warnings > 0 ? counted(warnings, 'warning', 'warnings') : '',
    ]
      .filter(Boolean)
      .join(', '),
};

export const start = {
  heading: 'Find wells, query their data, and upload files',
  sampleHeading: 'Try it with sample data',
  sampleText: 'Sample wells, datasets, and records. No account or network needed.',
  openSample: 'Open sample workspace',
  openingSample: 'Preparing sample workspace…',
  connectHeading: 'Connect to your services',
  connectText:
    'You need two service addresses and an API key, or an email and password. Your administrator can provide them.',
  none: 'None yet. Connections that you add appear here.',
  listHeading: 'Recent connections',
  open: (name: string) => `Open ${name}`,
  edit: (name: string) => `Edit ${name}`,
  duplicate: (name: string) => `Duplicate ${name}`,
  diagnose: (name: string) => `Diagnose ${name}`,
  remove: (name: string) => `Remove ${name}`,
  removeText: (name: string) =>
    `Remove ${name} and its credentials from this computer? This can’t be undone. Data in the services isn’t affected.`,
  removeNow: 'Remove',
  leaveSecretText:
    'Couldn’t remove the credentials from the keychain. You can leave them there and remove them manually later.',
  leaveSecret: 'Remove, but leave the credentials in the keychain',
  extraForSession:
    'The proxy password or the passphrase of the client certificate is kept for this session only.',
  exportAll: 'Export connections…',
  exported: (count: number) => `${counted(count, 'connection', 'connections')} exported without credentials.`,
  importFile: 'Import connections…',
  imported: (count: number) =>
    count === 0
      ? 'No connections added.'
      : `${counted(count, 'connection', 'connections')} added. Add credentials to each.`,
};

export const connection = {
  name: 'Name',
  namePlaceholder: 'North Ridge',
  dataUrl: 'Data service address',
  dataUrlPlaceholder: 'https://data.example.com',
  platformUrl: 'Platform service address',
  platformUrlPlaceholder: 'https://api.example.com',
  how: 'Sign in with',
  hows: { api_key: 'Key', login: 'Email and password' },
  apiKey: 'API key',
  apiKeyNote: 'Paste the full key, with or without “API ”.',
  apiKeyKept: 'Leave empty to keep the current key.',
  email: 'Email',
  password: 'Password',
  passwordNote: 'Used once to sign in. Never stored.',
  passwordKept: 'Leave empty to stay signed in.',
  secretNeeded: 'This change requires new credentials: enter an API key or sign in.',
  color: 'Color',
  colors: { blue: 'Blue', green: 'Green', amber: 'Amber', red: 'Red', violet: 'Violet', grey: 'Gray' },
  readOnlyBox: 'Read-only: block uploads',
  remember: 'Store credentials in this computer’s keychain',
  rememberNote: 'Otherwise they last until Wellbench quits. They are never stored unencrypted.',
  noKeychain: 'Credentials are kept for this session only.',
  ca: {
    label: 'CA certificates',
    note: 'Only if your company inspects HTTPS traffic. Ask your IT department for the CA file.',
    choose: 'Choose CA file…',
    replace: 'Replace CA file…',
    remove: 'Remove CA certificates',
  },
  clientCertificate: {
    label: 'Client certificate',
    note: 'Only if a gateway requires one: a PKCS#12 or PEM file. Ask your IT department for it.',
    choose: 'Choose client certificate…',
    replace: 'Replace client certificate…',
    remove: 'Remove client certificate',
  },
  clientKey: {
    label: 'Key of the client certificate',
    note: 'Only if the key is in a separate file.',
    choose: 'Choose key file…',
    replace: 'Replace key file…',
    remove: 'Remove key file',
  },
  passphrase: 'Passphrase of the client certificate',
  passphraseNote: 'Only if the key is encrypted. Stored in this computer’s keychain, never in a file.',
  passphraseKept: 'Leave empty to keep the current passphrase.',
  advanced: 'Advanced',
  proxyAddress: 'Proxy address',
  proxyAddressPlaceholder: 'proxy.example.com:8080',
  proxyNote: 'Only if this connection needs a different proxy than this computer uses.',
  proxyUser: 'Proxy user',
  proxyUserNote: 'Leave empty if the proxy needs no sign-in.',
  proxyPassword: 'Proxy password',
  proxyPasswordNote: 'Stored in this computer’s keychain, never in a file.',
  proxyPasswordKept: 'Leave empty to keep the current password.',
  caEnds: (name: string, day: string) => `${name}, expires ${day}`,
  test: 'Test',
  testing: 'Testing…',
  connect: 'Connect',
  connecting: 'Connecting…',
  notSaved: 'The connection wasn’t saved.',
  saveAnyway: 'Save anyway',
  swap: 'Swap addresses',
  save: 'Save',
  saving: 'Saving…',
  editing: (name: string) => `Edit ${name}`,
  why: 'Diagnose',
  dataService: 'Data service',
  platformService: 'Platform service',
  works: 'OK',
  fails: 'failed',
  inMs: (ms: number) => `${formatCount(ms)} ms`,
  menu: (name: string) => `Connection: ${name}`,
  leave: 'All connections…',
  edit: 'Edit connection…',
  duplicate: 'Duplicate connection…',
  diagnose: 'Diagnose connection…',
  closeOne: (name: string) => `Close ${name}`,
  methods: { api_key: 'key', login: 'email and password' },
  secrets: {
    api_key: {
      keychain: 'key in the keychain',
      session: 'key for this session only',
      environment: 'key set by the environment',
      missing: 'key missing',
    },
    login: {
      keychain: 'signed in, stored in the keychain',
      session: 'signed in for this session only',
      environment: 'sign-in set by the environment',
      missing: 'not signed in',
    },
  },
  sample: 'sample',
  readOnly: 'read-only',
};

/** The words for giving a key or login again. */
export const authenticating = {
  refused: {
    key_expired: (name: string) => `The API key for ${name} has expired. Enter a new one.`,
    key_ended: (name: string) =>
      `${name} no longer accepts its API key. It has expired or was revoked. Enter a new one.`,
    key_unknown: (name: string) =>
      `${name} rejected the API key. Paste the full key again, or enter another one.`,
    login_wrong: (name: string) => `${name} rejected the email or password. Sign in again.`,
    login_needed: (name: string) => `Your session with ${name} has expired. Sign in again.`,
    secret_missing: (name: string) => `${name} has no stored credentials. Add them to continue.`,
  },
  goesOn: 'Waiting jobs then resume automatically. Run your queries again.',
  fixed: 'These credentials are set by the environment. Change them there.',
  giveKey: 'Enter new key…',
  giveLogin: 'Sign in…',
  form: (name: string) => `Credentials for ${name}`,
  use: 'Save key',
  logIn: 'Sign in',
  trying: 'Testing…',
  keeps: 'Wellbench tests it before replacing the current one.',
};

export const diagnostics = {
  heading: (name: string) => `Diagnostics: ${name}`,
  unnamed: 'the services',
  steps: {
    keychain: 'Keychain',
    name: 'Name',
    proxy: 'Proxy',
    tcp: 'Connection',
    tls: 'Certificate',
    auth: 'Credentials',
    data: 'Data service',
    platform: 'Platform service',
  },
  states: { ok: 'OK', failed: 'failed', skipped: 'skipped' },
  looking: 'Running diagnostics…',
  good: 'All checks passed.',
  bad: (count: number) => (count === 1 ? '1 check failed:' : `${formatCount(count)} checks failed:`),
  others: (passed: number, all: number) =>
    passed === all
      ? counted(all, 'check passed', 'checks passed')
      : `${counted(passed, 'check passed', 'checks passed')}, ${formatCount(all - passed)} skipped or affected`,
  cancelled: 'Canceled. Some checks didn’t run.',
  again: 'Run again',
  copy: 'Copy report',
  copied: 'Report copied. It contains no credentials.',
  report: 'Report',
  signedBy: (issuer: string, until: string) => `issued by ${issuer}, expires ${until}`,
};

export const commands = {
  open: 'Commands',
  region: 'Commands',
  search: 'Type a command or search',
  none: 'No matching commands',
  count: (count: number) => (count === 1 ? '1 result' : `${formatCount(count)} results`),
  noAssetId: 'no asset ID',
  titles: {
    run: 'Run query',
    count: 'Count matching records',
    stop: 'Cancel query',
    maximize: 'Maximize or restore results',
    find: 'Find in results',
    export: 'Export matching records',
    save: 'Save query',
    askFind: 'Switch to Find',
    askSummary: 'Switch to Summarize',
    askPipeline: 'Switch to Pipeline',
    askSql: 'Switch to SQL',
    viewTable: 'Show results as table',
    viewPlot: 'Show results as plot',
    viewBoth: 'Show results as table and plot (both)',
    viewQuality: 'Show quality of results',
    addNote: 'Add note to plot…',
    calculate: 'Add calculated column…',
    distributions: 'Toggle distributions under the headers',
    showAll: 'Show all matching records',
    follow: 'Follow live',
    zoneUtc: 'Time zone of results: UTC',
    zoneLocal: 'Time zone of results: Local',
    zoneWell: 'Time zone of results: Well',
    zoneOther: 'Time zone of results: Other…',
    copyTsv: 'Copy selected or loaded rows as TSV (for spreadsheets)',
    copyCsv: 'Copy selected or loaded rows as CSV',
    copyJson: 'Copy selected or loaded rows as JSON',
    copyMarkdown: 'Copy selected or loaded rows as Markdown',
    copyCurl: 'Copy as curl',
    copyPowershell: 'Copy as PowerShell',
    copyPython: 'Copy as Python',
    copyTypescript: 'Copy as TypeScript',
    copyCommand: 'Copy as command line',
    tabNew: 'New query',
    tabClose: 'Close tab',
    tabOthers: 'Close other tabs',
    tabAll: 'Close all tabs',
    tabKeep: 'Keep tab open',
    tabReopen: 'Reopen closed tab',
    tabRename: 'Rename tab',
    tabDuplicate: 'Duplicate tab',
    tabNext: 'Next tab',
    tabPrevious: 'Previous tab',
    tabRight: 'Move tab right',
    tabLeft: 'Move tab left',
    tabBeside: 'Split view with next tab',
    tabAlone: 'Close split view',
    side: 'Toggle sidebar',
    wells: 'Go to wells',
    datasets: 'Go to datasets',
    saved: 'Go to saved queries',
    history: 'Go to history',
    browse: 'Browse wells and assets',
    upload: 'Upload file',
    jobs: 'Toggle jobs',
    mirrors: 'Mirrors: update, or open in SQL',
    noWells: 'Clear selected wells',
    sample: 'Open sample workspace',
    connections: 'Show all connections',
    connectionEdit: 'Edit connection',
    connectionDoctor: 'Diagnose connection',
    connectionClose: 'Close connection',
    palette: 'Show all commands',
    help: 'Toggle help',
    shortcuts: 'Show keyboard shortcuts',
    settings: 'Toggle settings',
    themeSystem: 'Theme: System',
    themeLight: 'Theme: Light',
    themeDark: 'Theme: Dark',
  },
  /** Other words by which a person searches for a command. */
  also: {
    find: 'search text',
    export: 'save download csv excel xlsx las parquet',
    save: 'bookmark favorite template',
    askFind: 'filter records',
    askSummary: 'mean average total statistics group by well',
    askPipeline: 'aggregate mongodb stages',
    askSql:
      'recipes join formation tops time in each state connections slips days against depth daily report wellpath survey inclination',
    viewPlot: 'chart graph curve trend log depth tracks print pdf scatter crossplot bars',
    viewQuality: 'gaps spikes nulls flat missing check',
    addNote: 'annotation comment remark mark interval range',
    calculate: 'formula expression derived channel mse',
    distributions: 'histogram statistics range minimum maximum nulls outliers profile',
    showAll: 'load more rows',
    follow: 'real time rig watch alarm limits',
    zoneLocal: 'clock hours',
    tabBeside: 'side by side compare',
    browse: 'pads rigs programs assets frac fleets drillout units',
    upload: 'import las dlis csv excel witsml data',
    jobs: 'progress exports uploads running',
    mirrors: 'local copy sync offline parquet delta',
    noWells: 'deselect',
    connectionEdit: 'api key password address',
    connectionDoctor: 'proxy network certificate problem test',
    settings: 'preferences options units names decimals',
    shortcuts: 'keys hotkeys',
    themeDark: 'night mode',
  },
  groups: {
    query: 'Query',
    result: 'Results',
    setting: 'Settings',
    tab: 'Tabs',
    place: 'Go to',
    connection: 'Connection',
    window: 'Window',
    openTab: 'Open tabs',
    dataset: 'Query a dataset',
    connectTo: 'Open connection',
    savedQuery: 'Open saved query',
    page: 'Help',
    well: 'Select a well',
  },
};

/** All strings of the window, in American English. Functions where a string depends on a number or a name. */
export const words = {
  app: 'Wellbench',
  window: (connection: string) => `Wellbench, ${connection}`,
  cancel: 'Cancel',
  undo: 'Undo',
  dismiss: 'Dismiss',
  notCopied: 'Couldn’t copy the text. Allow this page to use the clipboard, or select the text and copy it.',
  /** Of a copy whose HTML would be above 10 million characters. */
  copiedTextOnly:
    'A copy this large is plain text, so a spreadsheet may read text such as 0012 as a number. To prevent that, export a workbook.',
  tryAgain: 'Retry',
  notices: (count: number) => `${count} notices`,
  clearSearch: 'Clear search',
  close: 'Close',
  unknown: 'unknown',
  panelWidth: 'Width of the panel',
  list: {
    values: (count: number) => counted(count, 'value', 'values'),
    notFound: (names: string) => `Not found: ${names}`,
  },
  kept: {
    checking: (ago: string) => `Updated ${ago}. Checking for updates…`,
    stale: (ago: string) => `Updated ${ago}`,
    partial: 'Partially loaded',
    refresh: 'Refresh',
    justNow: 'just now',
  },
  link: {
    connecting: 'Connecting to Wellbench…',
    reconnecting: 'Lost the connection to Wellbench. Reconnecting…',
    signedOut:
      'Wellbench was restarted. Run “wellbench open” or press Enter in its terminal, open the link that it prints, and close this page.',
    unanswered:
      'Wellbench isn’t responding. If it was restarted, run “wellbench open” and open the link that it prints. Otherwise, restart Wellbench.',
  },
  theme: { label: 'Theme', system: 'System', light: 'Light', dark: 'Dark' },
  drop: {
    here: 'Drop the file to upload it',
    many: (count: number) => `Drop ${formatCount(count)} files to upload them`,
    noConnection: 'Open a connection first, then drop the file',
    readOnly: 'This connection is read-only',
    text: 'You review the columns before anything is sent.',
  },
  tableOf: (file: string, table: string) => `${file} (${visibleLine(table)})`,
  help,
  settings,
  commands,
  tabs,
  saved,
  sql,
  opened,
  history,
  home,
  start,
  connection,
  authenticating,
  diagnostics,
  wells,
  datasets,
  quality,
  query,
  live,
  editing,
  stages,
  summary,
  record,
  results,
  export: exporting,
  mirrors,
  jobs,
};
