import { createApp, type App } from '../../../src/main/app.ts';
import { noDialogs } from '../../../src/main/hosts/no-dialogs.ts';
import { questionText } from '../../../src/shared/query/question.ts';
import { mapping } from '../../../src/shared/upload/upload.ts';

// What the user stores, two of each: the same when a fixture was made (make.ts) and when a test opens it.

/** Opens the application on a data folder. */
export const openApp = (dataFolder: string): Promise<App> =>
  createApp({
    host: 'browser',
    fileMode: 'dialog',
    dataFolder,
    env: { WELLBENCH_KEYCHAIN: 'off' },
    choose: () => noDialogs,
  });

const address = { provider: 'demo', dataset: 'wits' };
const question = (query: string) => questionText.parse({ find: { query, sort: '{ timestamp: -1 }' } });

// Nothing listens there: the connections are saved without a test.
export const connections = ['North Ridge', 'South Mesa'].map((name, at) => ({
  name,
  dataUrl: `http://127.0.0.1:${at + 1}`,
  platformUrl: `http://127.0.0.1:${at + 1}/platform`,
  readOnly: at === 1,
}));
export const queries = ['Rate', 'Depth'].map((name, at) => ({
  ...address,
  id: `saved-${at}`,
  name,
  folder: at === 0 ? '' : 'Drilling/Depth',
  changedAt: 1_763_640_000_000 + at,
  question: question(`{ asset_id: 500${at} }`),
}));
export const settings = { theme: 'dark', limit: 250 } as const;
export const view = {
  ...address,
  view: { hidden: ['data.rop'], order: [], units: {}, widths: { timestamp: 210 } },
};
export const templates = ['Daily', 'Survey'].map((name, at) => ({
  id: `00000000-0000-4000-8000-00000000000${at}`,
  name,
  header: ['time', `depth ${at}`],
  mapping: mapping.parse({ columns: {} }),
}));
export const tabs = ['First', 'Second'].map((title, at) => ({
  id: `tab-${at}`,
  kind: 'query',
  title,
  name: at === 0 ? null : 'Mine',
  scope: [],
  state: { ...address, question: question(`{ asset_id: 500${at} }`) },
}));
export const runs = [5001, 5002].map((asset) => ({
  ...address,
  mode: 'find' as const,
  wells: [{ name: `Well ${asset}`, assetId: asset }],
  outcome: 'done' as const,
  code: null,
  rows: asset,
  ms: 12,
  question: question(`{ asset_id: ${asset} }`),
}));
