import { formatCount } from '../format/numbers.ts';
import { counted } from './counted.ts';

/** The words of the start screen. */
export const start = {
  heading: 'Find a well, look at its data, take it with you.',
  sampleHeading: 'Look around first',
  sampleText: 'Wells, datasets and records made up for trying out. It needs no account and no network.',
  openSample: 'Open the sample workspace',
  openingSample: 'Preparing the sample workspace…',
  connectHeading: 'Connect to your services',
  connectText: 'You need the two addresses and an API key or a login. Your administrator has them.',
  add: 'Add a connection',
  listHeading: 'Your connections',
  open: (name: string) => `Open ${name}`,
  edit: (name: string) => `Edit ${name}`,
  diagnose: (name: string) => `Find out why ${name} does not work`,
  remove: (name: string) => `Remove ${name}`,
  removeText: (name: string) =>
    `${name} goes from this computer, with the key or login that is kept for it. Data at the services stay as they are.`,
  removed: (name: string) =>
    `${name} was removed, with its key or login. Both can be brought back for ten minutes, as long as Wellbench runs.`,
  undoRemoval: 'Undo',
  dismissRemoval: 'Close this notice',
  removeNow: 'Remove',
  leaveSecretText:
    'Its secret can’t be taken out of the keychain now. It can be left there, and removed later by hand.',
  leaveSecret: 'Remove, and leave the secret in the keychain',
  exportAll: 'Export connections…',
  exported: (count: number) =>
    `${counted(count, 'connection', 'connections')} exported, without keys and passwords.`,
  importFile: 'Import connections…',
  imported: (count: number) =>
    count === 0
      ? 'No connection was added.'
      : `${counted(count, 'connection', 'connections')} added. Give each its key or login.`,
};

/** The words of connections. */
export const connection = {
  name: 'Name',
  namePlaceholder: 'North Ridge',
  dataUrl: 'Data service address',
  dataUrlPlaceholder: 'https://data.example.com',
  platformUrl: 'Platform service address',
  platformUrlPlaceholder: 'https://api.example.com',
  how: 'Log in with',
  hows: { api_key: 'Key', login: 'E-mail and password' },
  apiKey: 'API key',
  apiKeyNote: 'Paste all of it; “API ” before it does no harm.',
  apiKeyKept: 'Leave it empty to keep the key that is there.',
  email: 'E-mail',
  password: 'Password',
  passwordNote: 'Used once to log in, and never kept.',
  passwordKept: 'Leave it empty to stay logged in.',
  secretNeeded: 'Give the key, or log in: it has to be another one for this.',
  color: 'Colour',
  colors: { blue: 'Blue', green: 'Green', amber: 'Amber', red: 'Red', violet: 'Violet', grey: 'Grey' },
  readOnlyBox: 'Read-only: nothing can be uploaded',
  remember: 'Keep the secret in the keychain of this computer',
  rememberNote: 'Otherwise it is forgotten when Wellbench ends. It is never on disk in the clear.',
  noKeychain: 'The secret is kept for this session only.',
  caFile: 'Company certificates',
  caNote: 'Only where your company reads encrypted traffic: the CA file that the IT desk gives.',
  proxy: 'Proxy',
  proxyAddress: 'Proxy address',
  proxyAddressPlaceholder: 'proxy.example.com:8080',
  proxyNote: 'Only where the proxy settings of this computer are not enough.',
  proxyUser: 'Proxy user',
  proxyUserNote: 'Empty: the proxy asks for none.',
  proxyPassword: 'Proxy password',
  proxyPasswordNote: 'Kept in the keychain of this computer, never in a file.',
  proxyPasswordKept: 'Leave it empty to keep the password that is there.',
  caChoose: 'Choose a CA file…',
  caChooseAnother: 'Choose another CA file…',
  caRemove: 'Remove the certificates',
  caEnds: (name: string, day: string) => `${name}, until ${day}`,
  test: 'Test',
  testing: 'Testing…',
  connect: 'Connect',
  connecting: 'Connecting…',
  notSaved: 'Nothing was saved.',
  saveAnyway: 'Save anyway',
  swap: 'Swap addresses',
  save: 'Save',
  saving: 'Saving…',
  editing: (name: string) => `Edit ${name}`,
  why: 'Find out why',
  dataService: 'Data service',
  platformService: 'Platform service',
  works: 'works',
  fails: 'fails',
  inMs: (ms: number) => `${formatCount(ms)} ms`,
  menu: (name: string) => `Connection: ${name}`,
  openAnother: (name: string) => `Open ${name}`,
  leave: 'All connections…',
  edit: 'Edit this connection…',
  diagnose: 'Check the way to the services…',
  closeOne: (name: string) => `Close ${name}`,
  methods: { api_key: 'API key', login: 'e-mail and password' },
  secrets: {
    api_key: {
      keychain: 'key in the keychain',
      session: 'key for this session only',
      environment: 'key from the environment',
      missing: 'key missing',
    },
    login: {
      keychain: 'login in the keychain',
      session: 'login for this session only',
      environment: 'login from the environment',
      missing: 'not logged in',
    },
  },
  sample: 'sample',
  readOnly: 'read-only',
};

/** The words for giving a key or login again,. */
export const authenticating = {
  refused: {
    key_expired: (name: string) => `The key of ${name} has expired. Give a new one.`,
    key_ended: (name: string) =>
      `${name} does not accept its key any more: it has expired, or was revoked or replaced. Give a new one.`,
    key_unknown: (name: string) =>
      `${name} does not accept its key. Give it again, all of it, or another one.`,
    login_wrong: (name: string) => `${name} does not accept the e-mail and password. Log in again.`,
    login_needed: (name: string) => `The login of ${name} has ended. Log in again.`,
    secret_missing: (name: string) => `No key or login is kept for ${name}. Give it to go on.`,
  },
  goesOn: 'Jobs that wait go on by themselves then; run queries again.',
  fixed: 'This connection comes from outside: correct its key there.',
  giveKey: 'Give a new key…',
  giveLogin: 'Log in again…',
  form: (name: string) => `Key or login for ${name}`,
  use: 'Use this key',
  logIn: 'Log in',
  trying: 'Trying it out…',
  keeps: 'It is tried first; until it is accepted nothing is replaced.',
};

/** The words of the connectivity doctor. */
export const doctor = {
  heading: (name: string) => `Diagnostics: ${name}`,
  unnamed: 'the services',
  steps: {
    keychain: 'Keychain',
    name: 'Name',
    proxy: 'Proxy',
    tcp: 'Connection',
    tls: 'Certificate',
    auth: 'Key or login',
    data: 'Data service',
    platform: 'Platform service',
  },
  states: { ok: 'ok', failed: 'failed', skipped: 'skipped' },
  looking: 'Checking the connection step by step…',
  good: 'Every step works.',
  bad: (count: number) => (count === 1 ? 'Found the cause:' : `Found ${formatCount(count)} causes:`),
  others: (passed: number, all: number) =>
    passed === all
      ? counted(all, 'step passed', 'steps passed')
      : `${counted(passed, 'step passed', 'steps passed')}, ${formatCount(all - passed)} skipped or affected`,
  cancelled: 'Cancelled before the end.',
  again: 'Look again',
  copy: 'Copy the report',
  copied: 'Copied. No key, token or password is in it.',
  report: 'Report',
  signedBy: (issuer: string, until: string) => `signed by ${issuer}, until ${until}`,
};
