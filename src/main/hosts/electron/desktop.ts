import type * as Electron from 'electron';
import { join, extname } from 'node:path';
import { createApp, type App } from '../../app.ts';
import { toAppError, visibleLine } from '../../../shared/errors/errors.ts';
import { linkScheme } from '../../../shared/saved/sharing.ts';
import { chooseByDialog, createDialogs } from './dialogs.ts';
import { guardContents, guardSession, pageScheme, isOwnAddress } from './guard.ts';
import { startUtilityProcess } from './utility-process.ts';
import { keepUpdated } from './updates.ts';
import { installMenu, openRecentFiles } from './menu.ts';
import { acceptOffers, acceptPorts, isOwnMessage, type Message } from './ports.ts';
import { openWindow, saveWindowStates, readWindowStates, createWindows, type Windows } from './windows.ts';
import { readArgument, startedWith, parseArguments } from '../open-arguments.ts';
import { pauseAutomatically } from './pauses.ts';
import { showQuitQuestion, manageLifecycle } from './quit.ts';
import {
  nothingKept,
  settingsOf,
  type KeptSettings,
  acceleratorOf,
  parseChord,
} from '../../../shared/settings/settings.ts';
import type { SettingsService } from '../../features/settings/settings.ts';
import { isActive } from '../../../shared/jobs/job-states.ts';
import type { Job } from '../../../shared/jobs/jobs.ts';
import type { JobRunner } from '../../core/jobs/jobs.ts';
import { readdir, readFile } from 'node:fs/promises';
import { policyHeaders, quitTimeout, reportFaults } from '../window-host.ts';

export interface Page {
  readonly path: string;
  readonly type: string;
}

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json',
  '.map': 'application/json',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.ttf': 'font/ttf',
  '.woff2': 'font/woff2',
  '.wasm': 'application/wasm',
};

const typeOf = (path: string): string => types[extname(path)] ?? 'application/octet-stream';

/** The files of the built renderer by request path; created once at startup. `/` is the page. */
export async function listPages(folder: string): Promise<ReadonlyMap<string, Page>> {
  const pages = new Map<string, Page>();
  async function list(folders: readonly string[]): Promise<void> {
    for (const entry of await readdir(join(folder, ...folders), { withFileTypes: true })) {
      const parts = [...folders, entry.name];
      if (entry.isDirectory()) await list(parts);
      // A build has no links; one that was added is not followed.
      if (!entry.isFile()) continue;
      const path = join(folder, ...parts);
      pages.set(`/${parts.map(encodeURIComponent).join('/')}`, { path, type: typeOf(path) });
    }
  }
  await list([]);
  const start = pages.get('/index.html');
  if (start) pages.set('/', start);
  return pages;
}

/**
 * Serves requests of the application's scheme from this list only. Paths are looked up, never joined to a
 * folder, so no path can leave it.
 */
export function servePages(pages: ReadonlyMap<string, Page>) {
  return async ({ method, url }: Pick<Request, 'method' | 'url'>): Promise<Response> => {
    const page = method === 'GET' && isOwnAddress(url) ? pages.get(new URL(url).pathname) : undefined;
    const headers = { ...policyHeaders(), 'Content-Type': page?.type ?? 'text/plain; charset=utf-8' };
    if (!page) return new Response('Nothing found at this address.\n', { status: 404, headers });
    return new Response(await readFile(page.path), { headers });
  };
}

export interface JobProgressOptions {
  readonly runner: Pick<JobRunner, 'watch'>;
  /** Progress from 0 to 1; above 1: indeterminate; -1: no job is running. */
  readonly progress: (share: number) => void;
  /** Notifies the user, who may use another application. */
  readonly notify: (title: string, body: string) => void;
  /** Whether the window is focused, so no notification is needed. */
  readonly isFocused: () => boolean;
}

const notifiedStates = new Set<Job['state']>(['done', 'failed']);

