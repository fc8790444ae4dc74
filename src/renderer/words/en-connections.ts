import { formatCount } from '../format/numbers.ts';

/** The words of the start screen in English. */
export const start = {
  heading: 'Find a well, look at its data, take it with you.',
  sampleHeading: 'Look around first',
  sampleText: 'Wells, datasets and records made up for trying out. It needs no account and no network.',
  openSample: 'Open the sample workspace',
  openingSample: 'Preparing the sample workspace…',
  connectHeading: 'Connect to your services',
  connectText: 'You need the two addresses and an API key. Your administrator has them.',
  listHeading: 'Your connections',
  open: (name: string) => `Open ${name}`,
};

/** The words of connections in English. */
export const connection = {
  name: 'Name',
  namePlaceholder: 'North Ridge',
  dataUrl: 'Data service address',
  dataUrlPlaceholder: 'https://data.example.com',
  platformUrl: 'Platform service address',
  platformUrlPlaceholder: 'https://api.example.com',
  apiKey: 'API key',
  apiKeyNote:
    'Kept in the keychain of this computer where there is one, else for this session only. Never on disk in the clear.',
  password: 'Password',
  giveAgain: (name: string) =>
    `Its secret was kept for a session that is over. Give it again to open ${name}.`,
  secrets: {
    keychain: 'key in the keychain',
    session: 'key for this session only',
    environment: 'key from the environment',
    missing: 'key missing',
  },
  test: 'Test',
  testing: 'Testing…',
  connect: 'Connect',
  connecting: 'Connecting…',
  dataService: 'Data service',
  platformService: 'Platform service',
  works: 'works',
  fails: 'fails',
  inMs: (ms: number) => `${formatCount(ms)} ms`,
  menu: (name: string) => `Connection: ${name}`,
  leave: 'All connections…',
  closeOne: (name: string) => `Close ${name}`,
  methods: { api_key: 'API key', login: 'e-mail and password' },
  sample: 'sample',
  readOnly: 'read-only',
};
