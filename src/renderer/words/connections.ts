import { formatCount } from '../format/numbers.ts';
import { counted } from './counted.ts';

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