function share(running: readonly Job[]): number {
  if (running.length === 0) return -1;
  const measurable = running.filter(({ progress }) => progress.totalRows !== null && progress.totalRows > 0);
  // Electron shows a bar without an end for what is above 1.
  if (measurable.length < running.length) return 2;
  const rows = measurable.reduce((sum, { progress }) => sum + progress.rows, 0);
  return Math.min(1, rows / measurable.reduce((sum, { progress }) => sum + (progress.totalRows ?? 0), 0));
}

/** The outcome of a finished job: the ledger of an upload, or the result of a dry run. */
function outcome(job: Job): string {
  if (job.kind === 'quality') return 'The result is ready. Open the job to see it.';
  if (job.kind === 'export' && job.result && job.result.warnings.length > 0)
    return 'The export is complete, with warnings. Open the job to see them.';
  if (job.kind !== 'upload' || !job.result) return `The ${job.kind} is complete.`;
  const { dryRun, ledger } = job.result;
  const { accepted, rejected, unknown, pending } = ledger;
  if (dryRun) {
    const skips = ledger.skipped > 0 ? `${ledger.skipped} would be skipped, ` : '';
    return `${pending} ${pending === 1 ? 'row' : 'rows'} can be sent, ${skips}${rejected} would be rejected.`;
  }
  const left = [
    rejected > 0 ? `${rejected} rejected` : '',
    unknown > 0 ? `${unknown} unknown` : '',
    pending > 0 ? `${pending} not sent` : '',
  ];
  return `${[`${accepted} accepted`, ...left.filter((part) => part !== '')].join(', ')}.`;
}

function describeOutcome(job: Job): { title: string; body: string } {
  const file = visibleLine(job.file);
  if (job.state === 'done') return { title: `${file} is done`, body: outcome(job) };
  return { title: `${file} has stopped`, body: job.error?.message ?? 'Open the job for the reason.' };
}

/**
 * Shows the jobs' progress on the dock or taskbar, and notifies about a job that ends while the window isn't
 * focused. Ends with the signal.
 */
export async function showJobProgress(options: JobProgressOptions, signal: AbortSignal): Promise<void> {
  const { runner, progress, notify, isFocused } = options;
  const jobs = new Map<string, Job>();
  for await (const job of runner.watch(signal)) {
    const before = jobs.get(job.id);
    if (job.state === 'discarded') jobs.delete(job.id);
    else jobs.set(job.id, job);
    progress(share([...jobs.values()].filter(({ state }) => state === 'running')));
    // Jobs that ended before are not notified.
    if (!before || !isActive(before.state) || !notifiedStates.has(job.state) || isFocused()) continue;
    const { title, body } = describeOutcome(job);
    notify(title, body);
  }
}

const usualKeys = 'CommandOrControl+,';

/** The shortcuts in the menu: the first assigned one, or the default. */
function menuKeys({ shortcuts }: KeptSettings): string | null {
  const assigned = shortcuts['settings'];
  if (!assigned) return usualKeys;
  const chord = parseChord(assigned[0] ?? '');
  return chord && acceleratorOf(chord);
}

export type HostSettings = ReturnType<typeof followSettings>;

/**
 * Follows the settings until the signal aborts; defaults apply until then.
 * @param changed called when a value changes
 */
export function followSettings(
  settings: Pick<SettingsService, 'watch'>,
  changed: () => void,
  log: (sentence: string) => void,
  signal: AbortSignal,
) {
  let current = nothingKept;
  async function follow(): Promise<void> {
    for await (current of await settings.watch({}, { signal })) changed();
  }
  follow().catch((error: unknown) => {
    if (!signal.aborted) log(`The menu no longer follows the settings: ${String(error)}`);
  });
  return {
    /** The keys of the settings as menus write them; null: none. */
    keys: () => menuKeys(current),
    /** Whether to confirm before jobs are stopped. */
    shouldAsk: () => settingsOf(current).askBeforeLeaving,
    shouldNotify: () => settingsOf(current).notifyWhenDone,
  };
}

