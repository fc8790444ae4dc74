import type * as z from 'zod';
import type { about, SystemNotice } from '../../../shared/contract/workspace.ts';
import { visibleLine, visibleText } from '../../../shared/errors/errors.ts';
import type { ModuleHandlers } from '../../core/handlers.ts';
import type { calls } from '../../../shared/contract/contract.ts';
import { keptView, plainView, withViewChange, type KeptView } from '../../../shared/tabs/tabs.ts';
import { listReader, openSharedFile } from '../../core/files/shared-file.ts';
import { arch, cpus, freemem, homedir, release, totalmem, type as systemType } from 'node:os';
import { join } from 'node:path';
import type { Connection } from '../../../shared/connections/connections.ts';
import type { Job } from '../../../shared/jobs/jobs.ts';
import type { KeptSettings } from '../../../shared/settings/settings.ts';
import { readOwnText } from '../../core/files/regular-file.ts';
import { readdir } from '../../world/files.ts';

export interface DiagnosticsDependencies {
  readonly about: About;
  readonly dataFolder: string;
  readonly settings: () => Promise<KeptSettings>;
  readonly connections: () => Promise<readonly Connection[]>;
  readonly jobs: () => Promise<{
    readonly jobs: readonly Pick<Job, 'kind' | 'state'>[];
    readonly older: number;
  }>;
  /** Takes secrets out of a text (`Logger.clean`). */
  readonly clean: (text: string) => string;
}

/** Number of lines from the end of the log. */
const maxLogLines = 200;
/** Maximum length of the part of the log that is searched, in characters. */
const maxLogLength = 60_000;

/** Values that may fail to be read: diagnostics are needed most when something is broken. */
const orProblem = async (read: () => Promise<string> | string): Promise<string> => {
  try {
    return await read();
  } catch (error) {
    return `could not be read (${error instanceof Error ? error.name : 'unknown'})`;
  }
};

const countedValues = (values: readonly string[]): string =>
  [...Map.groupBy(values, String)].map(([value, same]) => `${same.length} ${value}`).join(', ') || 'none';

const gigabytes = (bytes: number): string => `${(bytes / 1e9).toFixed(1)} GB`;

/** A connection without its name, addresses, and account, which are private. */
const describeConnection = ({
  method,
  secret,
  keychain,
  extraKeychain,
  refused,
  readOnly,
  authorities,
  sample,
}: Connection) =>
  [
    sample ? 'sample' : method,
    `secret: ${secret}`,
    ...(keychain ? [`keychain: ${keychain}`] : []),
    ...(extraKeychain ? [`keychain of proxy or certificate: ${extraKeychain}`] : []),
    ...(refused ? [`refused: ${refused}`] : []),
    ...(readOnly ? ['read only'] : []),
    ...(authorities ? [`own authorities: ${authorities.length}`] : []),
  ].join(', ');

async function endOfLog(dataFolder: string): Promise<string> {
  const text =
    (await readOwnText(join(dataFolder, 'logs', 'wellbench.log'), 'wellbench.log').catch(() => null)) ?? '';
  return text.slice(-maxLogLength).trimEnd().split('\n').slice(-maxLogLines).join('\n') || 'empty';
}

/** Number of crash dumps on this disk; they aren't sent. */
async function crashDumps(dataFolder: string): Promise<string> {
  const names = await readdir(join(dataFolder, 'crashes'), { recursive: true }).catch(() => []);
  return String(names.filter((name) => name.endsWith('.dmp')).length);
}

/**
 * Text for support that the user can review first: versions, system, settings, kinds of connections and jobs,
 * and the end of the log. Contains no secrets and no personal folders.
 */
