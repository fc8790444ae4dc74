import { formatCount } from '../format/numbers.ts';
import { visibleLine } from '../../shared/errors/visible-text.ts';
import { datasets } from './datasets.ts';
import { exporting } from './export.ts';
import { home } from './home.ts';
import { jobs } from './jobs.ts';
import { live } from './live.ts';
import { mirrors } from './mirrors.ts';
import { opened } from './opened.ts';
import { quality } from './quality.ts';
import { query } from './query.ts';
import { record, results } from './results.ts';
import { saved } from './saved.ts';
import { settings } from './settings.ts';
import { counted } from './counted.ts';
import { stages } from './stages.ts';
import { summary } from './summary.ts';
import { tabs } from './tabs.ts';
import { tour } from './tour.ts';
import { sql } from './sql.ts';
import { wells } from './wells.ts';

/** The words of the history. */
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
  undo: 'Undo',
};

/** The words of the help in English. The guide itself is `docs/guide`. */
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

/** The words of the editor of queries. */
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

/** The words of the start screen. */
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
    `Removes ${name} and its credentials from this computer. Data in the services isn’t affected.`,
  removed: (name: string) =>
    `${name} and its credentials were removed. You can undo this for 10 minutes while Wellbench is running.`,
  undoRemoval: 'Undo',
  dismissRemoval: 'Dismiss',
  removeNow: 'Remove',
  leaveSecretText:
    'Couldn’t remove its credentials from the keychain. You can leave them there and remove them later by hand.',
  leaveSecret: 'Remove and leave the credentials in the keychain',
  exportAll: 'Export connections…',
  exported: (count: number) => `${counted(count, 'connection', 'connections')} exported without credentials.`,
  importFile: 'Import connections…',
  imported: (count: number) =>
    count === 0
      ? 'No connections added.'
      : `${counted(count, 'connection', 'connections')} added. Add credentials to each.`,
};

/** The words of connections. */
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
    note: 'Only if a gateway requires one: a PKCS#12 file, or a PEM file. Ask your IT department for it.',
    choose: 'Choose client certificate…',
    replace: 'Replace client certificate…',
    remove: 'Remove client certificate',
  },
  clientKey: {
    label: 'Key of the client certificate',
    note: 'Only if the key is in a file of its own.',
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

/** The words of connection diagnostics. */
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

/** The words of commands. */
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
    calculate: 'Add calculated column…',
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
    tour: 'Take a tour',
    shortcuts: 'Show keyboard shortcuts',
    settings: 'Toggle settings',
    themeSystem: 'Theme: System',
    themeLight: 'Theme: Light',
    themeDark: 'Theme: Dark',
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
  notCopied: 'Couldn’t copy the text. Allow this page to use the clipboard, or select the text and copy it.',
  /** Of a copy whose HTML would be above 10 million characters. */
  copiedTextOnly:
    'A copy of this size is text only: a spreadsheet may read texts such as 0012 as numbers. An exported workbook keeps them.',
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
      'Wellbench was restarted. Run “wellbench open” or press Enter in its terminal. Open the link that it prints to continue on this page.',
    unanswered:
      'Wellbench isn’t responding. If it was restarted, run “wellbench open” and open the link that it prints. Otherwise, start it again.',
  },
  theme: {
    label: 'Theme',
    system: 'System',
    light: 'Light',
    dark: 'Dark',
  },
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
  tour,
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