export interface DesktopOptions {
  readonly electron: Pick<
    typeof Electron,
    | 'app'
    | 'BrowserWindow'
    | 'clipboard'
    | 'dialog'
    | 'ipcMain'
    | 'Menu'
    | 'net'
    | 'Notification'
    | 'powerMonitor'
    | 'screen'
    | 'session'
    | 'utilityProcess'
  >;
  readonly dataFolder: string;
  readonly env: NodeJS.ProcessEnv;
  /** Folder of the built renderer. */
  readonly renderer: string;
  /** The folder of the installed application's files. */
  readonly resources: string | undefined;
  /** File of the built preload script. */
  readonly preload: string;
  /** Prints messages beside the log, which is available only once the core runs. */
  readonly print: (sentence: string) => void;
}

interface Desktop {
  readonly windows: Windows;
  readonly log: (sentence: string) => void;
  /** From here on messages also go to the log, redacted. */
  logTo(logger: App['log']): void;
}

interface Started {
  readonly core: App;
  readonly settings: HostSettings;
  /** Focuses the window and opens links and files in it. */
  readonly open: (openArguments: readonly string[]) => Promise<void>;
}

/** Shows the progress and the ends of jobs outside the window until the signal aborts. */
function showProgress(
  runner: JobRunner,
  { windows, log }: Desktop,
  notify: (title: string, body: string) => void,
  signal: AbortSignal,
): void {
  const progress = (share: number): void => windows.current()?.setProgressBar(share);
  const isFocused = (): boolean => windows.current()?.isFocused() === true;
  showJobProgress({ runner, progress, notify, isFocused }, signal).catch((error: unknown) => {
    if (!signal.aborted) log(`Jobs are no longer shown outside the window: ${String(error)}`);
  });
}

async function start({ electron, ...options }: DesktopOptions, desk: Desktop): Promise<Started> {
  const { app, dialog, ipcMain, Notification, session, utilityProcess } = electron;
  const { windows, log } = desk;
  await app.whenReady();
  const dialogs = createDialogs(dialog, windows.current);
  const [core, pages] = await Promise.all([
    createApp({
      host: 'electron',
      fileMode: 'dialog',
      endsWithWindow: true,
      dataFolder: options.dataFolder,
      env: options.env,
      choose: chooseByDialog(dialogs, app.getPath('downloads')),
      resolveProxy: (url) => session.defaultSession.resolveProxy(url),
      startProcess: startUtilityProcess(utilityProcess),
      warn: options.print,
      notify: (notice) => new Notification(notice).show(),
    }),
    listPages(options.renderer),
  ]);
  desk.logTo(core.log);
  guardSession(session.defaultSession, log);
  session.defaultSession.protocol.handle(pageScheme.scheme, servePages(pages));
  const isOwn = (message: Message): boolean => isOwnMessage(message, windows.contents);
  const onFault = reportFaults(core.log, options.print);
  acceptPorts({ ipc: ipcMain, isOwn, router: core.router, onFault, log });
  acceptOffers({ ipc: ipcMain, isOwn, files: core.files, log });
  const recent = await openRecentFiles(join(options.dataFolder, 'recent.json'), () => showMenu(), log);
  const open = async (openArguments: readonly string[]): Promise<void> => {
    const window = await windows.show();
    for (const argument of openArguments) {
      const item = await readArgument(argument, core.files);
      core.openedItems.deliver(item, window.webContents.id);
      if (item.kind === 'queries' && item.file !== null) await recent.add(argument);
    }
  };
  const updates = keepUpdated({ electron, resources: options.resources, window: windows.current, log });
  const quitController = new AbortController();
  app.once('will-quit', () => quitController.abort());
  const settings = followSettings(core.settings, () => showMenu(), log, quitController.signal);
  const showMenu = installMenu({
    electron,
    windows,
    dialogs,
    recent,
    settingsKeys: settings.keys,
    async showSettings() {
      const window = await windows.show();
      core.openedItems.deliver({ kind: 'settings' }, window.webContents.id);
    },
    open,
    client: core.client,
    updates,
    log,
  });
  // On other systems the installer sets this; on Windows the application does.
  if (app.isPackaged && process.platform === 'win32') app.setAsDefaultProtocolClient(linkScheme);
  pauseAutomatically(electron, { runner: await core.runner(), client: core.client }, log);
  const notify = (title: string, body: string): void => {
    if (settings.shouldNotify()) new Notification({ title, body }).show();
  };
  showProgress(await core.runner(), desk, notify, quitController.signal);
  await open(parseArguments(process.argv.slice(1), process.cwd()));
  return { core, settings, open };
}