export async function diagnosticsText({
  about,
  dataFolder,
  settings,
  connections,
  jobs,
  clean,
}: DiagnosticsDependencies): Promise<string> {
  const { versions } = process;
  const { locale, timeZone } = Intl.DateTimeFormat().resolvedOptions();
  const rows: [string, () => Promise<string> | string][] = [
    ['Wellbench', () => `${about.version} (${about.host})`],
    ['Electron', () => versions['electron'] ?? 'none'],
    ['Chromium', () => versions['chrome'] ?? 'the browser’s own'],
    ['Node', () => versions.node],
    ['System', () => `${systemType()} ${release()} ${arch()}`],
    ['Processors', () => String(cpus().length)],
    ['Memory', () => `${gigabytes(totalmem())}, free ${gigabytes(freemem())}`],
    ['Held by main', () => gigabytes(process.memoryUsage().rss)],
    ['Language', () => `${locale}, ${timeZone}`],
    ['Running for', () => `${Math.round(process.uptime())} s`],
    ['Settings', async () => JSON.stringify(await settings())],
    ['Connections', async () => countedValues((await connections()).map(describeConnection))],
    [
      'Jobs',
      async () => {
        const { jobs: listed, older } = await jobs();
        return `${countedValues(listed.map(({ kind, state }) => `${kind} ${state}`))}; older: ${older}`;
      },
    ],
    ['Crash dumps', () => crashDumps(dataFolder)],
  ];
  const sections = await Promise.all(rows.map(async ([name, read]) => `${name}: ${await orProblem(read)}`));
  const text = [
    ...sections,
    '',
    `The last ${maxLogLines} lines of the log:`,
    await orProblem(() => endOfLog(dataFolder)),
  ];
  return withoutPaths(clean(text.join('\n')), dataFolder);
}

/** Personal folders contain names, and the window must not see paths. */
function withoutPaths(text: string, dataFolder: string): string {
  const home = homedir();
  const inside = text.replaceAll(dataFolder, '<data folder>');
  return home.length > 1 ? inside.replaceAll(home, '<home folder>') : inside;
}

export type About = z.infer<typeof about>;

type DiagnosticsSources = Pick<DiagnosticsDependencies, 'settings' | 'connections' | 'jobs' | 'clean'>;

/** What belongs to the window as a whole: versions, notices, diagnostics, and the columns of datasets. */
export function createWorkspace(
  about: About,
  dataFolder: string,
  {
    warn,
    notify,
    ...diagnosticsSources
  }: {
    readonly warn: (sentence: string) => void;
    readonly notify: (notice: SystemNotice) => void;
  } & DiagnosticsSources,
): ModuleHandlers<(typeof calls)['workspace']> {
  return {
    ...createViews(dataFolder, warn),
    about: async () => about,
    notify: async ({ title, body }) => {
      notify({ title: visibleLine(title), body: visibleText(body) });
      return {};
    },
    diagnostics: async () => ({
      text: await diagnosticsText({ about, dataFolder, ...diagnosticsSources }),
    }),
  };
}

const format = 1;
/** Maximum number of datasets; the least recently changed one is dropped. */
const maxViews = 500;

/** The column layouts of datasets: `<data>/views.json`, independent of the connection. */
export function createViews(
  dataFolder: string,
  warn: (sentence: string) => void,
): Pick<ModuleHandlers<(typeof calls)['workspace']>, 'view' | 'changeView'> {
  const { locked, write } = openSharedFile({
    dataFolder,
    name: 'views',
    format,
    nothing: [],
    read: listReader('views', keptView),
    what: 'columns of datasets',
    warn,
  });
  const isOf =
    ({ provider, dataset }: Pick<KeptView, 'provider' | 'dataset'>) =>
    (savedView: KeptView) =>
      savedView.provider === provider && savedView.dataset === dataset;

  return {
    view: (of) => locked(async (now) => now.find(isOf(of))?.view ?? plainView),
    changeView: ({ before, view, ...of }) =>
      locked(async (now) => {
        const stored = now.find(isOf(of))?.view ?? plainView;
        const otherViews = now.filter((other) => !isOf(of)(other));
        const changed = { ...of, view: withViewChange(stored, before, view) };
        await write({ views: [changed, ...otherViews].slice(0, maxViews) });
        return {};
      }),
  };
}