/** Prints what is logged, also before the log of the application is there, and logs what nothing catches. */
function openLog(print: DesktopOptions['print']): Pick<Desktop, 'log' | 'logTo'> {
  let logger: App['log'] | null = null;
  const log = (sentence: string): void => {
    logger?.warn(sentence);
    print(logger?.clean(sentence) ?? sentence);
  };
  // A defect in one call must not end the window and all jobs.
  const onFault = (cause: unknown): void => {
    logger?.fault(cause);
    log('Internal error in Wellbench; it continues to run.');
  };
  process.on('unhandledRejection', onFault);
  process.on('uncaughtException', onFault);
  const logTo = (coreLogger: App['log']): void => void (logger = coreLogger);
  return { log, logTo };
}

/** macOS reports files and links by events, possibly before the application is ready. */
function openOnEvents(
  app: DesktopOptions['electron']['app'],
  open: (openArguments: readonly string[]) => void,
) {
  app.on('open-file', (event, path) => {
    event.preventDefault();
    open([path]);
  });
  app.on('open-url', (event, address) => {
    event.preventDefault();
    open([address]);
  });
}

/**
 * Runs the application in Electron until it is quit. To be called before Electron is ready, by the first instance.
 * @throws never: an error of the start is shown and ends the process
 */
export function runDesktop(options: DesktopOptions): void {
  const { app, BrowserWindow, dialog, powerMonitor, screen } = options.electron;
  let core: App | null = null;
  let shouldAsk = (): boolean => true;
  const { log, logTo } = openLog(options.print);
  const statePath = join(options.dataFolder, 'window.json');
  const windowOptions = {
    createBrowserWindow: (constructorOptions: Electron.BrowserWindowConstructorOptions) =>
      new BrowserWindow(constructorOptions),
    screen,
    dialog,
    quit: () => app.quit(),
    onStay() {
      windows.stay();
      life.stay();
    },
    preload: options.preload,
    log,
  };
  const windows = createWindows({
    open: (state) => openWindow(windowOptions, state),
    read: () => readWindowStates(statePath),
    keep: (states) => saveWindowStates(statePath, states, log),
    onLast: (event) => life.closeLast(event),
    onGone: (contents) => core?.openedItems.removeWindow(contents),
  });
  guardContents(app, log);
  const started = start(options, { windows, log, logTo });
  started.then(
    (running) => {
      core = running.core;
      shouldAsk = running.settings.shouldAsk;
    },
    (error: unknown) => {
      dialog.showErrorBox('Wellbench could not start', toAppError(error).message);
      app.exit(1);
    },
  );
  const open = (openArguments: readonly string[]): void =>
    void started
      .then((running) => running.open(openArguments))
      .catch((error: unknown) => log(`Something could not be opened: ${String(error)}`));
  openOnEvents(app, open);
  const life = manageLifecycle({
    app,
    platform: process.platform,
    show: () => open([]),
    onSecondInstance: (_event, _argv, _cwd, secondArguments) => {
      const { data } = startedWith.safeParse(secondArguments);
      open(data ? parseArguments(data.argv, data.cwd) : []);
    },
    // Without a confirmation, jobs are stopped so they can be resumed.
    activeJobs: () => (shouldAsk() ? (core?.activeJobs() ?? 0) : 0),
    confirmQuit: (jobs) => showQuitQuestion(dialog, windows.current(), jobs),
    onQuit: windows.markQuitting,
    close: async () => {
      const running = await started;
      await Promise.all([running.core.close(), windows.storedWindows()]);
    },
    tooLong: quitTimeout,
    log,
  });
  void app.whenReady().then(() => powerMonitor.on('shutdown', life.shutDown));
}
